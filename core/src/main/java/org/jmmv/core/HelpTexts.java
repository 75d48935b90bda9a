package org.jmmv.core;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The help texts of the agent's own metrics. They come from the file {@code help}, which is in the
 * format of newhelp(1): a line {@code @ name one-line text} starts the entry of a metric, the lines
 * up to the next entry are its help text, and a line that begins with {@code #} is a comment. If
 * the root of the names is not {@code mmv}, it takes its place in the names and in the texts.
 */
final class HelpTexts {
  /** The texts of one metric. */
  record Help(String oneLine, String text) {}

  private static final String NODE = "mmv.control."; // in the file

  private final String node;
  private final Map<String, Help> byName = new HashMap<>(); // empty: not read yet

  /**
   * Creates the texts. They are not read yet.
   *
   * @param root the first component of all names
   */
  HelpTexts(String root) {
    node = NODE.replace("mmv", root);
  }

  /** Reads the file, which is a resource in the package of this class. */
  private void read() {
    try (InputStream in = HelpTexts.class.getResourceAsStream("help")) {
      read(new String(in.readAllBytes(), StandardCharsets.US_ASCII).replace(NODE, node));
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

  /**
   * Returns the texts of a metric, or null if the file has none.
   *
   * @param name the metric's full name; for the instance domain "MMV files" {@code
   *     mmv.control.file}, the node above its metrics
   */
  Help of(String name) {
    if (byName.isEmpty()) {
      read(); // not at the start, which it would delay
    }
    return byName.get(name);
  }
}
