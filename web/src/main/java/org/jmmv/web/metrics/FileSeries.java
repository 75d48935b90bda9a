package org.jmmv.web.metrics;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.View;
import org.jmmv.pcp.HeapSize;
import org.jmmv.reader.fault.FileName;

/** How many series of each file are on a page, and how many are left out beyond a limit. */
final class FileSeries {
  private final int max; // of a file
  private final Map<FileName, Long> shown = new HashMap<>();
  private final TreeMap<FileName, Long> leftOut = new TreeMap<>();

  /**
   * Creates an object for a page without series.
   *
   * @param max the maximum number of series of a file; 0: any number, and none are counted
   */
  FileSeries(int max) {
    this.max = max;
  }

  /**
   * Adds the series of a metric, unless its file, or the first of several, then has too many.
   *
   * @return whether they are on the page
   */
  boolean add(Metric metric, View view) {
    List<Metric.Origin> origins = metric.origins(1);
    if (max == 0 || origins.isEmpty()) {
      return true;
    }
    FileName file = origins.getFirst().file();
    long count = view.maxValues(metric, InstanceFilter.ALL);
    long all = shown.getOrDefault(file, 0L) + count;
    if (all > max) {
      leftOut.merge(file, count, Long::sum);
      return false;
    }
    shown.put(file, all);
    return true;
  }

  /** Returns how many series of a file are left out. */
  long leftOut(FileName file) {
    return leftOut.getOrDefault(file, 0L);
  }

  /**
   * Returns the first file behind another one of which series are left out; null if there is none.
   */
  FileName next(FileName last) {
    return last == null ? leftOut.isEmpty() ? null : leftOut.firstKey() : leftOut.higherKey(last);
  }

  /** Returns what is kept, in bytes. The names are those of the catalogue. */
  long bytes() {
    return (shown.size() + leftOut.size())
        * (HeapSize.ofLinkedEntry() + HeapSize.ofObject(0, Long.BYTES));
  }
}
