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
  void noLineIsWiderThanTheTerminal() {
    for (int width = 1; width < 200; width++) {
      for (String line : lines(width)) {
        assertTrue(DisplayText.width(line) <= width, line);
        assertTrue(line.indexOf('\033') < 0, line);
      }
    }
  }
}
