package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A small size of {@code qa/hostile --collector}. */
@Tag("hostile")
@Timeout(300)
final class HostileClientsTest {
  private static final Duration TIME = Duration.ofSeconds(1);

  @ParameterizedTest
  @MethodSource("org.jmmv.qa.ClientAttack#all")
  void theCollectorStands(ClientAttack attack) {
    assertStands(attack, false, TIME);
  }

  @Test
  @Timeout(900)
  void theCollectorDoesNotGrow() {
    assertStands(HttpClientAttack.HTTP_BUSY_DAY, true, Nightly.soak());
  }

  private static void assertStands(ClientAttack attack, boolean isFull, Duration time) {
    Outcome outcome = ClientAttackRun.of(List.of(attack), isFull, time);
    System.out.println(outcome);
    assertEquals(List.of(), outcome.failures(), outcome::toString);
  }
}
