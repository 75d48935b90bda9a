package org.jmmv.pcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The units of a metric: a product of powers of space, time and count.
 *
 * @param space the power of space, -8 to 7; likewise {@code time} and {@code count}
 * @param spaceScale 0 bytes, 1 Kbytes (1024 bytes), and so on; 0 to 15
 * @param timeScale 0 nanoseconds, 1 microseconds, 2 milliseconds, 3 seconds, 4 minutes, 5 hours; 0
 *     to 15
 * @param countScale a power of ten, -8 to 7
 */
public record Units(int space, int time, int count, int spaceScale, int timeScale, int countScale) {

  private static final List<String> SPACE =
      List.of("byte", "Kbyte", "Mbyte", "Gbyte", "Tbyte", "Pbyte", "Ebyte", "Zbyte", "Ybyte");
  private static final List<String> TIME =
      List.of("nanosec", "microsec", "millisec", "sec", "min", "hour");
  private static final List<Double> TIME_SECONDS = List.of(1e-9, 1e-6, 1e-3, 1.0, 60.0, 3600.0);

  /**
   * The units in a word: {@code dimSpace:4 dimTime:4 dimCount:4 scaleSpace:4 scaleTime:4
   * scaleCount:4 pad:8}, from the most significant bit down, dimensions and scaleCount signed.
   */
  public static Units of(int word) {
    return new Units(
        word >> 28,
        word << 4 >> 28,
        word << 8 >> 28,
        word << 12 >>> 28,
        word << 16 >>> 28,
        word << 20 >> 28);
  }

  /** As PCP writes them, see pmUnitsStr(3): {@code Kbyte / sec}; "" if there are none. */
  @Override
  public String toString() {
    List<String> words = new ArrayList<>();
    addPowers(words, 1);
    if (space < 0 || time < 0 || count < 0) {
      words.add("/");
      addPowers(words, -1);
    }
    if (space == 0 && time == 0 && count == 0 && countScale != 0) {
      words.add(power("x 10", countScale));
    }
    return String.join(" ", words);
  }

  private void addPowers(List<String> words, int sign) {
    if (sign * space > 0) {
      words.add(power(name(SPACE, "space", spaceScale), sign * space));
    }
    if (sign * time > 0) {
      words.add(power(name(TIME, "time", timeScale), sign * time));
    }
    if (sign * count > 0) {
      String scale = countScale == 0 ? "" : " " + power("x 10", countScale);
      words.add(power("count" + scale, sign * count));
    }
  }

  private static String name(List<String> names, String dimension, int scale) {
    return scale < names.size() ? names.get(scale) : dimension + "-" + scale;
  }

  private static String power(String base, int exponent) {
    return exponent == 1 ? base : base + "^" + exponent;
  }

  /**
   * How fast a counter of these units grows: bytes in the unit that suits, time as the percentage
   * of time passing, all else per second.
   *
   * @param perSecond in these units
   */
  public String rate(double perSecond) {
    boolean onlySpace = space == 1 && time == 0 && count == 0;
    boolean onlyTime = space == 0 && time == 1 && count == 0;
    if (onlyTime && timeScale < TIME.size()) {
      return format(perSecond * TIME_SECONDS.get(timeScale) * 100) + " %";
    }
    if (!onlySpace) {
      return format(perSecond) + " /s";
    }
    double rate = perSecond;
    int scale = spaceScale;
    while (rate >= 1024 && scale < SPACE.size() - 1) {
      rate /= 1024;
      scale++;
    }
    return format(rate) + " " + name(SPACE, "space", scale) + "/s";
  }

  private static String format(double number) {
    return String.format(Locale.ROOT, "%,.1f", number);
  }
}
