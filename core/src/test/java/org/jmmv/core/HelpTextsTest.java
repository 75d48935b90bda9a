package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HelpTextsTest {
  private final HelpTexts texts = new HelpTexts("mmv");

  static List<String> controlMetrics() {
    return List.of(
        "mmv.control.reload", "mmv.control.debug", "mmv.control.files", "mmv.control.metrics");
  }

  @ParameterizedTest
  @MethodSource("controlMetrics")
  void everyControlMetricHasALineAndAText(String name) {
    HelpTexts.Help help = texts.of(name);

    assertNotNull(help);
    assertFalse(help.oneLine().isBlank());
    assertFalse(help.oneLine().contains("\n"));
    assertFalse(help.text().isBlank());
    assertEquals(help.text().strip(), help.text());
  }

  @Test
  void keepsTheLinesOfATextAndLeavesCommentsOut() {
    HelpTexts.Help help = texts.of("mmv.control.reload");

    assertEquals("Store a number other than 0 to read all MMV files again", help.oneLine());
    assertTrue(
        help.text().startsWith("The agent notices new, changed and removed files by itself."));
    assertEquals(2, help.text().lines().count());
    for (String name : controlMetrics()) {
      assertFalse(texts.of(name).text().contains("#"), name);
      assertFalse(texts.of(name).text().contains("@"), name);
    }
  }

  @Test
  void anotherRootIsInNamesAndTexts() {
    HelpTexts others = new HelpTexts("pmproxy");

    for (String name : controlMetrics()) {
      HelpTexts.Help help = others.of(name.replace("mmv", "pmproxy"));
      assertEquals(texts.of(name).oneLine(), help.oneLine());
      assertEquals(texts.of(name).text().replace("mmv.control.", "pmproxy.control."), help.text());
    }
    assertTrue(others.of("pmproxy.control.debug").text().contains("pmstore pmproxy.control.debug"));
    assertNull(others.of("mmv.control.debug"));
  }

  @Test
  void knowsNothingElse() {
    assertNull(texts.of("mmv.control.other"));
    assertNull(texts.of(""));
  }
}
