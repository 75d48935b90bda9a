package org.jmmv.example;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Formats rows as a table with aligned columns. */
final class Table {

  private static final String GAP = "  ";

  // Minimum widths keep the columns in place while numbers grow.
  private static final int MIN_VALUE = 11;
  private static final int MIN_RATE = 11;

  /** Help texts are left out if their column would be narrower than this. */
  private static final int MIN_HELP = 20;

  private static final Row TITLES =
      new Row("NAME", "INSTANCE", "VALUE", false, "RATE", "UNITS", "HELP");

  private final List<Row> rows = new ArrayList<>(List.of(TITLES));
  private final int name;
  private final int instance;
  private final int value;
  private final int rate;
  private final int units;

  private Table(List<Row> rows) {
    this.rows.addAll(rows);
    this.name = width(Row::name);
    this.instance = width(Row::instance);
    this.value = Math.max(MIN_VALUE, width(row -> row.text() ? "" : row.value()));
    this.rate = Math.max(MIN_RATE, width(Row::rate));
    this.units = width(Row::units);
  }

  private int width(Function<Row, String> column) {
    return rows.stream().mapToInt(row -> length(column.apply(row))).max().orElse(0);
  }

  /**
   * Returns the lines of a table, titles first, without trailing blanks.
   *
   * @param width the width of the terminal in characters. Help texts are shown and cut to this
   *     width if there is room for them; a line without a help text may be longer.
   */
  static List<String> lines(List<Row> rows, int width) {
    Table table = new Table(rows);
    return table.rows.stream().map(row -> table.line(row, width)).toList();
  }

  private String line(Row row, int width) {
    String values =
        row.text()
            ? row.value()
            : right(row.value(), value) + GAP + right(row.rate(), rate) + GAP + row.units();
    String line = left(row.name(), name) + GAP + left(row.instance(), instance) + GAP + values;
    int helpStart = name + instance + value + rate + units + 5 * GAP.length();
    int room = width - helpStart;
    if (room >= MIN_HELP && length(line) < helpStart) {
      line = left(line, helpStart) + cut(row.help(), room);
    }
    return line.stripTrailing();
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static String left(String text, int width) {
    return text + " ".repeat(Math.max(0, width - length(text)));
  }

  private static String right(String text, int width) {
    return " ".repeat(Math.max(0, width - length(text))) + text;
  }

  /** Returns the first {@code width} characters of a text. */
  static String cut(String text, int width) {
    return length(text) <= width ? text : text.substring(0, text.offsetByCodePoints(0, width));
  }
}
