package org.jmmv.qa;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.testkit.StockAgent;

/** Which agent is to be started, and with which options. */
record AgentCommand(String name, Path program, List<String> options) {

  /** The agent under test, as it is assembled for installation. */
  static final Path JMMV = Path.of(System.getProperty("jmmv.agent")).toAbsolutePath().normalize();

  /** jmmv with its rights kept. */
  static AgentCommand jmmv() {
    return new AgentCommand("jmmv", JMMV, KEEP_RIGHTS);
  }

  /** The agent that comes with PCP, with its rights kept. */
  static AgentCommand stock() {
    return new AgentCommand("stock", StockAgent.program("mmv"), KEEP_RIGHTS);
  }

  /** Started as root, both agents become another user, who might not get at a test's files. */
  private static final List<String> KEEP_RIGHTS = isRoot() ? List.of("-U", "root") : List.of();

  static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /** Fails where a test can't be what it is: agents that pmcd starts are started as root. */
  static void needRoot() {
    if (!isRoot()) {
      throw new AssertionError("only root can run this test: it starts the agent as pmcd does");
    }
  }

  /** The same agent with these options alone. */
  AgentCommand withOptions(String... only) {
    return new AgentCommand(name, program, List.of(only));
  }

  /** The same agent with these options added. */
  AgentCommand with(String... more) {
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of(more));
    return new AgentCommand(name, program, all);
  }

  /** The words of the command line. */
  List<String> words() {
    List<String> words = new ArrayList<>();
    words.add(program.toString());
    words.addAll(options);
    return words;
  }
}
