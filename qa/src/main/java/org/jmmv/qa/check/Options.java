package org.jmmv.qa.check;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The command line.
 *
 * @param parts what runs
 * @param isQuick whether parts that take long run only some of their tests
 * @param isList whether the parts are only listed
 * @param isNightly whether tests that take long run, too
 * @param isOffline whether Maven may not use the network
 * @param accepted parts that do not run, and needs that the machine may lack, where otherwise
 *     everything has to run
 * @param hunt the time for each fuzz test, in Jazzer's form: 20s, 60m
 */
record Options(
    Set<Part> parts,
    boolean isQuick,
    boolean isList,
    boolean isNightly,
    boolean isOffline,
    List<String> accepted,
    String hunt) {

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  static Options of(String... words) {
    Set<Part> parts = EnumSet.noneOf(Part.class);
    boolean isQuick = false;
    boolean isList = false;
    boolean isNightly = false;
    boolean isOffline = false;
    List<String> accepted = new ArrayList<>();
    String hunt = null;
    for (int i = 0; i < words.length; i++) {
      String word = words[i];
      switch (word) {
        case "--quick" -> isQuick = true;
        case "--nightly" -> isNightly = true;
        case "--offline" -> isOffline = true;
        case "--list" -> isList = true;
        case "--without" -> accepted.add(argument(words, ++i));
        case "--fuzz" -> {
          hunt = minutes(argument(words, ++i));
          parts.addAll(EnumSet.of(Part.BUILD, Part.FUZZ));
        }
        default ->
            parts.add(
                Part.of(word)
                    .orElseThrow(
                        () -> new IllegalArgumentException(word + " is not an option or a part")));
      }
    }
    if (parts.isEmpty()) {
      for (Part part : Part.values()) {
        if (part.isIn(isQuick, isNightly)) {
          parts.add(part);
        }
      }
    }
    accepted.stream().map(Part::of).flatMap(Optional::stream).forEach(parts::remove);
    String time = hunt != null ? hunt : isNightly ? "10m" : "20s";
    return new Options(parts, isQuick, isList, isNightly, isOffline, List.copyOf(accepted), time);
  }

  private static String argument(String[] words, int index) {
    if (index == words.length) {
      throw new IllegalArgumentException(words[index - 1] + " takes an argument");
    }
    return words[index];
  }

  private static String minutes(String number) {
    if (!number.matches("[1-9][0-9]{0,5}")) {
      throw new IllegalArgumentException("--fuzz takes a number of minutes, not " + number);
    }
    return number + "m";
  }
}
