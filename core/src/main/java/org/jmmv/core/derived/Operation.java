package org.jmmv.core.derived;

import java.util.List;
import org.jmmv.core.KeptValues;
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
   *     up, unless they are needed the next time
   */
  KeptValues calculate(KeptValues[] results, Moment moment) {
    KeptValues[] of = operands.stream().map(index -> results[index]).toArray(KeptValues[]::new);
    KeptValues result = calculation.toleratesErrors() ? null : failed(of);
    if (result == null) {
      result = calculation.calculate(of, moment);
    }
    if (result != null && !calculation.keepsOperand()) {
      operands.forEach(index -> results[index] = null);
    }
    return result;
  }

  /** Called when all is calculated: has the values kept that are needed the next time. */
  void keep(KeptValues[] results, long nanos) {
    if (calculation.keepsOperand()) {
      calculation.keep(results[operands.getFirst()], nanos);
    }
  }

  private static KeptValues failed(KeptValues[] of) {
    for (KeptValues one : of) {
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
