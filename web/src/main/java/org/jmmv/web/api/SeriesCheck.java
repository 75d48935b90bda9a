package org.jmmv.web.api;

import org.jmmv.core.Metric;
import org.jmmv.core.View;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.Printable;

/**
 * Whether a PMID and an instance number are still what a client takes them for. It sends a hash of
 * the names, the type and the units that it shows, and gets no values of others.
 */
final class SeriesCheck {
  // FNV-1a, which a page calculates in three lines. With the hash of String, "Aa" would pass for
  // "BB".
  private static final int BASIS = 0x811c9dc5;
  private static final int PRIME = 16777619;

  private SeriesCheck() {}

  /** Returns the hash of a text such as {@code mmv.shop.paid[card] u64 counter count}. */
  static int of(String text) {
    return text.chars().reduce(BASIS, (hash, next) -> (hash ^ next) * PRIME);
  }

  /**
   * Returns whether a hash is that of a metric and an instance.
   *
   * @param instance the number of an instance that has a value, {@link Instance#NULL} for a
   *     singular metric
   */
  static boolean isOf(Metric metric, int instance, View view, int hash) {
    String name = "";
    if (instance != Instance.NULL) {
      InstanceTable table = view.table(metric.inDom());
      int index = table.indexOf(instance);
      if (index < 0) {
        return false;
      }
      name = "[" + Printable.utf8(table.name(index)) + "]";
    }
    String suffix = name + " " + MetricJson.kind(metric);
    return metric.names().stream().anyMatch(one -> of(FileText.decode(one) + suffix) == hash);
  }
}
