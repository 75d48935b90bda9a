package org.jmmv.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The lines of the table. */
final class TableTextTest {
  private static final List<WatchedMetric> METRICS =
      List.of(
          Metrics.number("mmv.app.files", 1234567),
          Metrics.instances("mmv.app.pages", "/", Metrics.bytes("\u6f22\u5b57")),
          Metrics.text("mmv.app.state", "\033[2Jopen " + "x".repeat(300)));

  private static List<String> lines(int width) {
    MetricTable table = new MetricTable();
    table.setMetrics(METRICS);
    TableText text = new TableText(new DisplayText(true), width);
    return text.lines(table.window(100), true, true);
  }

  @Test
  void namesAreIndentedAndNumbersAligned() {
    assertEquals(
        List.of(
            "NAME                VALUE         RATE  UNITS  HISTORY",
            "- mmv.app",
            "    files       1,234,567",
            "  - pages",
            "      [/]               1",
            "      [\u6f22\u5b57]            6"),
        lines(80).subList(0, 6));
  }

  @Test
  void theHistoryIsAsWideAsThereIsRoom() {
    WatchedMetric metric = Metrics.number("mmv.app.files", 1);
    for (int i = 0; i < 100; i++) {
      metric.series().getFirst().remember();
    }
    List<Row> rows =
        List.of(new Row(metric.name(), 0, 0, metric, metric.series().getFirst(), 0, false));
    for (int width : List.of(80, 100, 300)) {
      String line = new TableText(new DisplayText(false), width).lines(rows, true, true).get(1);
      assertEquals(
          width == 300 ? Series.HISTORY : width - 50, line.chars().filter(c -> c == '#').count());
    }
  }

  @Test
  void noLineIsWiderThanTheTerminal() {
    for (int width = 1; width < 200; width++) {
      for (String line : lines(width)) {
        assertTrue(DisplayText.width(line) <= width, line);
        assertTrue(line.indexOf('\033') < 0, line);
      }
    }
  }
}
