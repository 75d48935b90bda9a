package org.jmmv.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

  private static final List<Row> ROWS =
      List.of(
          new Row("mmv.disk.read", "sda", "1,234", false, "12.0 Kbyte/s", "byte", "Bytes read"),
          new Row("mmv.disk.read", "sdb", "99", false, "", "byte", "Bytes read"),
          new Row("mmv.state", "", "\"all is well\"", true, "", "", "How it goes"));

  private static String lines(List<Row> rows, int width) {
    return String.join("\n", Table.lines(rows, width)) + "\n";
  }

  @Test
  void numbersAreAlignedAndTextExtendsOverTheColumns() {
    assertEquals(
        """
        NAME           INSTANCE        VALUE          RATE  UNITS
        mmv.disk.read  sda             1,234  12.0 Kbyte/s  byte
        mmv.disk.read  sdb                99                byte
        mmv.state                "all is well"
        """,
        lines(ROWS, 70));
  }

  @Test
  void aWideTerminalShowsHelp() {
    assertEquals(
        """
        NAME           INSTANCE        VALUE          RATE  UNITS  HELP
        mmv.disk.read  sda             1,234  12.0 Kbyte/s  byte   Bytes read
        mmv.disk.read  sdb                99                byte   Bytes read
        mmv.state                "all is well"                     How it goes
        """,
        lines(ROWS, 100));
  }

  @Test
  void helpIsCutAtTheTerminalsEdge() {
    Row row = new Row("a", "", "1", false, "", "", "x".repeat(200));
    String line = Table.lines(List.of(row), 100).get(1);
    assertEquals(100, line.length());
    assertTrue(line.endsWith("x\u2026"), line);
    assertTrue(Table.lines(List.of(row), Integer.MAX_VALUE).get(1).endsWith("x".repeat(200)));
  }

  @Test
  void textThatReachesTheHelpColumnReplacesTheHelp() {
    Row row = new Row("a", "", "x".repeat(80), true, "", "", "help");
    assertEquals("a" + " ".repeat(15) + "x".repeat(80), Table.lines(List.of(row), 100).get(1));
  }

  @Test
  void textIsCutAtTheTerminalsEdge() {
    Row row = new Row("a", "", "x".repeat(90), true, "", "", "help");
    assertEquals(
        "a" + " ".repeat(15) + "x".repeat(83) + "\u2026", Table.lines(List.of(row), 100).get(1));
  }

  @Test
  void columnsGiveWayBeforeNumbersAreCut() {
    List<Row> rows =
        List.of(
            new Row(
                "mmv.application.bytes",
                "/dev/mapper/one",
                "18,446,744,073,709,551,615",
                false,
                "1.5 Mbyte/s",
                "byte",
                "Bytes"),
            new Row("mmv.application.state", "", "\"running, busy\"", true, "", "", "State"));
    assertEquals(
        """
        NAME                   INSTANCE                              VALUE         RATE  UNITS
        mmv.application.bytes  /dev/mapper/one  18,446,744,073,709,551,615  1.5 Mbyte/s  byte
        mmv.application.state                   "running, busy"
        """,
        lines(rows, 86));
    assertEquals(
        """
        NAME                   INSTANCE                 VALUE         RATE  UNITS
        mmv.application.bytes  /dev/mapper/one  18,446,744.1T  1.5 Mbyte/s  byte
        mmv.application.state                   "running, busy"
        """,
        lines(rows, 73));
    assertEquals(
        """
        NAME              INSTANCE          VALUE         RATE
        mmv.application\u2026  /dev/mapp\u2026    18,446.7P  1.5 Mbyte/s
        mmv.application\u2026              "running, busy"
        """,
        lines(rows, 54));
    assertEquals(
        """
        NAME              INSTANCE          VALUE
        mmv.application\u2026  /dev/mapp\u2026    18,446.7P
        mmv.application\u2026              "running, \u2026
        """,
        lines(rows, 41));
    assertEquals(
        """
        NAME         VALUE
        mmv.appl\u2026    18.4E
        mmv.appl\u2026  "runni\u2026
        """,
        lines(rows, 18));
  }

  @Test
  void noLineIsWiderThanTheTerminal() {
    for (int width = 1; width < 120; width++) {
      for (String line : Table.lines(ROWS, width)) {
        assertTrue(line.length() <= width, width + ": " + line);
      }
    }
  }

  @Test
  void noRowsLeaveTheTitles() {
    assertEquals("NAME  INSTANCE        VALUE         RATE  UNITS\n", lines(List.of(), 60));
  }

  @Test
  void wideCharactersTakeTwoColumns() {
    Row smile = new Row("a", "\uD83D\uDE00", "1", false, "", "", "");
    assertEquals(
        "a     \uD83D\uDE00" + " ".repeat(18) + "1", Table.lines(List.of(smile), 60).get(1));
    assertEquals("\uD83D\uDE00\u2026", Table.cut("\uD83D\uDE00\uD83D\uDE00", 3));
    assertEquals("\u2026", Table.cut("\uD83D\uDE00\uD83D\uDE00", 2));
  }
}
