package org.jmmv.pcp;

/**
 * Receives the values of one metric. The values are final: sentinels have been left out and running
 * timers have been read; a sink only has to show them.
 *
 * <p>A metric calls either {@link #numbers} and {@link #text}, as often as it has values, or {@link
 * #none} once.
 */
public interface ValueSink {
  /**
   * Numbers of one type.
   *
   * @param type {@link ValueType#I32}, {@code U32}, {@code I64}, {@code U64}, {@code FLOAT} or
   *     {@code DOUBLE}
   * @param instances instance numbers, {@link Instance#NULL} for a singular metric
   * @param bits two's complement or IEEE 754; numbers of 32 bits are in the lower half, whatever
   *     the upper half holds
   * @param count the number of values, from index 0 on; the arrays may be longer, and are used
   *     again after the call
   */
  void numbers(int type, int[] instances, long[] bits, int count);

  /**
   * A string.
   *
   * @param instance an instance number, {@link Instance#NULL} for a singular metric
   * @param bytes without a NUL; the array is used again after the call
   * @param offset where the string begins
   * @param length in bytes
   */
  void text(int instance, byte[] bytes, int offset, int length);

  /**
   * There is no value.
   *
   * @param status 0 if there is none at the moment, otherwise a negative {@link PmError} code
   */
  void none(int status);
}
