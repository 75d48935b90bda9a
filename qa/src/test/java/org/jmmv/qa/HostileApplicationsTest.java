package org.jmmv.qa;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All attacks at a small size, two at a time: an agent rarely needs more than a part of a processor
 * then. {@code qa/hostile} runs them at their full size, one after the other.
 */
@Tag("hostile")
final class HostileApplicationsTest {
  private static final Duration TIME = Duration.ofMillis(200);

  private static void assertStands(List<Attack> attacks, boolean isFull, Duration time) {
    List<String> agent = AgentCommand.jmmv().words();
    AttackRun.of(attacks, isFull, time, agent, agent).assertWithstood();
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @EnumSource
  void theAgentStands(Attack attack) {
    assertStands(List.of(attack), false, TIME);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void theAgentStandsAllAttacksAtOnce() {
    assertStands(List.of(Attack.values()), false, TIME.multipliedBy(20));
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void theAgentDoesNotGrow() {
    assertStands(List.of(Attack.DAMAGED_FILES), true, Nightly.soak());
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @EnumSource(names = {"OVERLAPPING_SECTIONS", "TAKEN_NAME", "STORE_INTO_LINKS", "NEW_NAMES"})
  void pmcdDoesNotDropTheAgent(Attack attack) {
    AttackUnderPmcd.of(attack, false, Duration.ofSeconds(1)).assertWithstood();
  }
}
