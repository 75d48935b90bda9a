package org.jmmv.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Converts the texts of command lines and settings. If a text is invalid, an
 * IllegalArgumentException is thrown, with the text and what is wanted in its message.
 */
public final class Converters {
  /** A component of a metric's name. */
  static final String NAME_PART = "[A-Za-z][A-Za-z0-9_]*";

  static final String DURATIONS = "a time such as \"30s\", \"10m\", \"1h\" or \"2d\"";

  /** The maximum length of an agent's name, and of a prefix, which is kept with each metric. */
  static final int MAX_NAME = 64;

  /**
   * The maximum number of values in a list, of users, and of directories: each directory costs each
   * request a system call.
   */
  static final int MAX_VALUES = 100;

  /** The maximum length of a path that is a part of the names of files, in bytes. */
  static final int MAX_PATH = 255;

  /** The shortest time between two readings: nobody can read a table that changes more often. */
  public static final Duration MIN_INTERVAL = Duration.ofMillis(100);

  private Converters() {}

  /** Returns an exception for the caller to throw. */
  public static IllegalArgumentException wrong(String wanted, String text) {
    return new IllegalArgumentException("\"" + text + "\" is not " + wanted);
  }

  /** Returns a converter of numbers from 1 to a maximum. */
  public static Function<String, Integer> numberUpTo(int max) {
    return text -> number(text, max).orElseThrow(() -> wrong("a number from 1 to " + max, text));
  }

  /** Returns a number from 1 to a maximum; empty if the text is not one. */
  static OptionalInt number(String text, int max) {
    if (text.matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(text);
      if (number >= 1 && number <= max) {
        return OptionalInt.of(number);
      }
    }
    return OptionalInt.empty();
  }

  public static Path path(String text) {
    try {
      if (!text.isEmpty()) {
        return Path.of(text);
      }
    } catch (InvalidPathException e) {
      // rejected below, like an empty name
    }
    throw wrong("a file name", text);
  }

  /** Returns a path that has a name. */
  public static Path file(String text) {
    Path file = path(text);
    if (file.getFileName() == null) {
      throw wrong("a file name", text);
    }
    return file;
  }

  /** Returns the absolute path of a directory of MMV files. */
  public static Path directory(String text) {
    Path path = path(text).toAbsolutePath().normalize();
    if (path.toString().getBytes(UTF_8).length > MAX_PATH) {
      throw wrong("a path of at most %d bytes".formatted(MAX_PATH), text);
    }
    return path;
  }

  /** Returns a name for an agent. */
  static String agentName(String text) {
    if (text.length() > MAX_NAME || !text.matches(NAME_PART)) {
      throw wrong(
          "a name of at most %d letters, digits and \"_\", a letter first".formatted(MAX_NAME),
          text);
    }
    return text;
  }

  /** Returns a time of at least 0.1 s, given in seconds. */
  public static Duration interval(String text) {
    if (text.matches("[0-9]{1,5}(\\.[0-9]{1,3})?")) {
      Duration interval = Duration.ofMillis(new BigDecimal(text).movePointRight(3).intValue());
      if (interval.compareTo(MIN_INTERVAL) >= 0) {
        return interval;
      }
    }
    throw wrong("a number of seconds from 0.1 to 99999", text);
  }

  /** Returns a time given as a whole number and a unit, such as {@code 10m}. */
  public static Duration duration(String text) {
    return parseDuration(text).orElseThrow(() -> wrong(DURATIONS, text));
  }

  /** As {@link #duration}, but returns empty if the text is invalid. */
  static Optional<Duration> parseDuration(String text) {
    return text.matches("[0-9]{1,4}[smh]")
        ? Optional.of(Duration.parse("PT" + text))
        : text.matches("[0-9]{1,4}d") ? Optional.of(Duration.parse("P" + text)) : Optional.empty();
  }
}
