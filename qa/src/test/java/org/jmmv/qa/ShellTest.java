package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a failed command looks like in a list of failed tests, which has the first lines only. */
@Tag("quick")
final class ShellTest {
  @Test
  void theFirstLineOfAFailureHasTheCommandItsStatusAndItsLastWord() {
    String script = "echo first >&2\n  echo last word >&2\n  exit 3";
    Shell.Result wrapped = Shell.run(Map.of(), List.of("sh", "-c", script));
    assertEquals(
        "exit status 3, not 0, of sh -c " + script.replaceAll("\\s+", " ") + ": last word",
        firstLine(wrapped));
    assertEquals(
        "exit status 3, not 0, of ls /missing: last word", firstLine(wrapped.of("ls", "/missing")));
  }

  private static String firstLine(Shell.Result result) {
    return assertThrows(AssertionError.class, result::outOfSuccess)
        .getMessage()
        .lines()
        .findFirst()
        .orElseThrow();
  }
}
