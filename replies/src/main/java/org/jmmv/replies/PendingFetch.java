package org.jmmv.replies;

import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.ResultWriter;

/**
 * A fetch that has not been answered. After files have changed, the values of their metrics are
 * located again when they are fetched, which takes some 0.1 µs for each, and there may be millions.
 * With turns, that is interrupted: what was located stays, and the next turn goes on.
 */
final class PendingFetch {
  private static final long TURN_NANOS = 1_000_000;

  private final Fetch request;
  private final boolean hasTurns;
  private int located; // the number of metrics for which no turn ends any more

  /**
   * Creates a fetch.
   *
   * @param hasTurns whether it may be interrupted
   */
  PendingFetch(Fetch request, boolean hasTurns) {
    this.request = request;
    this.hasTurns = hasTurns;
  }

  Fetch request() {
    return request;
  }

  /**
   * Locates the values of the metrics.
   *
   * @param metrics those of the request; null stands for one that is unknown
   * @return the size of all value sets, or -1 if the turn is over
   */
  long locate(View view, Metric[] metrics, InstanceFilter filter) {
    long end = System.nanoTime() + TURN_NANOS;
    long size = 0;
    for (int i = 0; i < request.count(); i++) {
      Metric metric = metrics[i];
      size += ResultWriter.sizeOfSet(metric == null ? 0 : view.maxValues(metric, filter));
      boolean isLong = metric != null && metric.inDom() != InDom.NULL;
      if (hasTurns && isLong && i >= located && System.nanoTime() - end > 0) {
        located = i + 1; // if files change all the time, the fetch ends nevertheless
        return -1;
      }
    }
    return size;
  }
}
