package org.jmmv.core;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The help of the agent's own metrics: the file {@code help} of the distribution, in the form that
 * newhelp(1) reads. A line {@code @ name one-line text} begins a metric, the lines up to the next
 * one are its help text, {@code #} begins a comment.
 */
final class HelpTexts {
  /** The texts of one metric. */
  record Help(String oneLine, String text) {}

  private final Map<String, Help> byName = new HashMap<>();

  /** Reads the texts, which the build puts beside this class. */
  HelpTexts() {
    try (InputStream in = HelpTexts.class.getResourceAsStream("help")) {
      read(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(String file) {
    String name = null;
    String oneLine = "";
    StringBuilder text = new StringBuilder();
    for (String line : (file + "\n@ ").lines().toList()) {
      if (line.startsWith("@ ")) {
        if (name != null) {
          byName.put(name, new Help(oneLine, text.toString().strip()));
        }
        String[] words = line.substring(2).split(" ", 2);
        name = words[0];
        oneLine = words.length > 1 ? words[1] : "";
        text.setLength(0);
      } else if (!line.startsWith("#")) {
        text.append(line).append('\n');
      }
    }
  }

  /** The texts of a metric, by its full name. */
  Help of(String name) {
    return byName.get(name);
  }
}
