package org.jmmv.cli.top;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import org.jmmv.pcp.RateUnits;
import org.jmmv.pcp.Units;

/** Shortens numbers that are too long for their column. */
final class ShortNumber {
  /** Rates up to 999,999.9 are not shortened. */
  private static final int RATE_WIDTH = 9;

  /** SI prefixes: thousands, millions and so on. */
  private static final List<String> PREFIXES = List.of("K", "M", "G", "T", "P", "E", "Z", "Y");

  private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);

  private ShortNumber() {}

  /**
   * Returns a number in at most {@code width} characters if possible: unchanged, or in thousands,
   * millions and so on, such as {@code 4,096.3M}, or with an exponent, such as {@code 1.8e+19}.
   *
   * @param number a decimal number, with commas between thousands; or {@code NaN} or an infinity
   * @param width 7 is enough for every positive number below 1e+100
   */
  static String fit(String number, int width) {
    if (number.length() <= width || !number.matches("-?[0-9][0-9,]*(\\.[0-9]+)?")) {
      return number;
    }
    BigDecimal exact = new BigDecimal(number.replace(",", ""));
    BigDecimal scaled = exact;
    for (String prefix : PREFIXES) {
      scaled = scaled.divide(THOUSAND);
      String shortened = String.format(Locale.ROOT, "%,.1f%s", scaled, prefix);
      if (shortened.length() <= width) {
        return shortened;
      }
    }
    return String.format(Locale.ROOT, "%.1e", exact);
  }

  /**
   * Returns the rate of a counter in {@link RateUnits}; of bytes with the largest unit that is not
   * larger than the rate.
   *
   * @param perSecond the counter's increase in one second
   * @param units the counter's units
   */
  static String rate(double perSecond, Units units) {
    RateUnits shown = RateUnits.of(units);
    while (perSecond * shown.factor() >= RateUnits.STEP && shown.hasLarger()) {
      shown = shown.larger();
    }
    String number = String.format(Locale.ROOT, "%,.1f", perSecond * shown.factor());
    return fit(number, RATE_WIDTH) + " " + shown.name();
  }
}
