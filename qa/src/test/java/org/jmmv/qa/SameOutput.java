package org.jmmv.qa;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Compares what a client printed by way of one server with what it printed before and after by way
 * of another.
 *
 * <p>A line that was the same before and after must be the same. In other lines, which have times,
 * process IDs or values that change, numbers are not compared.
 *
 * @param after is asked only if the first two differ
 */
record SameOutput(Shell.Result before, Shell.Result here, Supplier<Shell.Result> after) {
  private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9][0-9.:]*(e[-+]?[0-9]+)?");

  /** Returns the lines that differ; empty if none does. */
  String difference() {
    if (before.status() != here.status()) {
      return "exit status %d, not %d:\n%s".formatted(here.status(), before.status(), here);
    }
    if (here.out().equals(before.out()) && here.err().equals(before.err())) {
      return "";
    }
    Shell.Result last = after.get();
    return difference(before.out(), here.out(), last.out())
        + difference(before.err(), here.err(), last.err());
  }

  private static String difference(String before, String here, String after) {
    List<String> first = parts(before);
    List<String> given = parts(here);
    List<String> last = parts(after);
    if (first.size() != given.size() || first.size() != last.size()) {
      return "%d parts, not %d:\n%s\n--- not\n%s"
          .formatted(given.size(), first.size(), here, before);
    }
    StringBuilder difference = new StringBuilder();
    for (int i = 0; i < given.size(); i++) {
      String right = first.get(i);
      boolean isSame =
          right.equals(last.get(i))
              ? given.get(i).equals(right)
              : withoutNumbers(given.get(i)).equals(withoutNumbers(right));
      if (!isSame) {
        difference.append("here  %s\nthere %s\n".formatted(given.get(i), right));
      }
    }
    return difference.toString();
  }

  /** Returns the lines, which are split further if they are JSON. */
  private static List<String> parts(String output) {
    return Arrays.asList(output.split("\n|(?<=[,{])", -1));
  }

  private static String withoutNumbers(String line) {
    return NUMBER.matcher(line).replaceAll("#").replaceAll(" +", " ");
  }
}
