package org.jmmv.writer;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Labels as they are written: as JSON, see pmLookupLabels(3). */
final class Labels {
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  /** A number in JSON. Some in Java have other texts: NaN, or a fraction 1/2. */
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?");

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
    boolean isNumber = value instanceof Number && NUMBER.matcher(text).matches();
    if (!(value instanceof String || value instanceof Boolean || isNumber)) {
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
