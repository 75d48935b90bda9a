package org.jmmv.cli.top;

import java.util.Locale;
import org.jmmv.pcp.RateUnits;
import org.jmmv.pcp.Units;

/** Formats the rate of a counter. */
final class Rate {
  /** Numbers up to 999,999.9 are not shortened. */
  private static final int WIDTH = 9;

  private Rate() {}

  /**
   * Formats a rate in {@link RateUnits}; of bytes with the largest unit that is not larger than the
   * rate.
   *
   * @param perSecond the counter's increase in one second
   * @param units the counter's units
   */
  static String format(double perSecond, Units units) {
    RateUnits shown = RateUnits.of(units);
    while (perSecond * shown.factor() >= RateUnits.STEP && shown.hasLarger()) {
      shown = shown.larger();
    }
    return format(perSecond * shown.factor()) + " " + shown.name();
  }

  private static String format(double number) {
    return ShortNumber.fit(String.format(Locale.ROOT, "%,.1f", number), WIDTH);
  }
}
