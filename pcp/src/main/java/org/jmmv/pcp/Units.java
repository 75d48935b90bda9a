package org.jmmv.pcp;

import java.util.ArrayList;
import java.util.List;

/**
 * The units of a metric: a product of powers of space, time and count, each with a scale. See
 * {@code pmUnits} in pmLookupDesc(3).
 *
 * @param space the exponent of space, -8 to 7
 * @param time the exponent of time, -8 to 7
 * @param count the exponent of count, -8 to 7
 * @param spaceScale 0 to 15: 0 bytes, 1 Kbytes (1024 bytes), up to 8 Ybytes; 9 to 15 have no name
 * @param timeScale 0 to 15: 0 nanoseconds, 1 microseconds, 2 milliseconds, 3 seconds, 4 minutes, 5
 *     hours; 6 to 15 have no name
 * @param countScale a power of ten, -8 to 7
 */
public record Units(int space, int time, int count, int spaceScale, int timeScale, int countScale) {

  private static final List<String> SPACE =
      List.of("byte", "Kbyte", "Mbyte", "Gbyte", "Tbyte", "Pbyte", "Ebyte", "Zbyte", "Ybyte");
  private static final List<String> TIME =
      List.of("nanosec", "microsec", "millisec", "sec", "min", "hour");

  /**
   * Decodes the units from a word of a PDU: {@code dimSpace:4 dimTime:4 dimCount:4 scaleSpace:4
   * scaleTime:4 scaleCount:4 pad:8}, from the most significant bit down. The dimensions and
   * scaleCount are signed; the padding is ignored.
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

  /** Returns the word that {@link #of} decodes. */
  public int word() {
    return space << 28
        | (time & 0xf) << 24
        | (count & 0xf) << 20
        | spaceScale << 16
        | timeScale << 12
        | (countScale & 0xf) << 8;
  }

  /** Returns the units as pmUnitsStr(3) does, for example {@code Kbyte / sec}; "" for no units. */
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
}
