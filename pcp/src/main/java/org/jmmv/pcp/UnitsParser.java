package org.jmmv.pcp;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads units in the words of pmParseUnitsStr(3), without the factors that it allows. */
final class UnitsParser {
  private static final Pattern WORD =
      Pattern.compile(
          "\\s*(?:count\\s+x\\s+10(?:\\^(?<power>-?\\d))?|(?<word>\\p{Alpha}+))"
              + "(?:\\^(?<exponent>-?\\d))?(?=\\s|$)",
          Pattern.CASE_INSENSITIVE);

  private static final int SPACE = 0;
  private static final int TIME = 1;
  private static final int COUNT = 2;

  /** What a word stands for. */
  private record Meaning(int dimension, int scale) {}

  private static final Map<String, Meaning> WORDS = words();

  private final String text;
  private final int[] exponents = new int[COUNT + 1];
  private final int[] scales = new int[COUNT + 1];
  private final Set<Integer> named = new HashSet<>(); // dimensions on a side of the slash

  private UnitsParser(String text) {
    this.text = text;
  }

  private static Map<String, Meaning> words() {
    Map<String, Meaning> words = new HashMap<>();
    add(words, TIME, 0, "nanosecond", "nanosec", "ns");
    add(words, TIME, 1, "microsecond", "microsec", "us");
    add(words, TIME, 2, "millisecond", "millisec", "ms");
    add(words, TIME, 3, "second", "sec", "s");
    add(words, TIME, 4, "minute", "min");
    add(words, TIME, 5, "hour", "hr", "h");
    add(words, COUNT, 0, "count");
    add(words, SPACE, 0, "byte");
    int scale = 1;
    for (String prefix : List.of("kilo", "mega", "giga", "tera", "peta", "exa", "zetta", "yotta")) {
      String letter = prefix.substring(0, 1);
      add(words, SPACE, scale++, prefix + "byte", letter + "byte", letter + "b", letter + "ib");
    }
    return words;
  }

  private static void add(Map<String, Meaning> all, int dimension, int scale, String... words) {
    for (String word : words) {
      all.put(word, new Meaning(dimension, scale));
      if (word.length() > 3) { // no abbreviation: it has a plural
        all.put(word + "s", new Meaning(dimension, scale));
      }
    }
  }

  /**
   * Returns the units that a text stands for.
   *
   * @throws IllegalArgumentException if it has no meaning; the message says why
   */
  static Units parse(String text) {
    return new UnitsParser(text).parse();
  }

  private Units parse() {
    int slash = text.indexOf('/');
    addAll(slash < 0 ? text : text.substring(0, slash), 1);
    named.clear();
    addAll(slash < 0 ? "" : text.substring(slash + 1), -1);
    Units units =
        new Units(
            exponents[SPACE],
            exponents[TIME],
            exponents[COUNT],
            scales[SPACE],
            scales[TIME],
            scales[COUNT]);
    if (!units.fits()) {
      throw new IllegalArgumentException("\"" + text + "\" has an exponent that is too large");
    }
    return units;
  }

  private void addAll(String side, int sign) {
    Matcher words = WORD.matcher(side);
    int end = 0;
    while (words.find() && words.start() == end) {
      String exponent = words.group("exponent");
      add(meaning(words), sign * (exponent == null ? 1 : Integer.parseInt(exponent)));
      end = words.end();
    }
    if (!side.substring(end).isBlank()) {
      throw new IllegalArgumentException("\"" + text + "\" has no meaning as units");
    }
  }

  private Meaning meaning(Matcher words) {
    if (words.group("word") == null) {
      String power = words.group("power");
      return new Meaning(COUNT, power == null ? 1 : Integer.parseInt(power));
    }
    Meaning found = WORDS.get(words.group("word").toLowerCase(Locale.ROOT));
    if (found == null) {
      throw new IllegalArgumentException(words.group("word") + " is no unit of PCP");
    }
    return found;
  }

  private void add(Meaning meaning, int exponent) {
    int sum = exponents[meaning.dimension] + exponent;
    boolean isSame =
        exponents[meaning.dimension] == 0 || scales[meaning.dimension] == meaning.scale;
    if (!named.add(meaning.dimension) || (sum != 0 && !isSame)) {
      throw new IllegalArgumentException("\"" + text + "\" names a dimension twice");
    }
    exponents[meaning.dimension] = sum;
    scales[meaning.dimension] = sum == 0 ? 0 : meaning.scale;
  }
}
