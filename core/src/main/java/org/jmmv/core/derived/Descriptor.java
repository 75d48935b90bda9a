package org.jmmv.core.derived;

import org.jmmv.core.Metric;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;

/**
 * What the values of a metric or of an expression are: {@code pmDesc} of pmLookupDesc(3) without
 * the PMID.
 *
 * @param type a {@link ValueType}, or any other number from a file
 * @param inDom the instance domain, {@link InDom#NULL} for a single value
 * @param semantics one of {@link Semantics}, or any other number from a file
 */
public record Descriptor(int type, int inDom, int semantics, Units units) {
  static final Units NO_UNITS = Units.of(0);
  static final Units ONE_COUNT = new Units(0, 0, 1, 0, 0, 0);

  /** Returns the descriptor of a metric. */
  public static Descriptor of(Metric metric) {
    return new Descriptor(
        metric.type(), metric.inDom(), metric.semantics(), Units.of(metric.units()));
  }

  /** Returns what it takes in the heap, in bytes. */
  public long bytes() {
    return HeapSize.ofObject(1, 3 * Integer.BYTES) + HeapSize.ofObject(0, 8 * Integer.BYTES);
  }

  boolean isNumeric() {
    return ValueType.size(type) > 0;
  }

  boolean isSingular() {
    return inDom == InDom.NULL;
  }

  boolean isCounter() {
    return semantics == Semantics.COUNTER;
  }

  boolean hasNoDimension() {
    return hasDimensionOf(NO_UNITS);
  }

  /** Returns whether the units are the same but for their scales. */
  boolean hasDimensionOf(Units others) {
    return units.space() == others.space()
        && units.time() == others.time()
        && units.count() == others.count()
        && units.extra() == others.extra()
        && (units.extra() == 0 || units.extraScale() == others.extraScale());
  }

  Descriptor withType(int newType) {
    return new Descriptor(newType, inDom, semantics, units);
  }

  Descriptor withInDom(int newInDom) {
    return new Descriptor(type, newInDom, semantics, units);
  }

  Descriptor withSemantics(int newSemantics) {
    return new Descriptor(type, inDom, newSemantics, units);
  }

  Descriptor withUnits(Units newUnits) {
    return new Descriptor(type, inDom, semantics, newUnits);
  }
}
