package org.jmmv.web.api;

import java.util.Arrays;
import org.jmmv.core.InstanceDomain;
import org.jmmv.core.Metric;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Printable;
import org.jmmv.pcp.Units;

/**
 * Looks for words in the texts of a metric, then in its labels, and for those that neither has in
 * the names and labels of its instances.
 */
final class WordScan {
  /** The labels that hold for all values of a metric, but for those that all metrics have. */
  private static final int[] LABELS = {LabelType.CLUSTER, LabelType.ITEM, LabelType.INDOM};

  private final Words words;
  private int missing; // words that are still looked for in the metric
  private int looked; // number of its labels' types
  private Object instances; // the identity of the table; null: none was looked at
  private int next; // index in the table
  private int[] found = {}; // numbers of instances
  private int count;

  /** Begins with the texts of a metric. */
  WordScan(Words words, String name, Metric metric) {
    this.words = words;
    missing = words.missing(words.all(), name);
    missing = words.missing(missing, metric.oneLine());
    missing = words.missingDecoded(missing, Units.of(metric.units()).toString());
  }

  /** Returns the words that were not found in the metric. */
  int missing() {
    return missing;
  }

  /** Looks at labels of the metric until the turn is over. Returns whether there are more. */
  boolean lookAtLabels(Metric metric, View view, Turn turn) {
    while (missing != 0 && looked < LABELS.length) {
      int type = LABELS[looked++];
      int ident = type == LabelType.INDOM ? metric.inDom() : metric.pmid();
      missing = words.missing(missing, ident == InDom.NULL ? null : view.labels(type, ident));
      if (view.isOver(turn)) {
        return true;
      }
    }
    return false;
  }

  /** Looks at instances until the turn is over. Returns whether there are more. */
  boolean lookAtInstances(Metric metric, View view, Turn turn) {
    InstanceDomain inDom = missing == 0 ? null : view.instances(metric.inDom());
    if (inDom == null) {
      return false;
    }
    InstanceTable table = inDom.table();
    if (!table.identity().equals(instances)) { // there are others
      instances = table.identity();
      next = 0;
      count = 0;
    }
    while (next < table.size()) {
      if (admits(inDom, table, next)) {
        add(table.number(next));
      }
      next++;
      if (view.isOver(turn)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether an instance, by its number, has the words that the metric lacks. */
  boolean admits(InstanceDomain inDom, int number) {
    InstanceTable table = inDom == null ? null : inDom.table();
    int index = table == null ? -1 : table.indexOf(number);
    return index >= 0 && admits(inDom, table, index);
  }

  private boolean admits(InstanceDomain inDom, InstanceTable table, int index) {
    int left = words.missingDecoded(missing, Printable.utf8(table.name(index)));
    return left == 0
        || (inDom.hasLabels() && words.missing(left, inDom.labels(table.number(index))) == 0);
  }

  private void add(int number) {
    if (count == found.length) {
      found = Arrays.copyOf(found, Math.max(8, 2 * count));
    }
    found[count++] = number;
  }

  /** Returns the number of instances that were found. */
  int count() {
    return count;
  }

  /** Returns the numbers of the instances that were found. Then there are none here any more. */
  int[] take() {
    int[] numbers = Arrays.copyOf(found, count);
    found = new int[0];
    count = 0;
    return numbers;
  }

  /** Returns what is kept, in bytes, without the words. */
  long bytes() {
    return HeapSize.ofObject(3, 4 * Integer.BYTES) + HeapSize.ofInts(found.length);
  }
}
