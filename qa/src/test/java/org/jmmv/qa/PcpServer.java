package org.jmmv.qa;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What PCP's clients connect to: a pmcd, or {@code jmmv serve}.
 *
 * @param machine the machine on which its clients run
 * @param environment additions to the environment of its clients
 * @param host its host specification, as the clients' option -h takes it. Without -h, a client
 *     whose socket does not answer connects to the machine's own pmcd
 */
record PcpServer(Machine machine, Map<String, String> environment, String host) {
  private static final String SECONDS = Long.toString(Await.LIMIT.toSeconds());

  /** How long clients wait: longer than by default, for a busy machine. */
  static final Map<String, String> PATIENCE =
      Map.of("PMCD_CONNECT_TIMEOUT", SECONDS, "PMCD_REQUEST_TIMEOUT", SECONDS);

  /** Has PCP's clients in Python use the system's, which has PCP's modules. */
  static final String PYTHON = "PCP_PYTHON_PROG=/usr/bin/python3";

  /** Returns the command that runs one of PCP's clients against this server. */
  List<String> command(String program, String... arguments) {
    machine.require(Need.PCP);
    switch (program) {
      case "pcp2json" -> machine.require(Need.PCP2JSON);
      case "pmdumptext" -> machine.require(Need.PMDUMPTEXT);
      case "pmrep" -> machine.require(Need.PYTHON);
      default -> {}
    }
    return Stream.of(
            Stream.of("env", PYTHON),
            PATIENCE.entrySet().stream().map(Map.Entry::toString),
            environment.entrySet().stream().map(Map.Entry::toString),
            Stream.of(program, "-h", host),
            Stream.of(arguments))
        .flatMap(part -> part)
        .toList();
  }

  /** Runs one of PCP's clients against this server. */
  Shell.Result client(String program, String... arguments) {
    return machine.run(command(program, arguments).toArray(String[]::new));
  }
}
