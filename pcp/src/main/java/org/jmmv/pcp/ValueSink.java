package org.jmmv.pcp;

/**
 * Receives the values of one metric. The caller has already left out sentinels and added the time
 * of running timers, so an implementation only encodes or displays what it is given.
 *
 * <p>For each metric the caller calls either {@link #numbers} and {@link #text}, any number of
 * times, or {@link #none} once. A sink that is full takes no more, and the reading ends there. A
 * later reading of the same metric may have values also if the first one had none.
 */
public interface ValueSink {
  /**
   * Called when a reading begins. The values of a metric may come in several readings: those of
   * earlier ones stay when {@link #clear} is called.
   */
  default void beginReading() {}

  /**
   * Receives numbers of one type. The arrays belong to the caller, which overwrites them after the
   * call.
   *
   * @param type {@link ValueType#I32}, {@code U32}, {@code I64}, {@code U64}, {@code FLOAT} or
   *     {@code DOUBLE}
   * @param instances instance numbers; {@link Instance#NULL} for a singular metric
   * @param bits the values in two's complement or IEEE 754 format; 32-bit values are in the lower
   *     half, and the upper half is undefined
   * @param count the number of values, starting at index 0; the arrays may be longer
   * @return how many of them it takes, from the first one on
   */
  int numbers(int type, int[] instances, long[] bits, int count);

  /**
   * Receives a string. The array belongs to the caller, which overwrites it after the call.
   *
   * @param instance an instance number; {@link Instance#NULL} for a singular metric
   * @param bytes an array that contains the string, without a terminating NUL
   * @param offset the index of the string's first byte
   * @param length the number of bytes
   * @return whether it takes the string
   */
  boolean text(int instance, byte[] bytes, int offset, int length);

  /**
   * Receives the reason why the metric has no values.
   *
   * @param status 0 if there are no values at the moment, otherwise a negative {@link PmError} code
   */
  default void none(int status) {}

  /**
   * Forgets what was received since {@link #beginReading}, because a file was truncated. The values
   * are then read again.
   */
  void clear();
}
