package org.jmmv.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Times as settings and options give them: a whole number and a unit, such as {@code 10m}. */
final class Durations {
  static final String EXAMPLES = "a time such as \"30s\", \"10m\", \"1h\" or \"2d\"";

  private static final Pattern FORM = Pattern.compile("[0-9]{1,4}[smhd]");

  private Durations() {}

  /** Returns the time that a text stands for, or empty if it stands for none. */
  static Optional<Duration> parse(String text) {
    if (!FORM.matcher(text).matches()) {
      return Optional.empty();
    }
    int number = Integer.parseInt(text, 0, text.length() - 1, 10);
    return Optional.of(
        switch (text.charAt(text.length() - 1)) {
          case 's' -> Duration.ofSeconds(number);
          case 'm' -> Duration.ofMinutes(number);
          case 'h' -> Duration.ofHours(number);
          default -> Duration.ofDays(number);
        });
  }
}
