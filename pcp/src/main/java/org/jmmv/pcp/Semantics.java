package org.jmmv.pcp;

/**
 * The semantics of a metric's values, {@code PM_SEM_*} of {@code <pcp/pmapi.h>}; see
 * pmLookupDesc(3). They are {@code int}s and not an enum because files and peers may send any
 * number.
 */
public final class Semantics {
  /** A counter that only increases; clients show its rate. */
  public static final int COUNTER = 1;

  /** An instantaneous value from a continuous range. */
  public static final int INSTANT = 3;

  /** An instantaneous value that stays the same until the next change. */
  public static final int DISCRETE = 4;

  private Semantics() {}

  /** Returns whether a number is one of these semantics. */
  public static boolean isKnown(int semantics) {
    return semantics == COUNTER || semantics == INSTANT || semantics == DISCRETE;
  }

  /**
   * Returns the name that pminfo(1) prints: {@code counter}, {@code instant} or {@code discrete};
   * {@code ???} for any other number.
   */
  public static String toString(int semantics) {
    return switch (semantics) {
      case COUNTER -> "counter";
      case INSTANT -> "instant";
      case DISCRETE -> "discrete";
      default -> "???";
    };
  }
}
