package org.jmmv.writer;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Labels as they are written: as JSON, see pmLookupLabels(3). */
final class Labels {
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  private Labels() {}

  /**
   * Returns an object with one member.
   *
   * @param value a text, a number or a truth value
   * @throws IllegalArgumentException if the name is invalid, or the label too long
   */
  static byte[] json(String name, Object value) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("not the name of a label: " + name);
    }
    String text = value instanceof String s ? quoted(s) : String.valueOf(value);
    if (!(value instanceof String || value instanceof Boolean || isNumber(value))) {
      throw new IllegalArgumentException("the label %s can't be %s".formatted(name, text));
    }
    byte[] json = "{\"%s\":%s}".formatted(name, text).getBytes(StandardCharsets.UTF_8);
    if (json.length >= MmvLayout.JSON) {
      throw new IllegalArgumentException(
          "the label %s has %d bytes, more than %d"
              .formatted(name, json.length, MmvLayout.JSON - 1));
    }
    return json;
  }

  /** Returns whether a value is a number that JSON has. */
  private static boolean isNumber(Object value) {
    return value instanceof Number number && Double.isFinite(number.doubleValue());
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ') {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c == '"' || c == '\\' ? "\\" : "").append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
