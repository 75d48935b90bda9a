package org.jmmv.qa;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs attacks at their full size and prints figures: {@code qa/hostile}. */
final class Hostile {
  private static final int DEFAULT_MINUTES = 10;
  private static final int CLIENT_ATTACK_SECONDS = 10;
  private static final int DEFAULT_HEAP_MEBIBYTES = 512;

  private final List<String> labels = new ArrayList<>();
  private boolean isSmall;
  private boolean isAtOnce;
  private int minutes; // for which an attack goes on, 0 for its own time
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
      switch (args.get(i)) {
        case "--small" -> isSmall = true;
        case "--collector" -> isCollector = true;
        case "--pmcd" -> isUnderPmcd = true;
        case "--memory" -> mebibytes = Integer.parseInt(args.get(++i));
        case "--all-at-once" -> isAtOnce = true;
        case "--minutes" -> minutes = Integer.parseInt(args.get(++i));
        default -> labels.add(args.get(i));
      }
    }
    if (isAtOnce && minutes == 0) {
      minutes = DEFAULT_MINUTES;
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
      return AttackUnderPmcd.of(attacks, !isSmall, attack -> time(attack.seconds()));
    }
    System.out.print(AttackRun.HEADER);
    if (isAtOnce) {
      return run(attacks, time(0));
    }
    boolean isGood = true;
    for (Attack attack : attacks) {
      isGood &= run(List.of(attack), time(attack.seconds()));
    }
    return isGood;
  }

  /** Returns how long an attack goes on that takes so many seconds at its full size. */
  private Duration time(int seconds) {
    return minutes > 0 ? Duration.ofMinutes(minutes) : Duration.ofSeconds(isSmall ? 1 : seconds);
  }

  private boolean attackCollector() {
    List<ClientAttack> attacks =
        labels.isEmpty() ? ClientAttack.all() : labels.stream().map(ClientAttack::of).toList();
    List<List<ClientAttack>> runs =
        isAtOnce ? List.of(attacks) : attacks.stream().map(List::of).toList();
    System.out.print(ClientAttackRun.HEADER);
    boolean isGood = true;
    for (List<ClientAttack> run : runs) {
      Outcome outcome = ClientAttackRun.of(run, !isSmall, time(CLIENT_ATTACK_SECONDS));
      System.out.println(outcome);
      isGood &= outcome.failures().isEmpty();
    }
    return isGood;
  }

  private boolean run(List<Attack> attacks, Duration time) throws IOException {
    AgentCommand agent = AgentCommand.jmmv();
    Outcome outcome;
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
