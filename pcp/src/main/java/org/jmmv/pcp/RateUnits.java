package org.jmmv.pcp;

import java.util.List;

/**
 * The units in which people read the rate of a counter.
 *
 * @param factor by which the counter's increase in one second is multiplied
 * @param name for example {@code /s}, {@code %}, {@code kW} or {@code Kbyte/s}
 * @param spaceScale that of {@link Units} if it is a number of bytes, which may be shown in a
 *     larger unit; otherwise -1
 */
public record RateUnits(double factor, String name, int spaceScale) {
  /** How many of a unit of space are the next larger one. */
  public static final int STEP = 1024;

  private static final List<Double> SECONDS = List.of(1e-9, 1e-6, 1e-3, 1.0, 60.0, 3600.0);
  private static final int NOT_SPACE = -1;
  private static final int YBYTE = 8;

  /**
   * Returns the units of the rate of a counter: of bytes the counter's unit per second, of time a
   * percentage of the elapsed time, of a power or the like times time the unit of the power, of
   * anything else a number per second.
   *
   * @param units the counter's units
   */
  public static RateUnits of(Units units) {
    boolean isTime =
        units.space() == 0 && units.time() == 1 && units.count() == 0 && units.isKnown();
    if (isTime && units.extra() == 0) {
      return new RateUnits(SECONDS.get(units.timeScale()) * 100, "%", NOT_SPACE);
    }
    if (isTime && units.extra() > 0) {
      return new RateUnits(SECONDS.get(units.timeScale()), units.extraScaleName(), NOT_SPACE);
    }
    if (units.time() != 0 || units.extra() != 0) {
      return new RateUnits(1, "/s", NOT_SPACE);
    }
    if (units.space() == 1 && units.count() == 0) {
      return ofSpace(1, units.spaceScale());
    }
    boolean isCount = units.space() == 0 && units.count() == 1;
    return new RateUnits(isCount ? Math.pow(10, units.countScale()) : 1, "/s", NOT_SPACE);
  }

  private static RateUnits ofSpace(double factor, int scale) {
    return new RateUnits(factor, new Units(1, 0, 0, scale, 0, 0) + "/s", scale);
  }

  /** Returns whether there is a {@linkplain #larger larger} unit. */
  public boolean hasLarger() {
    return spaceScale >= 0 && spaceScale < YBYTE;
  }

  /** Returns the next larger unit of space. */
  public RateUnits larger() {
    return ofSpace(factor / STEP, spaceScale + 1);
  }
}
