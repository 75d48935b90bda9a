package org.jmmv.qa;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

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
      print(Attack.values(), Attack::what);
      System.out.println("\nWith --collector:");
      print(ClientAttack.values(), ClientAttack::what);
      return true;
    }
    boolean isGood = true;
    if (isCollector) {
      System.out.print(ClientAttackRun.HEADER);
      for (ClientAttack attack : chosen(ClientAttack.class)) {
        isGood &= ClientAttackRun.of(attack, !isSmall, time(CLIENT_ATTACK_SECONDS)).isGood();
      }
      return isGood;
    }
    List<Attack> attacks = chosen(Attack.class);
    System.out.print(isUnderPmcd ? "" : AttackRun.HEADER);
    if (isAtOnce) {
      return attack(attacks, time(attacks.getFirst().seconds())).isGood();
    }
    for (Attack attack : attacks) {
      Duration time = time(attack.seconds());
      Outcome outcome =
          isUnderPmcd ? AttackUnderPmcd.of(attack, !isSmall, time) : attack(List.of(attack), time);
      isGood &= outcome.isGood();
    }
    return isGood;
  }

  private static <A extends Labelled> void print(A[] attacks, Function<A, String> what) {
    for (A attack : attacks) {
      System.out.printf("%-27s%s%n", attack.label(), what.apply(attack));
    }
  }

  private <A extends Enum<A> & Labelled> List<A> chosen(Class<A> type) {
    return labels.isEmpty()
        ? List.of(type.getEnumConstants())
        : labels.stream().map(label -> Labelled.of(type, label)).toList();
  }

  /** Returns how long an attack goes on that takes {@code seconds} at its full size. */
  private Duration time(int seconds) {
    return minutes > 0 ? Duration.ofMinutes(minutes) : Duration.ofSeconds(isSmall ? 1 : seconds);
  }

  private Outcome attack(List<Attack> attacks, Duration time) throws IOException {
    AgentCommand agent = AgentCommand.jmmv();
    if (mebibytes == 0) {
      return AttackRun.of(attacks, !isSmall, time, agent.words(), agent.words());
    }
    List<String> words = agent.with(limits()).words();
    try (ControlGroup group = new ControlGroup((long) mebibytes << 20);
        ControlGroup another = new ControlGroup((long) mebibytes << 20)) {
      return AttackRun.of(attacks, !isSmall, time, group.around(words), another.around(words));
    }
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
