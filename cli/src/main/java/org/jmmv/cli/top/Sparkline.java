package org.jmmv.cli.top;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;

/** A line of bars for the last values of a metric, from 0 to the largest or smallest of them. */
final class Sparkline {
  private static final String BARS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
  private static final String ASCII_BARS = "_.-~=+*#";

  private Sparkline() {}

  /**
   * Returns a bar for each value, a blank for each that is NaN or infinite. If all values are 0,
   * they have the lowest bar.
   */
  static String of(double[] values, boolean isUnicode) {
    DoubleSummaryStatistics range =
        Arrays.stream(values).filter(Double::isFinite).summaryStatistics();
    double min = Math.min(0, range.getMin());
    double max = Math.max(0, range.getMax());
    String bars = isUnicode ? BARS : ASCII_BARS;
    int highest = bars.length() - 1;
    StringBuilder line = new StringBuilder();
    for (double value : values) {
      // halves, because the difference of two numbers may be infinite
      double height = (value / 2 - min / 2) / (max / 2 - min / 2);
      line.append(
          !Double.isFinite(value)
              ? ' '
              : bars.charAt(Double.isNaN(height) ? 0 : (int) Math.round(height * highest)));
    }
    return line.toString();
  }
}
