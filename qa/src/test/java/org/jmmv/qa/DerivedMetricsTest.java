package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Derived metrics have the values, types, semantics and units that libpcp gives them, which pmproxy
 * asks: docs/web.md has what differs. DerivedMetricTest of core has the rest.
 */
final class DerivedMetricsTest {
  @AutoClose private static final TemporaryPcp PCP = new TemporaryPcp();
  private static final ThisMachine MACHINE = new ThisMachine();
  private static PrivatePmcd pmcd;
  private static Pmproxy pmproxy;
  private static CollectorProcess jmmv;

  @BeforeAll
  static void start() throws IOException {
    DerivedMetrics.writeFile(PCP.mmv());
    pmcd = PCP.open(PrivatePmcd.start(PCP, AgentCommand.jmmv()));
    pmproxy = PCP.open(Pmproxy.start(MACHINE, PCP));
    jmmv = PCP.open(CollectorProcess.start(PCP, "--http", "127.0.0.1:0"));
  }

  private static List<String> differences(List<String> expressions) {
    return DerivedMetrics.differences(
        MACHINE, expressions, pmproxy.port(), pmcd.onTcp().host(), jmmv.http().getPort());
  }

  @Test
  void expressionsOfPeopleMeanTheSame() {
    assertEquals(List.of(), differences(DerivedMetrics.OF_PEOPLE));
  }

  /** Makes expressions whose rules are those of the man page, see docs/web.md. */
  private static final class Expressions {
    private static final List<String> PLAIN = List.of("i", "u", "l", "ul", "f", "d", "zero");
    private static final List<String> SETS = List.of("reads", "writes", "load");
    private static final List<String> DIMENSIONS =
        List.of("byte", "kb", "mb", "sec", "ms", "hour", "events", "speed");
    private static final List<String> COUNTERS =
        List.of("bytes.total", "time.total", "count.total");
    private final Random random;

    Expressions(long seed) {
      random = new Random(seed);
    }

    private String any(List<String> names) {
      return "mmv.e." + names.get(random.nextInt(names.size()));
    }

    String next(int depth) {
      if (depth == 0) {
        return operand();
      }
      return switch (random.nextInt(9)) {
        case 0, 1, 2 -> next(depth - 1) + " " + pick("+", "-", "*", "/") + " " + next(depth - 1);
        case 3 -> "(" + next(depth - 1) + ")";
        case 4 -> "-" + next(depth - 1);
        case 5 ->
            "(" + plain() + pick("<", "<=", "==", ">=", ">", "!=", "&&", "||") + plain() + ")";
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

  @Test
  void randomExpressionsMeanTheSame() {
    Expressions expressions = new Expressions(20261128);
    List<String> all = Stream.generate(() -> expressions.next(3)).limit(2_000).toList();
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < all.size(); i += 1_000) { // a context has at most 1,024
      differences.addAll(differences(all.subList(i, i + 1_000)));
    }
    assertEquals("", String.join("\n", differences.subList(0, Math.min(20, differences.size()))));
    long defined =
        DerivedMetrics.countDefined(MACHINE, all.subList(0, 1_000), jmmv.http().getPort());
    assertTrue(defined > 300, () -> "of 1,000 expressions mean something: " + defined);
  }
}
