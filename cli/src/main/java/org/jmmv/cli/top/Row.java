package org.jmmv.cli.top;

/**
 * A row of the table: a value, a metric above its instances, or a part of names above those that
 * begin with it.
 *
 * @param path the full name of the metric, or what the names have in common, one char per byte
 * @param start where in {@code path} the part begins that rows above do not have
 * @param depth the number of rows above
 * @param metric null for a part of names
 * @param series null unless the row has a value
 * @param values the number of values below; 0 if the row has one itself
 * @param isFolded whether the rows below are hidden
 */
record Row(
    String path,
    int start,
    int depth,
    WatchedMetric metric,
    Series series,
    int values,
    boolean isFolded) {
  /** Returns the full name, with the instance in brackets, one char per byte. */
  String name() {
    return series == null || series.instanceName() == null
        ? path
        : path + '[' + series.instanceName() + ']';
  }

  /** Returns whether there are rows below, which may be hidden. */
  boolean hasRowsBelow() {
    return series == null;
  }

  /** Returns whether a row is this one, perhaps folded or with other values below. */
  boolean isSame(Row other) {
    return path.equals(other.path) && series == other.series;
  }
}
