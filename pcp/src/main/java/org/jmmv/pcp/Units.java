package org.jmmv.pcp;

import java.util.ArrayList;
import java.util.List;

/**
 * The units of a metric: a product of powers of space, time and count, each with a scale, and, from
 * PCP 7.2 on, of one extra unit or its inverse. See {@code pmUnits} in pmLookupDesc(3).
 *
 * @param space the exponent of space, -8 to 7
 * @param time the exponent of time, -8 to 7
 * @param count the exponent of count, -8 to 7
 * @param spaceScale 0 to 15: 0 bytes, 1 Kbytes (1024 bytes), up to 8 Ybytes; 9 to 15 have no name
 * @param timeScale 0 to 15: 0 nanoseconds, 1 microseconds, 2 milliseconds, 3 seconds, 4 minutes, 5
 *     hours; 6 to 15 have no name
 * @param countScale a power of ten, -8 to 7
 * @param extra the extra unit, -16 to 15: 0 none, 1 temperature, 2 voltage, 3 current, 4 power; its
 *     negative if the product is divided by it. Other numbers have no name
 * @param extraScale 0 to 7: of temperatures 1 C, 2 F, 3 K; of voltages 1 V, 2 mV, 3 uV; of currents
 *     1 A, 2 mA, 3 uA; of powers 1 kW, 2 W, 3 mW, 4 uW; others have no name
 */
public record Units(
    int space,
    int time,
    int count,
    int spaceScale,
    int timeScale,
    int countScale,
    int extra,
    int extraScale) {

  /** The extra unit power. */
  public static final int POWER = 4;

  /** How many bits a value is shifted by from one scale of space to the next. */
  public static final int BITS_PER_SPACE_SCALE = 10;

  private static final List<String> SPACE =
      List.of("byte", "Kbyte", "Mbyte", "Gbyte", "Tbyte", "Pbyte", "Ebyte", "Zbyte", "Ybyte");
  private static final List<String> TIME =
      List.of("nanosec", "microsec", "millisec", "sec", "min", "hour");

  /** An extra unit, and its scales from 1 on. */
  private record Extra(String name, List<String> scales) {}

  /** The extra units from 1 on. */
  private static final List<Extra> EXTRA =
      List.of(
          new Extra("temperature", List.of("C", "F", "K")),
          new Extra("voltage", List.of("V", "mV", "uV")),
          new Extra("current", List.of("A", "mA", "uA")),
          new Extra("power", List.of("kW", "W", "mW", "uW")));

  /** Creates units without an extra unit. */
  public Units(int space, int time, int count, int spaceScale, int timeScale, int countScale) {
    this(space, time, count, spaceScale, timeScale, countScale, 0, 0);
  }

  /**
   * Decodes the units from a word of a PDU: {@code dimSpace:4 dimTime:4 dimCount:4 scaleSpace:4
   * scaleTime:4 scaleCount:4 extraUnit:5 extraScale:3}, from the most significant bit down. The
   * dimensions, scaleCount and extraUnit are signed.
   */
  public static Units of(int word) {
    return new Units(
        word >> 28,
        word << 4 >> 28,
        word << 8 >> 28,
        word << 12 >>> 28,
        word << 16 >>> 28,
        word << 20 >> 28,
        word << 24 >> 27,
        word & 0x7);
  }

  /**
   * Returns the units that a text stands for, such as {@code Kbyte / sec}. It reads what {@link
   * #toString} returns, but for extra units and what has no name, and the other words of
   * pmParseUnitsStr(3), in any case. A factor, as in {@code 10 Kbyte}, is not allowed.
   *
   * @param text blank for no units
   * @throws IllegalArgumentException if it has no meaning; the message says why
   */
  public static Units parse(String text) {
    return UnitsParser.parse(text);
  }

  /** Returns the word that {@link #of} decodes. */
  public int word() {
    return space << 28
        | (time & 0xf) << 24
        | (count & 0xf) << 20
        | spaceScale << 16
        | timeScale << 12
        | (countScale & 0xf) << 8
        | (extra & 0x1f) << 3
        | extraScale;
  }

  /** Returns whether a {@link #word} has room for every part. */
  public boolean fits() {
    return of(word()).equals(this);
  }

  /** Returns whether every part has a name in some version of PCP. */
  public boolean isKnown() {
    return (space == 0 || spaceScale < SPACE.size())
        && (time == 0 || timeScale < TIME.size())
        && (extra == 0 || (extraUnit() != null && extraScaleName() != null));
  }

  /**
   * Returns the units as pmUnitsStr(3) of PCP 7.2 does, for example {@code Kbyte / sec} or {@code
   * power (kW) hour}; "" for no units. What has no name is a number, as in {@code extra-9}.
   */
  @Override
  public String toString() {
    List<String> words = new ArrayList<>();
    addPowers(words, 1);
    if (extra < 0 || space < 0 || time < 0 || count < 0) {
      words.add("/");
      addPowers(words, -1);
    }
    if (words.isEmpty() && countScale != 0) {
      words.add(counts());
    }
    return String.join(" ", words);
  }

  private void addPowers(List<String> words, int sign) {
    if (sign * extra > 0) {
      words.add(extraText());
    }
    if (sign * space > 0) {
      words.add(power(name(SPACE, "space", spaceScale), sign * space));
    }
    if (sign * time > 0) {
      words.add(power(name(TIME, "time", timeScale), sign * time));
    }
    if (sign * count > 0) {
      words.add(power(counts(), sign * count));
    }
  }

  private String counts() {
    return "count" + (countScale == 0 ? "" : " " + power("x 10", countScale));
  }

  private String extraText() {
    if (extraUnit() == null) {
      return "extra-" + Math.abs(extra);
    }
    String scale = extraScaleName();
    return extraUnit().name + " (" + (scale == null ? "scale-" + extraScale : scale) + ")";
  }

  /** Returns the extra unit, or null if it has no name. */
  private Extra extraUnit() {
    int index = Math.abs(extra) - 1;
    return index >= 0 && index < EXTRA.size() ? EXTRA.get(index) : null;
  }

  /** Returns the symbol of a known extra unit, for example {@code kW}; null if it has none. */
  public String extraScaleName() {
    List<String> scales = extraUnit().scales;
    return extraScale > 0 && extraScale <= scales.size() ? scales.get(extraScale - 1) : null;
  }

  private static String name(List<String> names, String dimension, int scale) {
    return scale < names.size() ? names.get(scale) : dimension + "-" + scale;
  }

  private static String power(String base, int exponent) {
    return exponent == 1 ? base : base + "^" + exponent;
  }
}
