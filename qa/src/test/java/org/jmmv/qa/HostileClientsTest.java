package org.jmmv.qa;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A small size of {@code qa/hostile --collector}. */
@Tag("hostile")
@Timeout(300)
final class HostileClientsTest {

  @ParameterizedTest
  @EnumSource
  void theCollectorStands(ClientAttack attack) {
    ClientAttackRun.of(attack, false, Duration.ofSeconds(1)).assertWithstood();
  }

  @Test
  @Timeout(900)
  void theCollectorDoesNotGrow() {
    ClientAttackRun.untimed(ClientAttack.HTTP_BUSY_DAY, Nightly.soak()).assertWithstood();
  }
}
