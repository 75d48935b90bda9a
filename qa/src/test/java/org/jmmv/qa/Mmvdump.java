package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What PCP's mmvdump(1) prints of a file, one line for each metric, value and label, in a form that
 * {@link JmmvTest} compares with that of {@code jmmv dump}.
 *
 * @param metrics names, types, semantics, units, instance domains and help
 * @param values names, instances and values
 * @param labels labelled objects and labels
 */
record Mmvdump(List<String> metrics, List<String> values, List<String> labels) {
  private static final List<String> TYPES =
      List.of("I32", "U32", "I64", "U64", "FLOAT", "DOUBLE", "STRING", "", "", "ELAPSED");

  private static final Pattern METRIC =
      Pattern.compile(
          """
           {2}\\[(?<item>\\d+)/(?<offset>\\d+)] (?<name>.*)
           {7}type=[^(]*\\(0x(?<type>\\w+)\\), sem=[^(]*\\(0x(?<sem>\\w+)\\), pad=0x0
           {7}units=(?<units>.*)
           {7}(?:indom=(?<indom>\\d+)|\\(no indom\\))
           {7}(?:shorttext=(?<short>.*(?:\\n(?! {7}helptext| {7}\\().+)*)|\\(no shorttext\\))
           {7}(?:helptext=(?<long>.*(?:\\n(?! {2}\\[).+)*)|\\(no helptext\\))
          """,
          Pattern.UNIX_LINES);

  private static final Pattern VALUE =
      Pattern.compile(
          "^ {2}\\[\\d+/\\d+] ([\\w.]+)(?:\\[(-?\\d+) or \"(.*)\"])? = (?!\\[)(.*)$",
          Pattern.MULTILINE | Pattern.UNIX_LINES);

  private static final Pattern TIMER = Pattern.compile("\\S+ \\(value=(-?\\d+)/extra=(-?\\d+)\\)");

  private static final Pattern LABEL =
      Pattern.compile(
          "^ {2}\\[\\d+/\\d+] (\\{.*)\n +flags=0x(\\w+), identity=0x(\\w+)\n +internal=0x(\\w+)",
          Pattern.MULTILINE | Pattern.UNIX_LINES);

  /** Runs mmvdump on a file. */
  static Mmvdump of(Path file) {
    Path program = AgentCommand.stockProgram().resolveSibling("mmvdump");
    String out = Shell.run(Map.of(), List.of(program.toString(), file.toString())).outOfSuccess();
    return new Mmvdump(
        METRIC.matcher(out).results().map(Mmvdump::metric).toList(), values(out), labels(out));
  }

  private static String metric(MatchResult found) {
    return String.join(
        "|",
        found.group("item"),
        found.group("offset"),
        found.group("name"),
        type((int) Long.parseLong(found.group("type"), 16)),
        semantics(found.group("sem")),
        found.group("units"),
        String.valueOf(found.group("indom")),
        text(found.group("short")),
        text(found.group("long")));
  }

  private static String type(int number) {
    return number < 0 ? "NOSUPPORT" : TYPES.get(number);
  }

  private static String semantics(String number) {
    return switch (number) {
      case "1" -> "counter";
      case "3" -> "instant";
      case "4" -> "discrete";
      default -> number;
    };
  }

  private static List<String> values(String out) {
    List<String> values = new ArrayList<>();
    VALUE
        .matcher(out)
        .results()
        .forEach(found -> {
          MatchResult timer = TIMER.matcher(found.group(4)).results().findFirst().orElse(null);
          String value = timer == null ? found.group(4) : timer.group(1);
          boolean isRunning = timer != null && timer.group(2).startsWith("-");
          values.add(
              "%s|%s|%s|%s"
                  .formatted(
                      found.group(1),
                      found.group(2),
                      text(found.group(3)),
                      isRunning ? "running" : text(value)));
        });
    return values;
  }

  private static List<String> labels(String out) {
    return LABEL
        .matcher(out)
        .results()
        .map(found ->
            "%d|%d|%d|%s"
                .formatted(
                    Long.parseLong(found.group(2), 16),
                    Long.parseLong(found.group(3), 16),
                    (int) Long.parseLong(found.group(4), 16),
                    text(found.group(1))))
        .toList();
  }

  /** Returns bytes, given as one char each, as UTF-8 if they are, as {@code jmmv dump} does. */
  private static String text(String bytes) {
    if (bytes == null) {
      return "null";
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.getBytes(ISO_8859_1))).toString();
    } catch (CharacterCodingException e) {
      return bytes;
    }
  }
}
