package org.jmmv.example;

import java.nio.charset.Charset;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;

/**
 * A table at a time.
 *
 * @param time the time of the fetch
 * @param metrics the number of metrics
 * @param rows the values
 */
record Frame(LocalTime time, int metrics, List<Row> rows) {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  /**
   * Returns a line with the time, the titles, and a line for each value.
   *
   * @param width the maximum width of a line in columns of the terminal
   * @param charset the terminal's character set; if it has no {@link Table#ELLIPSIS}, {@code >}
   *     marks what is cut, as in less(1)
   */
  List<String> lines(int width, Charset charset) {
    String counts = "%s  %d metrics, %d values".formatted(time.format(TIME), metrics, rows.size());
    Stream<String> lines =
        Stream.concat(
            Stream.of(Table.cut(counts, width)),
            rows.isEmpty()
                ? Stream.of(Table.cut("There are no metrics.", width))
                : Table.lines(rows, width).stream());
    return charset.newEncoder().canEncode(Table.ELLIPSIS)
        ? lines.toList()
        : lines.map(line -> line.replace(Table.ELLIPSIS, '>')).toList();
  }
}
