package org.jmmv.core.derived;

import java.util.List;
import org.jmmv.core.ValueSet;
import org.jmmv.pcp.HeapSize;

/**
 * A term that is bound to metrics with known descriptors.
 *
 * @param descriptor of its values
 * @param operands indexes of the operations that calculate its operands
 */
record Operation(Descriptor descriptor, List<Integer> operands, Calculation calculation) {

  /**
   * Calculates the values as {@link Calculation#calculate}.
   *
   * @param results those of all operations that come before this one. Those of operands are given
   *     up
   */
  ValueSet calculate(ValueSet[] results, Moment moment) {
    ValueSet[] of = operands.stream().map(index -> results[index]).toArray(ValueSet[]::new);
    ValueSet result = calculation.toleratesErrors() ? null : failed(of);
    if (result == null) {
      result = calculation.calculate(of, moment);
    }
    if (result != null) {
      operands.forEach(index -> results[index] = null);
    }
    return result;
  }

  private static ValueSet failed(ValueSet[] of) {
    for (ValueSet one : of) {
      if (one.count() == 0 && one.status() < 0) {
        return one;
      }
    }
    return null;
  }

  long bytes() {
    long list = HeapSize.ofObject(2, 0) + HeapSize.ofReferences(operands.size());
    long lambda = HeapSize.ofObject(4, 2 * Integer.BYTES);
    return HeapSize.ofObject(3, 1) + list + descriptor.bytes() + lambda + calculation.bytes();
  }
}
