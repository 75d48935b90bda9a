package org.jmmv.cli.top;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Formats rows as lines with aligned columns. */
final class TableText {
  private static final String GAP = "  ";
  private static final int MAX_INDENT = 16; // deeper rows are not indented further

  private enum Column {
    NAME(4),
    VALUE(11),
    RATE(11),
    UNITS(5),
    HISTORY(20);

    /** The minimum width, which keeps the columns where they are while numbers grow. */
    private final int minWidth;

    Column(int minWidth) {
      this.minWidth = minWidth;
    }

    private boolean isNumeric() {
      return this == VALUE || this == RATE;
    }
  }

  /** The longest 64-bit integer. Only fractions are longer. */
  private static final int MAX_VALUE = "18,446,744,073,709,551,615".length();

  /** What a column is narrowed to if the table is too wide; 0: the column is left out. */
  private record Step(Column column, int width) {}

  /** In this order. The last step fits every terminal that is wider than the column VALUE. */
  private static final List<Step> STEPS =
      List.of(
          new Step(Column.VALUE, Column.VALUE.minWidth),
          new Step(Column.HISTORY, 8),
          new Step(Column.NAME, 30),
          new Step(Column.UNITS, 0),
          new Step(Column.HISTORY, 0),
          new Step(Column.NAME, 16),
          new Step(Column.RATE, 0),
          new Step(Column.VALUE, 7),
          new Step(Column.NAME, 1));

  private final DisplayText text;
  private final int width;

  /**
   * Creates a formatter.
   *
   * @param width the maximum width of a line in columns of the terminal. If there is not enough
   *     room, numbers are shortened, texts are cut, and columns are left out
   */
  TableText(DisplayText text, int width) {
    this.text = text;
    this.width = width;
  }

  /** The texts of a row; {@code isText} if the value extends over the columns to its right. */
  private record Cells(Map<Column, String> texts, boolean isText) {}

  /**
   * Returns the lines of rows, titles first, without trailing blanks.
   *
   * @param isTree whether names are indented below what they have in common
   * @param hasHistory whether there is the column with the last values
   */
  List<String> lines(List<Row> rows, boolean isTree, boolean hasHistory) {
    List<Cells> all = new ArrayList<>();
    Map<Column, String> titles = new EnumMap<>(Column.class);
    for (Column column : Column.values()) {
      titles.put(column, column.name());
    }
    all.add(new Cells(titles, false));
    rows.forEach(row -> all.add(cells(row, isTree)));
    Map<Column, Integer> widths = widths(all);
    if (!hasHistory) {
      widths.put(Column.HISTORY, 0);
    }
    for (Step step : STEPS) {
      int excess = total(widths) - width;
      int now = widths.get(step.column());
      if (excess > 0 && now > step.width()) {
        widths.put(step.column(), step.width() == 0 ? 0 : Math.max(step.width(), now - excess));
      }
    }
    int spare = width - total(widths);
    if (hasHistory && spare > 0) {
      widths.computeIfPresent(
          Column.HISTORY, (_, now) -> now == 0 ? 0 : Math.min(Series.HISTORY, now + spare));
    }
    return all.stream().map(cells -> line(cells, widths)).toList();
  }

  private static Map<Column, Integer> widths(List<Cells> all) {
    Map<Column, Integer> widths = new EnumMap<>(Column.class);
    for (Column column : Column.values()) {
      int longest =
          all.stream()
              .filter(cells -> column != Column.VALUE || !cells.isText())
              .mapToInt(cells -> DisplayText.width(cells.texts().get(column)))
              .max()
              .orElse(0);
      widths.put(column, Math.max(longest, column.minWidth));
    }
    widths.put(Column.HISTORY, Column.HISTORY.minWidth);
    widths.merge(Column.VALUE, MAX_VALUE, Math::min);
    return widths;
  }

  private static int total(Map<Column, Integer> widths) {
    int total = -GAP.length();
    for (int columnWidth : widths.values()) {
      total += columnWidth == 0 ? 0 : columnWidth + GAP.length();
    }
    return total;
  }

  private String line(Cells cells, Map<Column, Integer> widths) {
    StringBuilder line = new StringBuilder();
    for (Column column : Column.values()) {
      int room = widths.get(column);
      String cell = cells.texts().get(column);
      if (column == Column.VALUE && cells.isText()) {
        line.append(cell);
        break;
      }
      if (column == Column.HISTORY) {
        line.append(cell, Math.max(0, cell.length() - room), cell.length()); // the last values
      } else if (room > 0) {
        String shown =
            column.isNumeric()
                ? text.right(ShortNumber.fit(cell, room), room)
                : text.left(cell, room);
        line.append(shown).append(GAP);
      }
    }
    return text.cut(line.toString().stripTrailing(), width);
  }

  private Cells cells(Row row, boolean isTree) {
    Map<Column, String> texts = new EnumMap<>(Column.class);
    texts.put(Column.NAME, name(row, isTree));
    for (Column column : List.of(Column.VALUE, Column.RATE, Column.UNITS, Column.HISTORY)) {
      texts.put(column, "");
    }
    Series series = row.series();
    if (series == null) {
      texts.put(Column.VALUE, row.isFolded() ? "(%,d values)".formatted(row.values()) : "");
      return new Cells(texts, true);
    }
    if (!series.hasValue()) {
      texts.put(Column.VALUE, "no value");
      return new Cells(texts, true);
    }
    if (series.text() != null) {
      texts.put(Column.VALUE, '"' + text.of(series.text()) + '"');
      return new Cells(texts, true);
    }
    texts.put(Column.VALUE, value(series));
    texts.put(Column.UNITS, row.metric().units().toString());
    texts.put(Column.HISTORY, Sparkline.of(series.history(), text.isUnicode()));
    if (!Double.isNaN(series.rate())) {
      texts.put(Column.RATE, ShortNumber.rate(series.rate(), row.metric().units()));
    }
    return new Cells(texts, false);
  }

  private String name(Row row, boolean isTree) {
    String instance =
        row.series() == null || row.series().instanceName() == null
            ? ""
            : '[' + text.of(row.series().instanceName()) + ']';
    if (!isTree) {
      return text.of(row.path()) + instance;
    }
    String sign = row.isFolded() ? "+ " : row.hasRowsBelow() ? "- " : "  ";
    String indent = "  ".repeat(Math.min(row.depth(), MAX_INDENT));
    return indent + sign + text.of(row.path().substring(row.start())) + instance;
  }

  private static String value(Series series) {
    double number = series.number();
    if (!Double.isFinite(number)) {
      return Double.toString(number);
    }
    if (!series.isFraction()) {
      return String.format(Locale.ROOT, "%,d", new BigInteger(series.decimal()));
    }
    boolean isSmall = number != 0 && Math.abs(number) < 0.01;
    return String.format(Locale.ROOT, isSmall ? "%.2e" : "%,.2f", number);
  }
}
