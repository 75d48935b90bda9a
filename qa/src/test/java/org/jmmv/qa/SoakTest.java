package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short {@link Soak}. */
@Tag("hostile")
final class SoakTest {
  @Test
  void theGoodFilesAreServedAndTheAgentDoesNotGrow() throws IOException {
    Soak.Outcome outcome = Soak.run(1, Nightly.soak());
    System.out.print(outcome.figures());
    assertTrue(outcome.checks() > 20 && outcome.faults() > 1000, outcome::figures);
  }
}
