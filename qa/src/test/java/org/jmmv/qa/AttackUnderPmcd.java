package org.jmmv.qa;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Attacks on an agent under a real pmcd, which drops an agent that does not answer for five
 * seconds. A client fetches the good file all the time.
 */
final class AttackUnderPmcd {
  private static final String COUNT = "mmv." + GoodFile.NAME + ".count";

  private AttackUnderPmcd() {}

  /**
   * Carries out an attack. The good file must always be served, by the same agent.
   *
   * @param isFull whether it has its full size
   * @param time how long it goes on
   */
  static Outcome of(Attack attack, boolean isFull, Duration time) {
    Outcome outcome = new Outcome(isFull && !attack.isSoak(), isFull && attack.isSoak());
    try {
      outcome.setFigures(run(attack, isFull, time));
    } catch (AssertionError e) {
      outcome.fail(attack.label() + ": " + e.getMessage());
    }
    return outcome;
  }

  private static String run(Attack attack, boolean isFull, Duration time) {
    try (TemporaryPcp pcp = new TemporaryPcp()) {
      GoodFile good = new GoodFile(pcp.mmv());
      try (PrivatePmcd pmcd = PrivatePmcd.startImpatient(pcp, AgentCommand.jmmv());
          Attacker attacker = new Attacker(pcp.mmv(), List.of(attack), isFull)) {
        ProcessHandle agent = pmcd.agent();
        String log = pmcd.log();
        int fetches = 0;
        long longest = 0;
        attacker.start(time);
        boolean isLeaving = false;
        while (!attacker.isDone() || !isLeaving) {
          if (attacker.isDone()) {
            attacker.leave();
            isLeaving = true;
          }
          long start = System.nanoTime();
          assertFetched(pmcd, good);
          fetches++;
          longest = Math.max(longest, System.nanoTime() - start);
        }
        assertFetched(pmcd, good);
        if (!pmcd.log().equals(log) || !pmcd.agent().equals(agent)) {
          throw new AssertionError("pmcd has dropped the agent\n" + pmcd.logs());
        }
        return String.format(
            Locale.ROOT,
            "%-26s %5d times pminfo, at most %d ms:",
            attack.label(),
            fetches,
            TimeUnit.NANOSECONDS.toMillis(longest));
      }
    }
  }

  private static void assertFetched(PrivatePmcd pmcd, GoodFile good) {
    good.work();
    Shell.Result reply = pmcd.pminfo("-f", COUNT);
    if (!reply.out().contains("value " + good.count() + "\n")) {
      throw new AssertionError(reply + "\n" + pmcd.logs());
    }
  }
}
