package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A {@link WebSoak}. */
@Tag("hostile")
final class WebSoakTest {
  private static final long SPARE_KILOBYTES = 48 << 10; // the JVM still compiles methods

  @Test
  void manyClientsAreAnsweredAndTheServerDoesNotGrow() throws IOException {
    Duration time = Nightly.soak();
    WebSoak.Outcome outcome = WebSoak.run(time);
    System.out.print(outcome.figures());
    assertTrue(outcome.events() > 90 * time.toSeconds(), outcome::figures);
    assertTrue(outcome.after() < outcome.before() + SPARE_KILOBYTES, outcome::figures);
  }
}
