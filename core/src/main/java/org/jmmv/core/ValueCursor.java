package org.jmmv.core;

import java.util.Objects;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.ValueSink;

/**
 * Reads the values of a metric in several steps, each in a view of its own. Between them it keeps a
 * position. If the instances of the metric have changed between two steps, it ends: their order is
 * another one.
 */
public final class ValueCursor {
  private final int pmid;
  private final InstanceFilter filter;
  private int inDom = InDom.NULL;
  private Object instances; // identity of their table
  private int next; // index of an instance, or View.COMPLETE

  /**
   * Begins with the first value.
   *
   * @param filter the instances to read; ignored for a singular metric
   */
  public ValueCursor(int pmid, InstanceFilter filter) {
    this.pmid = pmid;
    this.filter = filter;
  }

  /**
   * Reads values until the sink takes no more.
   *
   * @param view that of a request about the metric
   * @return whether there are more
   */
  public boolean read(View view, ValueSink sink) {
    Metric metric = next == View.COMPLETE ? null : view.metric(pmid);
    boolean goesOn = metric != null && isSame(metric, view);
    next = goesOn ? view.read(metric, filter, next, sink) : View.COMPLETE;
    return next != View.COMPLETE;
  }

  private boolean isSame(Metric metric, View view) {
    InstanceDomain domain = view.instances(metric.inDom());
    Object now = domain == null ? null : domain.table().identity();
    boolean isSame = next == 0 || (metric.inDom() == inDom && Objects.equals(now, instances));
    inDom = metric.inDom();
    instances = now;
    return isSame;
  }

  /** Returns what is kept, in bytes, without the filter. */
  public long bytes() {
    return HeapSize.ofObject(3, 3 * Integer.BYTES);
  }
}
