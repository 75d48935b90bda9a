package org.jmmv.qa;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The output of dbpmda, PCP's debugger for agents, for a script. */
record Dbpmda(String output, List<Exchange> exchanges) {
  private static final String PROMPT = "dbpmda> ";

  /** A command and the lines that dbpmda printed for it. */
  record Exchange(String command, List<String> lines) {

    /**
     * Returns the same without what differs between runs and between agents: addresses, the order
     * of names, the names of control metrics.
     */
    Exchange normalized() {
      Stream<String> stable =
          lines.stream()
              .map(line -> line.replaceFirst("dump from 0x[0-9a-f]+", "dump"))
              .filter(line -> !line.contains("mmv.control."));
      boolean unordered = command.startsWith("children") || command.startsWith("traverse");
      return new Exchange(command, (unordered ? stable.sorted() : stable).toList());
    }
  }

  /** Starts an agent on a pipe and runs a script. */
  static Dbpmda pipe(TemporaryPcp pcp, AgentCommand agent, String script) {
    String command = String.join(" ", agent.words());
    return run(pcp, "open pipe " + command, script);
  }

  /** Connects to an agent and runs a script; {@code family} is unix, inet or ipv6. */
  static Dbpmda socket(TemporaryPcp pcp, String family, String address, String script) {
    return run(pcp, "open socket " + family + " " + address, script);
  }

  private static Dbpmda run(TemporaryPcp pcp, String open, String script) {
    Need.PCP.require();
    String input = open + "\n" + script + "quit\n";
    Shell.Result result =
        Shell.run(
            pcp.environment(),
            List.of("dbpmda", "-q", "60", "-f", "-e", "-i", "-n", pcp.names().toString()),
            input);
    return new Dbpmda(result.toString(), exchanges(result.outOfSuccess()));
  }

  private static List<Exchange> exchanges(String output) {
    List<Exchange> exchanges = new ArrayList<>();
    for (String line : output.lines().toList()) {
      if (line.startsWith(PROMPT)) {
        exchanges.add(new Exchange(line.substring(PROMPT.length()), new ArrayList<>()));
      } else {
        exchanges.getLast().lines().add(line);
      }
    }
    return exchanges;
  }

  /** Returns the answer to a command that occurs once in the script. */
  String answer(String command) {
    List<Exchange> found =
        exchanges.stream().filter(exchange -> exchange.command().equals(command)).toList();
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " answers to " + command + " in " + output);
    }
    return found.getFirst().lines().stream().collect(Collectors.joining("\n"));
  }

  /** Returns all exchanges in which two agents should agree. */
  List<Exchange> normalized() {
    return exchanges.stream()
        .filter(exchange -> !exchange.command().startsWith("open "))
        .filter(exchange -> !exchange.command().equals("status"))
        .map(Exchange::normalized)
        .toList();
  }
}
