package org.jmmv.pcp;

/**
 * What a metric's values mean, {@code PM_SEM_*} of {@code <pcp/pmapi.h>}. Not an enum: files and
 * peers may hold any number.
 */
public final class Semantics {
  /** Grows monotonically; clients show its rate. */
  public static final int COUNTER = 1;

  /** An instantaneous value that changes continuously. */
  public static final int INSTANT = 3;

  /** A value that holds until it changes. */
  public static final int DISCRETE = 4;

  private Semantics() {}

  /** As pminfo prints it: {@code counter}, {@code instant}, {@code discrete}, or {@code ???}. */
  public static String toString(int semantics) {
    return switch (semantics) {
      case COUNTER -> "counter";
      case INSTANT -> "instant";
      case DISCRETE -> "discrete";
      default -> "???";
    };
  }
}
