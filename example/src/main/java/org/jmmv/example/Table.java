package org.jmmv.example;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jline.utils.WCWidth;

/** Formats rows as a table with aligned columns. */
final class Table {

  /** Marks a text that is cut. */
  static final char ELLIPSIS = '\u2026';

  private static final String GAP = "  ";

  private enum Column {
    NAME,
    INSTANCE,
    VALUE,
    RATE,
    UNITS,
    HELP;

    private String of(Row row) {
      return switch (this) {
        case NAME -> row.name();
        case INSTANCE -> row.instance();
        case VALUE -> row.value();
        case RATE -> row.rate();
        case UNITS -> row.units();
        case HELP -> row.help();
      };
    }

    private boolean isNumeric() {
      return this == VALUE || this == RATE;
    }
  }

  // Minimum widths keep the columns in place while numbers grow.
  private static final int MIN_VALUE = 11;
  private static final int MIN_RATE = 11;

  /** The longest 64-bit integer. Only fractions are longer. */
  private static final int MAX_VALUE = "18,446,744,073,709,551,615".length();

  /** Help texts are left out if their column would be narrower than this. */
  private static final int MIN_HELP = 20;

  /** What a column is narrowed to if the table is too wide; 0: the column is left out. */
  private record Step(Column column, int width) {}

  /** In this order. The last step fits every terminal that is wider than the column VALUE. */
  private static final List<Step> STEPS =
      List.of(
          new Step(Column.VALUE, MIN_VALUE),
          new Step(Column.UNITS, 0),
          new Step(Column.INSTANCE, 10),
          new Step(Column.NAME, 16),
          new Step(Column.RATE, 0),
          new Step(Column.INSTANCE, 0),
          new Step(Column.VALUE, 7),
          new Step(Column.NAME, 1));

  private static final Row TITLES =
      new Row("NAME", "INSTANCE", "VALUE", false, "RATE", "UNITS", "HELP");

  private final List<Row> rows = new ArrayList<>(List.of(TITLES));
  private final Map<Column, Integer> widths = new EnumMap<>(Column.class);
  private final int width;
  private final int helpStart;

  private Table(List<Row> rows, int width) {
    this.rows.addAll(rows);
    this.width = width;
    for (Column column : List.of(Column.NAME, Column.INSTANCE, Column.RATE, Column.UNITS)) {
      widths.put(column, longest(column));
    }
    widths.merge(Column.RATE, MIN_RATE, Math::max);
    widths.put(Column.VALUE, Math.clamp(longest(Column.VALUE), MIN_VALUE, MAX_VALUE));
    STEPS.forEach(this::narrow);
    helpStart = total();
    widths.put(Column.HELP, width - helpStart < MIN_HELP ? 0 : width - helpStart);
  }

  /** Returns the width of a column's longest text. A value that is text does not count. */
  private int longest(Column column) {
    return rows.stream()
        .filter(row -> column != Column.VALUE || !row.text())
        .mapToInt(row -> length(column.of(row)))
        .max()
        .orElse(0);
  }

  /** Returns the width of the columns so far, each with a gap behind it. */
  private int total() {
    return widths.values().stream().filter(w -> w > 0).mapToInt(w -> w + GAP.length()).sum();
  }

  private void narrow(Step step) {
    int excess = total() - GAP.length() - width;
    int now = widths.get(step.column());
    if (excess > 0 && now > step.width()) {
      widths.put(step.column(), step.width() == 0 ? 0 : Math.max(step.width(), now - excess));
    }
  }

  /**
   * Returns the lines of a table, titles first, without trailing blanks.
   *
   * @param width the maximum width of a line in columns of the terminal. Help texts are shown if
   *     there is room for them. If there is not enough room for the other columns, numbers are
   *     shortened, texts are cut and end with {@link #ELLIPSIS}, and columns are left out
   */
  static List<String> lines(List<Row> rows, int width) {
    Table table = new Table(rows, width);
    return table.rows.stream().map(table::line).toList();
  }

  private String line(Row row) {
    String line = cells(row, Column.NAME, Column.INSTANCE);
    // A text extends over the columns to its right.
    line += row.text() ? row.value() : cells(row, Column.VALUE, Column.RATE, Column.UNITS);
    line = line.stripTrailing();
    if (widths.get(Column.HELP) > 0 && length(line) + GAP.length() <= helpStart) {
      line = left(line, helpStart) + row.help();
    }
    return cut(line.stripTrailing(), width);
  }

  private String cells(Row row, Column... columns) {
    StringBuilder cells = new StringBuilder();
    for (Column column : columns) {
      int room = widths.get(column);
      if (room > 0) {
        String text = column.of(row);
        String cell = cut(column.isNumeric() ? ShortNumber.fit(text, room) : text, room);
        cells.append(column.isNumeric() ? right(cell, room) : left(cell, room)).append(GAP);
      }
    }
    return cells.toString();
  }

  /** Returns the number of columns that a text takes on a terminal. */
  private static int length(String text) {
    return text.codePoints().map(Table::length).sum();
  }

  private static int length(int codePoint) {
    return Math.max(0, WCWidth.wcwidth(codePoint));
  }

  private static String left(String text, int width) {
    return text + " ".repeat(Math.max(0, width - length(text)));
  }

  private static String right(String text, int width) {
    return " ".repeat(Math.max(0, width - length(text))) + text;
  }

  /** Returns a text, cut to a number of columns if it takes more. */
  static String cut(String text, int width) {
    if (length(text) <= width) {
      return text;
    }
    StringBuilder start = new StringBuilder();
    int room = width - 1;
    for (int codePoint : text.codePoints().toArray()) {
      room -= length(codePoint);
      if (room < 0) {
        break;
      }
      start.appendCodePoint(codePoint);
    }
    return start.append(ELLIPSIS).toString();
  }
}
