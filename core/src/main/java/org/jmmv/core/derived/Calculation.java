package org.jmmv.core.derived;

import org.jmmv.core.KeptValues;

/** How the values of a term follow from those of its operands. */
@FunctionalInterface
interface Calculation {
  /**
   * Calculates the values.
   *
   * @param operands have values of the types that they were bound to
   * @return null if the turn is over, and the calculation is to be called again
   */
  KeptValues calculate(KeptValues[] operands, Moment moment);

  /** Returns whether there are values also if an operand can't be read. */
  default boolean toleratesErrors() {
    return false;
  }

  /** Returns what is kept from one time to the next, in bytes. */
  default long bytes() {
    return 0;
  }
}
