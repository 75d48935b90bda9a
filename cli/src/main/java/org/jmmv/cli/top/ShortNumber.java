package org.jmmv.cli.top;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/** Shortens numbers that are too long for their column. */
final class ShortNumber {

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
}
