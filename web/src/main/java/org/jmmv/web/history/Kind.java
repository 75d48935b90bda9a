package org.jmmv.web.history;

import org.jmmv.core.Metric;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;

/**
 * What gives the values of a metric their meaning: with another one, it begins a new history.
 *
 * @param coding how values are kept
 */
record Kind(int type, int semantics, int units, boolean isSingular, Coding coding) {
  /** What it takes in the heap. */
  static final long BYTES = HeapSize.ofObject(1, 3 * Integer.BYTES + 1);

  /** Returns the kind of a metric, or null if its values are no numbers. */
  static Kind of(Metric metric) {
    Coding coding = Coding.of(metric.type(), metric.semantics());
    return coding == null
        ? null
        : new Kind(
            metric.type(),
            metric.semantics(),
            metric.units(),
            metric.inDom() == InDom.NULL,
            coding);
  }

  /** Returns the increase of a counter; NaN if it has decreased, or if it is none. */
  double increase(long before, long value) {
    double increase = ValueType.increase(type, bits(before), bits(value));
    return semantics == Semantics.COUNTER && increase >= 0 ? increase : Double.NaN;
  }

  /** Returns the double that is nearest to a value. */
  double number(long value) {
    return ValueType.number(type, bits(value));
  }

  /** Returns a value as a text. */
  String text(long value) {
    return ValueType.decimal(type, bits(value));
  }

  private long bits(long value) {
    return Batch.narrowed(type, value);
  }
}
