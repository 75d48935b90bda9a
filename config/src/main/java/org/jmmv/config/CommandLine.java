package org.jmmv.config;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A command line, taken apart as getopt_long(3) does it: short options in one word, their value in
 * the same word or the next; long ones cut short as long as they can be told apart; "--" at the
 * end. A parser of our own, because an agent has to start in a blink.
 */
final class CommandLine {
  private final Map<Option, List<String>> given = new EnumMap<>(Option.class);
  private final String[] words;
  private int next;

  /**
   * Takes a command line apart.
   *
   * @throws IllegalArgumentException if it holds anything but options; the message says what
   */
  CommandLine(String... words) {
    this.words = words;
    while (next < words.length) {
      String word = words[next++];
      if (word.equals("--") && next == words.length) {
        return;
      } else if (word.startsWith("--") && word.length() > 2) {
        addLong(word.substring(2));
      } else if (word.startsWith("-") && word.length() > 1 && !word.equals("--")) {
        addShort(word);
      } else {
        throw new IllegalArgumentException("\"" + word + "\" is no option");
      }
    }
  }

  private void addShort(String word) {
    for (int i = 1; i < word.length(); i++) {
      Option option = withLetter(word.charAt(i));
      if (option.label != null) {
        add(
            option,
            i + 1 < word.length() ? word.substring(i + 1) : nextWord(option, "-" + option.letter));
        return;
      }
      add(option, "");
    }
  }

  private static Option withLetter(char letter) {
    for (Option option : Option.values()) {
      if (option.letter == letter && letter != 0) {
        return option;
      }
    }
    throw new IllegalArgumentException("there is no option -" + letter);
  }

  private void addLong(String word) {
    int equals = word.indexOf('=');
    Option option = withName(equals < 0 ? word : word.substring(0, equals));
    if (option.label == null) {
      if (equals >= 0) {
        throw new IllegalArgumentException("option --" + option.longName + " takes no value");
      }
      add(option, "");
    } else {
      add(
          option,
          equals < 0 ? nextWord(option, "--" + option.longName) : word.substring(equals + 1));
    }
  }

  private static Option withName(String name) {
    Option found = null;
    for (Option option : Option.values()) {
      if (option.longName.equals(name)) {
        return option;
      } else if (option.longName.startsWith(name)) {
        if (found != null) {
          throw new IllegalArgumentException(
              "option --%s may be --%s or --%s".formatted(name, found.longName, option.longName));
        }
        found = option;
      }
    }
    if (found == null) {
      throw new IllegalArgumentException("there is no option --" + name);
    }
    return found;
  }

  private String nextWord(Option option, String asGiven) {
    if (next == words.length) {
      throw new IllegalArgumentException("option " + asGiven + " needs a value, " + option.label);
    }
    return words[next++];
  }

  private void add(Option option, String value) {
    given.computeIfAbsent(option, _ -> new ArrayList<>()).add(value);
  }

  /** Whether an option was given. */
  boolean has(Option option) {
    return given.containsKey(option);
  }

  /** All values that were given for an option. */
  List<String> values(Option option) {
    return given.getOrDefault(option, List.of());
  }

  /** The last value that was given for an option, which has to be there. */
  String value(Option option) {
    return given.get(option).getLast();
  }
}
