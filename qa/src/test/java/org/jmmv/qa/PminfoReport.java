package org.jmmv.qa;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The output of {@code pminfo -dfmtTl mmv}: the lines of each metric, in the order of the output.
 * Control metrics are left out.
 */
record PminfoReport(SequencedMap<String, List<String>> metrics) {
  private static final Pattern HEAD = Pattern.compile("(mmv\\.\\S+) PMID: .*");
  private static final Pattern VALUE = Pattern.compile("( *(?:inst \\[.*\\] )?value )(.+)");
  private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");

  static PminfoReport of(PrivatePmcd pmcd) {
    return of(pmcd.pminfo("-dfmtTl", "mmv").outOfSuccess());
  }

  static PminfoReport of(MachinePcp pcp) {
    return of(pcp.run("pminfo", "-dfmtTl", "mmv").outOfSuccess());
  }

  private static PminfoReport of(String out) {
    SequencedMap<String, List<String>> metrics = new LinkedHashMap<>();
    List<String> lines = new ArrayList<>();
    for (String line : out.split("\n", -1)) {
      Matcher head = HEAD.matcher(line);
      if (head.matches()) {
        lines = new ArrayList<>();
        metrics.put(head.group(1), lines);
      }
      lines.add(line);
    }
    metrics.keySet().removeIf(name -> name.startsWith("mmv.control."));
    return new PminfoReport(metrics);
  }

  /** Returns the number of values of all metrics and instances. */
  long values() {
    return metrics.values().stream()
        .flatMap(List::stream)
        .filter(line -> VALUE.matcher(line).matches())
        .count();
  }

  /**
   * Compares this report with two of another agent. A value that changes between them, as the time
   * of a section in progress does, is right if it lies between the other agent's values.
   *
   * @return one paragraph for each metric that differs, and one if their order does; empty if
   *     nothing differs
   */
  String differenceFrom(PminfoReport before, PminfoReport after) {
    StringBuilder difference = new StringBuilder();
    List<String> names = new ArrayList<>(before.metrics.keySet());
    metrics.keySet().stream().filter(name -> !names.contains(name)).forEach(names::add);
    for (String name : names) {
      List<String> here = metrics.getOrDefault(name, List.of());
      List<String> first = before.metrics.getOrDefault(name, List.of());
      List<String> last = after.metrics.getOrDefault(name, List.of());
      if (!lieBetween(first, here, last)) {
        difference.append(
            "--- %s, here:\n%s\n--- there:\n%s\n"
                .formatted(name, String.join("\n", here), String.join("\n", first)));
      }
    }
    if (difference.isEmpty() && !names.equals(List.copyOf(metrics.keySet()))) {
      difference.append("--- order here: %s\n--- there: %s\n".formatted(metrics.keySet(), names));
    }
    return difference.toString();
  }

  private static boolean lieBetween(List<String> first, List<String> here, List<String> last) {
    if (first.size() != here.size() || last.size() != here.size()) {
      return false;
    }
    for (int i = 0; i < here.size(); i++) {
      if (!liesBetween(first.get(i), here.get(i), last.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean liesBetween(String first, String here, String last) {
    if (first.equals(last)) {
      return here.equals(first);
    }
    Matcher lower = VALUE.matcher(first);
    Matcher value = VALUE.matcher(here);
    Matcher upper = VALUE.matcher(last);
    return lower.matches()
        && value.matches()
        && upper.matches()
        && lower.group(1).equals(value.group(1))
        && INTEGER.matcher(value.group(2)).matches()
        && new BigDecimal(lower.group(2)).compareTo(new BigDecimal(value.group(2))) <= 0
        && new BigDecimal(value.group(2)).compareTo(new BigDecimal(upper.group(2))) <= 0;
  }
}
