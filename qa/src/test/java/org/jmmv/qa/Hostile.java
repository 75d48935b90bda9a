package org.jmmv.qa;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs attacks at their full size and prints figures: {@code qa/hostile}. */
final class Hostile {
  private static final int DEFAULT_MINUTES = 10;
  private static final int DEFAULT_HEAP_MEBIBYTES = 512;

  private final List<String> labels = new ArrayList<>();
  private boolean isSmall;
  private int minutes; // of all attacks at once, 0 for one after the other
  private int mebibytes; // of the control group, 0 for none
  private boolean isUnderPmcd;
  private boolean isCollector;

  private Hostile() {}

  /** Exits with 1 if the agent did not stand an attack. */
  public static void main(String[] args) throws IOException {
    Hostile hostile = new Hostile();
    hostile.read(Arrays.asList(args));
    System.exit(hostile.run() ? 0 : 1);
  }

  private void read(List<String> args) {
    for (int i = 0; i < args.size(); i++) {
      boolean hasNumber = i + 1 < args.size() && args.get(i + 1).matches("\\d+");
      switch (args.get(i)) {
        case "--small" -> isSmall = true;
        case "--collector" -> isCollector = true;
        case "--pmcd" -> isUnderPmcd = true;
        case "--memory" -> mebibytes = Integer.parseInt(args.get(++i));
        case "--all-at-once", "--minutes" ->
            minutes = hasNumber ? Integer.parseInt(args.get(++i)) : DEFAULT_MINUTES;
        default -> labels.add(args.get(i));
      }
    }
  }

  private boolean run() throws IOException {
    if (labels.equals(List.of("--list"))) {
      for (Attack attack : Attack.values()) {
        System.out.printf("%-27s%s%n", attack.label(), attack.what());
      }
      System.out.println("\nWith --collector:");
      for (ClientAttack attack : ClientAttack.all()) {
        System.out.printf("%-27s%s%n", attack.label(), attack.what());
      }
      return true;
    }
    if (isCollector) {
      return attackCollector();
    }
    List<Attack> attacks =
        labels.isEmpty() ? List.of(Attack.values()) : labels.stream().map(Attack::of).toList();
    if (isUnderPmcd) {
      return AttackUnderPmcd.of(attacks, !isSmall);
    }
    System.out.print(AttackRun.HEADER);
    if (minutes > 0) {
      return run(attacks, Duration.ofMinutes(minutes));
    }
    boolean isGood = true;
    for (Attack attack : attacks) {
      isGood &= run(List.of(attack), Duration.ofSeconds(isSmall ? 1 : attack.seconds()));
    }
    return isGood;
  }

  private boolean attackCollector() {
    List<ClientAttack> attacks =
        labels.isEmpty() ? ClientAttack.all() : labels.stream().map(ClientAttack::of).toList();
    Duration time =
        minutes > 0 ? Duration.ofMinutes(minutes) : Duration.ofSeconds(isSmall ? 1 : 10);
    System.out.print(ClientAttackRun.HEADER);
    boolean isGood = true;
    for (ClientAttack attack : attacks) {
      AttackRun.Outcome outcome = ClientAttackRun.of(attack, !isSmall, time);
      System.out.println(outcome);
      isGood &= outcome.failures().isEmpty();
    }
    return isGood;
  }

  private boolean run(List<Attack> attacks, Duration time) throws IOException {
    AgentCommand agent = AgentCommand.jmmv();
    AttackRun.Outcome outcome;
    if (mebibytes == 0) {
      outcome = AttackRun.of(attacks, !isSmall, time, agent.words(), agent.words());
    } else {
      List<String> words = agent.with(limits()).words();
      try (ControlGroup group = new ControlGroup((long) mebibytes << 20);
          ControlGroup another = new ControlGroup((long) mebibytes << 20)) {
        outcome = AttackRun.of(attacks, !isSmall, time, group.around(words), another.around(words));
      }
    }
    System.out.println(outcome);
    return outcome.failures().isEmpty();
  }

  /** Returns the limits for a heap of half of the control group, in proportion to the defaults. */
  private String[] limits() {
    int heap = mebibytes / 2;
    return new String[] {
      "--max-metrics=" + 100_000L * heap / DEFAULT_HEAP_MEBIBYTES,
      "--max-instances=" + 200_000L * heap / DEFAULT_HEAP_MEBIBYTES,
      "--max-values=" + 4_000_000L * heap / DEFAULT_HEAP_MEBIBYTES,
      "--max-labels=" + 50_000L * heap / DEFAULT_HEAP_MEBIBYTES
    };
  }
}
