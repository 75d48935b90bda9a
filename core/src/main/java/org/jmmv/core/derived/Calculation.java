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

  /** Returns whether the operand is needed the next time, as the values before. */
  default boolean keepsOperand() {
    return false;
  }

  /**
   * Called with the operand if it is needed the next time, when all is calculated.
   *
   * @param nanos the time of the values, as {@link System#nanoTime}
   */
  default void keep(KeptValues operand, long nanos) {}

  /** Returns whether there are values also if an operand can't be read. */
  default boolean toleratesErrors() {
    return false;
  }

  /** Returns what is kept from one time to the next, in bytes. */
  default long bytes() {
    return 0;
  }
}
