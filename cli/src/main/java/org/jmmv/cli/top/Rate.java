package org.jmmv.cli.top;

import java.util.List;
import java.util.Locale;
import org.jmmv.pcp.Units;

/** Formats the rate of a counter. */
final class Rate {

  private static final List<Double> SECONDS = List.of(1e-9, 1e-6, 1e-3, 1.0, 60.0, 3600.0);
  private static final int YBYTE = 8;

  /** Numbers up to 999,999.9 are not shortened. */
  private static final int WIDTH = 9;

  private Rate() {}

  /**
   * Formats a rate: of bytes with the largest unit that is not larger than the rate, of time as a
   * percentage of the elapsed time, of a power or the like times time in the unit of the power, of
   * anything else as a number per second.
   *
   * @param perSecond the counter's increase in one second
   * @param units the counter's units
   */
  static String format(double perSecond, Units units) {
    boolean isTime = units.space() == 0 && units.time() == 1 && units.count() == 0;
    if (isTime && units.extra() == 0 && units.isKnown()) {
      return format(perSecond * SECONDS.get(units.timeScale()) * 100) + " %";
    }
    if (isTime && units.extra() > 0 && units.isKnown()) {
      return format(perSecond * SECONDS.get(units.timeScale())) + " " + units.extraScaleName();
    }
    boolean isSpace = units.space() == 1 && units.time() == 0 && units.count() == 0;
    if (!isSpace || units.extra() != 0) {
      return format(perSecond) + " /s";
    }
    double rate = perSecond;
    int scale = units.spaceScale();
    while (rate >= 1024 && scale < YBYTE) {
      rate /= 1024;
      scale++;
    }
    return format(rate) + " " + new Units(1, 0, 0, scale, 0, 0) + "/s";
  }

  private static String format(double number) {
    return ShortNumber.fit(String.format(Locale.ROOT, "%,.1f", number), WIDTH);
  }
}
