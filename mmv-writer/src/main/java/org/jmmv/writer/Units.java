package org.jmmv.writer;

/**
 * The units of a metric's values, see pmLookupDesc(3): a product of powers of space, time and
 * count.
 *
 * @param space the dimension of space, -8 to 7
 * @param time the dimension of time, -8 to 7
 * @param count the dimension of count, -8 to 7
 * @param spaceScale 0 for bytes, 1 for Kbytes, and so on, to 6; 0 without that dimension
 * @param timeScale 0 for nanoseconds, 1 µs, 2 ms, 3 seconds, 4 minutes, 5 hours; 0 without that
 *     dimension
 * @param countScale the power of ten, -8 to 7; 0 without that dimension
 */
public record Units(int space, int time, int count, int spaceScale, int timeScale, int countScale) {
  /** A number without a unit, and the units of texts. */
  public static final Units NONE = new Units(0, 0, 0, 0, 0, 0);

  /** How many. */
  public static final Units COUNT = new Units(0, 0, 1, 0, 0, 0);

  /** Bytes. */
  public static final Units BYTES = new Units(1, 0, 0, 0, 0, 0);

  /** 1,024 bytes. */
  public static final Units KILOBYTES = new Units(1, 0, 0, 1, 0, 0);

  /** 1,024 Kbytes. */
  public static final Units MEGABYTES = new Units(1, 0, 0, 2, 0, 0);

  /** Nanoseconds. */
  public static final Units NANOSECONDS = new Units(0, 1, 0, 0, 0, 0);

  /** Microseconds. */
  public static final Units MICROSECONDS = new Units(0, 1, 0, 0, 1, 0);

  /** Milliseconds. */
  public static final Units MILLISECONDS = new Units(0, 1, 0, 0, 2, 0);

  /** Seconds. */
  public static final Units SECONDS = new Units(0, 1, 0, 0, 3, 0);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public Units {
    check("dimension of space", space, -8, 7);
    check("dimension of time", time, -8, 7);
    check("dimension of count", count, -8, 7);
    check("scale of space", spaceScale, 0, 6);
    check("scale of time", timeScale, 0, 5);
    check("scale of count", countScale, -8, 7);
  }

  private static void check(String what, int number, int min, int max) {
    if (number < min || number > max) {
      throw new IllegalArgumentException(
          "the %s is %d, not %d to %d".formatted(what, number, min, max));
    }
  }

  /**
   * Returns these units divided by others: {@code BYTES.per(SECONDS)}.
   *
   * @throws IllegalArgumentException if both have the same dimension in different scales
   */
  public Units per(Units divisor) {
    return new Units(
        space - divisor.space,
        time - divisor.time,
        count - divisor.count,
        scale(space, spaceScale, divisor.space, divisor.spaceScale),
        scale(time, timeScale, divisor.time, divisor.timeScale),
        scale(count, countScale, divisor.count, divisor.countScale));
  }

  private static int scale(int dimension, int scale, int dividing, int dividingScale) {
    if (dimension != 0 && dividing != 0 && scale != dividingScale) {
      throw new IllegalArgumentException("units of different scales can't be divided");
    }
    return dimension == dividing ? 0 : dimension != 0 ? scale : dividingScale;
  }

  /** Returns the word of {@code pmUnits}, the same on all machines. */
  int word() {
    return (space & 15) << 28
        | (time & 15) << 24
        | (count & 15) << 20
        | spaceScale << 16
        | timeScale << 12
        | (countScale & 15) << 8;
  }
}
