package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The size of the README, and what its first screen shows; DocumentsTest has its other blocks. */
@Tag("quick")
final class ReadmeTest {
  private static final String README = TemporaryPcp.text(Path.of("../README.md")); // a char a byte

  private static final Pattern COMMAND_AND_OUTPUT =
      Pattern.compile("^ {4}\\$ jmmv (.*)\\n((?: {4}(?!\\$).*\\n)*)", Pattern.MULTILINE);

  private static final int COUNT = 1 << 20; // dimCount 1

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();

  @Test
  void itHasAtMost7000Bytes() {
    assertTrue(README.length() <= 7000, () -> README.length() + " bytes");
  }

  /** The first screen has 25 lines. The files are those that it shows, but nothing counts. */
  @Test
  void theToolsPrintWhatTheFirstScreenShows() {
    writeShop();
    writeMailer();
    String screen = README.lines().limit(25).reduce("", (text, line) -> text + line + "\n");
    Matcher shown = COMMAND_AND_OUTPUT.matcher(screen);
    int commands = 0;
    for (; shown.find(); commands++) {
      String printed = Shell.jmmv(pcp.environment(), shown.group(1).split(" ")).out();
      String output = shown.group(2).replaceAll("(?m)^ {4}", "");
      assertEquals(withoutRatesAndUser(output), withoutRatesAndUser(printed), shown.group(1));
    }
    assertEquals(2, commands, screen);
  }

  /** Replaces what depends on the time and on who runs the test. */
  private static String withoutRatesAndUser(String output) {
    return output.replaceAll("\\d\\.\\d /s", "0.0 /s").replaceAll("(?<=as user )\\S+", "pcp");
  }

  private void writeShop() {
    MmvWriter shop = new MmvWriter(2);
    shop.metric("orders.placed", 1, ValueType.U64)
        .semantics(Semantics.COUNTER)
        .units(COUNT)
        .help("h", "l")
        .value(30);
    shop.metric("orders.waiting", 2, ValueType.U32)
        .semantics(Semantics.INSTANT)
        .units(COUNT)
        .help("h", "l")
        .value(11);
    for (int item = 3; item <= 8; item++) {
      shop.metric("item" + item, item, ValueType.U32).units(COUNT).help("h", "l").value(item);
    }
    shop.write(pcp.mmv(), "shop");
  }

  private void writeMailer() {
    MmvWriter mailer = new MmvWriter(2);
    mailer
        .metric("sent", 1, ValueType.U64)
        .semantics(Semantics.COUNTER)
        .units(COUNT)
        .help("h", "l")
        .value(5);
    mailer.metric("queue-length", 2, ValueType.U32).units(COUNT).help("h", "l").value(2);
    mailer.write(pcp.mmv(), "mailer");
  }
}
