package org.jmmv.cli.top;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Which rows the table has, in which order, and which of them are in the window of the terminal.
 * Sorted by name they are a tree, whose parts can be folded; otherwise a list of values.
 */
final class MetricTable {
  enum Sort {
    NAME,
    VALUE,
    RATE
  }

  private final Set<String> folded = new HashSet<>();
  private List<WatchedMetric> metrics = List.of();
  private NameFilter filter = new NameFilter("");
  private Sort sort = Sort.NAME;
  private boolean isReversed;
  private List<Row> rows = List.of();
  private int values;
  private int selected;
  private int top; // the first row in the window
  private int height = 1; // of the window

  /** Sets the metrics, in byte order of their names. */
  void setMetrics(List<WatchedMetric> metrics) {
    this.metrics = metrics;
    build();
  }

  String filter() {
    return filter.text();
  }

  /**
   * Shows only values that a {@link NameFilter} with this text selects, also those in folded parts.
   */
  void setFilter(String text) {
    filter = new NameFilter(text);
    build();
  }

  /** Returns why there are no rows, if that is due to the filter. */
  Optional<String> problemOfFilter() {
    return filter.problem();
  }

  Sort sort() {
    return sort;
  }

  void setSort(Sort order) {
    sort = order;
    build();
  }

  /** Reverses the order, in which the largest values and rates are first. */
  void reverse() {
    isReversed = !isReversed;
    build();
  }

  /** Returns the order in words. */
  String order() {
    return sort.name().toLowerCase(Locale.ROOT) + (isReversed ? ", reversed" : "");
  }

  /** Returns the number of values that the filter selects. */
  int values() {
    return values;
  }

  /**
   * Sorts again, after values were read.
   *
   * @param hasOtherSeries whether there are new series, or some less
   */
  void update(boolean hasOtherSeries) {
    if (hasOtherSeries || sort != Sort.NAME) {
      build();
    }
  }

  private void build() {
    Row before = selected();
    List<WatchedMetric> shown = filter.select(metrics);
    values =
        shown.stream()
            .mapToInt(metric -> filter.isEmpty() ? metric.size() : metric.series().size())
            .sum();
    List<Row> next = new ArrayList<>();
    if (sort == Sort.NAME) {
      addTree(isReversed ? shown.reversed() : shown, 0, 0, next);
    } else {
      shown.forEach(metric -> addValues(metric, 0, 0, next));
      ToDoubleFunction<Row> key =
          sort == Sort.VALUE ? row -> row.series().number() : row -> row.series().rate();
      next.sort(
          Comparator.comparingDouble(row -> {
            double number = key.applyAsDouble(row);
            return Double.isNaN(number) ? Double.POSITIVE_INFINITY : isReversed ? number : -number;
          }));
    }
    rows = next;
    for (int i = 0; before != null && i < rows.size(); i++) {
      if (rows.get(i).isSame(before)) {
        selected = i;
        break;
      }
    }
    move(0);
  }

  /**
   * Adds rows for metrics whose names have the same first {@code start} chars. A recursion is at
   * most 258 calls deep, because a name has at most 515 chars.
   */
  private void addTree(List<WatchedMetric> all, int start, int depth, List<Row> out) {
    for (int from = 0; from < all.size(); ) {
      String name = all.get(from).name();
      int dot = name.indexOf('.', start);
      String part = dot < 0 ? name : name.substring(0, dot + 1);
      int to = from + 1;
      while (dot >= 0 && to < all.size() && all.get(to).name().startsWith(part)) {
        to++;
      }
      if (to == from + 1) {
        addMetric(all.get(from), start, depth, out);
      } else {
        addPart(all.subList(from, to), start, depth, out);
      }
      from = to;
    }
  }

  /** Adds rows for metrics whose names have more than {@code start} chars in common. */
  private void addPart(List<WatchedMetric> all, int start, int depth, List<Row> out) {
    String first = all.getFirst().name();
    String last = all.getLast().name();
    int end = start;
    int shorter = Math.min(first.length(), last.length());
    for (int i = start; i < shorter && first.charAt(i) == last.charAt(i); i++) {
      end = first.charAt(i) == '.' ? i : end;
    }
    String path = first.substring(0, end);
    int values = all.stream().mapToInt(WatchedMetric::size).sum();
    boolean isFolded = isFolded(path);
    out.add(new Row(path, start, depth, null, null, values, isFolded));
    if (!isFolded) {
      addTree(all, end + 1, depth + 1, out);
    }
  }

  private void addMetric(WatchedMetric metric, int start, int depth, List<Row> out) {
    if (metric.isSingular()) {
      addValues(metric, start, depth, out);
      return;
    }
    boolean isFolded = isFolded(metric.name());
    out.add(new Row(metric.name(), start, depth, metric, null, metric.size(), isFolded));
    if (!isFolded) {
      addValues(metric, metric.name().length(), depth + 1, out);
    }
  }

  private static void addValues(WatchedMetric metric, int start, int depth, List<Row> out) {
    for (Series series : metric.series()) {
      out.add(new Row(metric.name(), start, depth, metric, series, 0, false));
    }
  }

  private boolean isFolded(String path) {
    return filter.isEmpty() && folded.contains(path);
  }

  /** Returns the selected row, or null if there are no rows. */
  Row selected() {
    return rows.isEmpty() ? null : rows.get(selected);
  }

  /** Moves the selection by a number of rows, which may be more than there are. */
  void move(long by) {
    selected = Math.clamp(selected + by, 0, Math.max(0, rows.size() - 1));
    top = Math.clamp(top, Math.max(0, selected - height + 1), selected);
    top = Math.min(top, Math.max(0, rows.size() - height));
  }

  /** Moves the selection by a number of windows. */
  void movePages(int by) {
    move((long) by * height);
  }

  /** Hides what is below the selected row; if there is nothing below, selects the row above it. */
  void fold() {
    Row row = selected();
    if (row == null) {
      return;
    }
    if (row.hasRowsBelow() && !row.isFolded() && filter.isEmpty()) {
      folded.add(row.path());
      build();
      return;
    }
    int above = selected;
    while (above > 0 && rows.get(above).depth() >= row.depth()) {
      above--;
    }
    if (rows.get(above).depth() < row.depth()) {
      move(above - selected);
    }
  }

  /** Shows what is below the selected row. */
  void unfold() {
    Row row = selected();
    if (row != null && row.isFolded()) {
      folded.remove(row.path());
      build();
    }
  }

  /** Shows what is below the selected row, or hides it. */
  void toggle() {
    Row row = selected();
    if (row != null && row.isFolded()) {
      unfold();
    } else if (row != null && row.hasRowsBelow()) {
      fold();
    }
  }

  /**
   * Shows what is below all rows if anything is hidden; otherwise hides it, but for the first
   * level.
   */
  void toggleAll() {
    if (folded.isEmpty()) {
      rows.stream()
          .filter(row -> row.hasRowsBelow() && row.depth() > 0)
          .forEach(row -> folded.add(row.path()));
    } else {
      folded.clear();
    }
    build();
  }

  /** Returns the rows in a window of a number of lines, among which the selected one is. */
  List<Row> window(int lines) {
    height = Math.max(1, lines);
    move(0);
    return rows.subList(top, Math.min(rows.size(), top + height));
  }

  /** Returns the number of rows, also those outside the window. */
  int size() {
    return rows.size();
  }
}
