package org.jmmv.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
    assertEquals(100, Table.lines(List.of(row), 100).get(1).length());
  }

  @Test
  void textThatReachesTheHelpColumnReplacesTheHelp() {
    Row row = new Row("a", "", "x".repeat(90), true, "", "", "help");
    assertEquals("a" + " ".repeat(15) + "x".repeat(90), Table.lines(List.of(row), 100).get(1));
  }

  @Test
  void noRowsLeaveTheTitles() {
    assertEquals("NAME  INSTANCE        VALUE         RATE  UNITS\n", lines(List.of(), 60));
  }

  @Test
  void charactersOutsideTheBasicPlaneCountOnce() {
    Row smile = new Row("a", "\uD83D\uDE00", "1", false, "", "", "");
    assertEquals(
        "a     \uD83D\uDE00" + " ".repeat(19) + "1", Table.lines(List.of(smile), 60).get(1));
    assertEquals("\uD83D\uDE00", Table.cut("\uD83D\uDE00\uD83D\uDE00", 1));
  }
}
