package org.jmmv.qa;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Makes expressions whose rules are those of the man page, see docs/web.md. */
final class RandomExpressions {
  private static final List<String> PLAIN = List.of("i", "u", "l", "ul", "f", "d", "zero");
  private static final List<String> SETS = List.of("reads", "writes", "load");
  private static final List<String> DIMENSIONS =
      List.of("byte", "kb", "mb", "sec", "ms", "hour", "events", "speed");
  private static final List<String> COUNTERS = List.of("bytes.total", "time.total", "count.total");
  private final Random random;

  private RandomExpressions(long seed) {
    random = new Random(seed);
  }

  /** Returns expressions, the same ones in each call. */
  static List<String> some(int count) {
    RandomExpressions expressions = new RandomExpressions(20261128);
    return Stream.generate(() -> expressions.next(3)).limit(count).toList();
  }

  private String any(List<String> names) {
    return "mmv.e." + names.get(random.nextInt(names.size()));
  }

  private String next(int depth) {
    if (depth == 0) {
      return operand();
    }
    return switch (random.nextInt(9)) {
      case 0, 1, 2 -> next(depth - 1) + " " + pick("+", "-", "*", "/") + " " + next(depth - 1);
      case 3 -> "(" + next(depth - 1) + ")";
      case 4 -> "-" + next(depth - 1);
      case 5 -> "(" + plain() + pick("<", "<=", "==", ">=", ">", "!=", "&&", "||") + plain() + ")";
      case 6 -> "(" + any(PLAIN) + " > 2 ? " + branch() + " : " + branch() + ")";
      case 7 -> call();
      default -> operand();
    };
  }

  private String plain() {
    return random.nextBoolean() ? any(PLAIN) : any(SETS);
  }

  /** Returns a branch of a choice. If both have instances, they have the same. */
  private String branch() {
    return pick("mmv.e.reads", any(PLAIN), "mmv.e.reads + " + any(PLAIN), any(DIMENSIONS));
  }

  private String call() {
    String counter = any(COUNTERS);
    return switch (random.nextInt(8)) {
      case 0 -> "delta(" + counter + ")";
      case 1 -> "rate(" + counter + ")";
      case 2 -> "instant(" + counter + ")";
      case 3 -> pick("avg", "sum", "min", "max", "count") + "(" + any(SETS) + ")";
      case 4 -> "matchinst(/" + pick("^s", "a$", "[0-9]", "x") + "/, " + any(SETS) + ")";
      case 5 -> any(SETS) + pick("[sda]", "[sdb]", "[dm-0]");
      case 6 -> "scalar(" + any(SETS) + pick("[sda]", "[sdb]", "[dm-0]") + ")";
      default -> "mkconst(" + random.nextInt(1000) + ", type=" + pick("32", "u64", "float") + ")";
    };
  }

  private String operand() {
    return switch (random.nextInt(5)) {
      case 0 -> Integer.toString(random.nextInt(100));
      case 1 -> any(DIMENSIONS);
      case 2 -> any(SETS);
      case 3 -> random.nextInt(100) + "." + random.nextInt(100);
      default -> any(PLAIN);
    };
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
