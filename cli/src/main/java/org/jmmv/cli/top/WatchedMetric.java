package org.jmmv.cli.top;

import java.util.List;
import org.jmmv.pcp.Units;

/**
 * A metric, with a {@link Series} for each instance that had a value when it was last read, in the
 * order of the instance domain. Many metrics may share a large instance domain and have few values.
 *
 * @param name the full name, one char per byte
 * @param isSingular whether the metric has a single value, without an instance
 * @param help one line, one char per byte; null if there is none
 * @param size the number of values that it has at most, also before it was read
 * @param series what a {@link Reading} changes; a singular metric always has one
 */
record WatchedMetric(
    String name,
    int pmid,
    boolean isSingular,
    int semantics,
    Units units,
    String help,
    int size,
    List<Series> series) {
  /** Returns this metric with other series: some to be shown. */
  WatchedMetric with(List<Series> others) {
    return new WatchedMetric(name, pmid, isSingular, semantics, units, help, size, others);
  }
}
