package org.jmmv.replies;

import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.ResultWriter;

/**
 * A fetch that has not been answered. After files have changed, the values of their metrics are
 * located again when they are fetched, which takes some 0.1 µs for each, and there may be millions.
 * If the turn is over before, what was located stays, and the next turn goes on.
 */
final class PendingFetch {
  private final Fetch request;
  private int located; // the number of metrics for which no turn ends any more

  PendingFetch(Fetch request) {
    this.request = request;
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
  long locate(View view, Metric[] metrics, InstanceFilter filter, Turn turn) {
    long size = 0;
    for (int i = 0; i < request.count(); i++) {
      Metric metric = metrics[i];
      size += ResultWriter.sizeOfSet(metric == null ? 0 : view.maxValues(metric, filter));
      boolean isLong = metric != null && metric.inDom() != InDom.NULL;
      if (isLong && i >= located && turn.isOver()) {
        located = i + 1; // if files change all the time, the fetch ends nevertheless
        return -1;
      }
    }
    return size;
  }
}
