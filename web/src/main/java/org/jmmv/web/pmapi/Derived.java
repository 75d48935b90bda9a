package org.jmmv.web.pmapi;

import org.jmmv.core.derived.DerivedMetric;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.Pmid;

/** A derived metric of a context. */
final class Derived {
  /** The cluster of the first derived metrics of a context in libpcp: later ones are below it. */
  private static final int LAST_CLUSTER = 2047;

  private final int pmid;
  private final String name;
  private final DerivedMetric metric;
  private long counted;

  /**
   * Creates a derived metric.
   *
   * @param name one char per byte
   */
  Derived(int pmid, String name, DerivedMetric metric) {
    this.pmid = pmid;
    this.name = name;
    this.metric = metric;
  }

  /**
   * Returns the PMID that pmAddDerived(3) gives the next derived metric of a context.
   *
   * @param count how many it has
   */
  static int pmid(int count) {
    return Pmid.build(
        Pmid.DERIVED_DOMAIN,
        LAST_CLUSTER - count / Pmid.MAX_ITEM,
        Pmid.MAX_ITEM - count % Pmid.MAX_ITEM);
  }

  int pmid() {
    return pmid;
  }

  String name() {
    return name;
  }

  DerivedMetric metric() {
    return metric;
  }

  /** Returns the bytes that it has been counted with. */
  long counted() {
    return counted;
  }

  /** Counts again what it takes in the heap. Returns how many bytes more these are. */
  long countMore() {
    long before = counted;
    counted =
        HeapSize.ofLinkedEntry()
            + HeapSize.ofObject(3, Integer.BYTES + Long.BYTES)
            + HeapSize.of(name)
            + metric.bytes();
    return counted - before;
  }
}
