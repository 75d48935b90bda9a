package org.jmmv.qa;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of an agent. */
record AgentCommand(String name, Path program, List<String> options) {

  /** The agent under test, as the build assembles it for installation. */
  static final Path JMMV = Path.of(System.getProperty("jmmv.agent")).toAbsolutePath().normalize();

  /** The command {@code jmmv} of the same build. */
  static final Path TOOL = JMMV.resolveSibling("jmmv");

  /** The installation that the build has made. */
  static final Path HOME = JMMV.getParent().getParent();

  /** Returns jmmv, which keeps the rights of this process. */
  static AgentCommand jmmv() {
    return new AgentCommand("jmmv", JMMV, KEEP_RIGHTS);
  }

  /** Returns the agent that comes with PCP, which keeps the rights of this process. */
  static AgentCommand stock() {
    List<String> keepRights = List.of("-U", System.getProperty("user.name")); // or it needs root
    return new AgentCommand("stock", stockProgram(), keepRights);
  }

  /** Returns the program of the agent that comes with the installed PCP. */
  static Path stockProgram() {
    Path agents = new MachinePcp(new ThisMachine()).place("PCP_PMDAS_DIR");
    return agents.resolve("mmv/pmdammv");
  }

  /** Started as root, an agent becomes user pcp, who may not read the files of a test. */
  private static final List<String> KEEP_RIGHTS = isRoot() ? List.of("-U", "root") : List.of();

  static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /** Returns the same agent with these options only. */
  AgentCommand withOptions(String... only) {
    return new AgentCommand(name, program, List.of(only));
  }

  /** Returns the same agent with more options. */
  AgentCommand with(String... more) {
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of(more));
    return new AgentCommand(name, program, all);
  }

  /** Returns the program and its options. */
  List<String> words() {
    List<String> words = new ArrayList<>();
    words.add(program.toString());
    words.addAll(options);
    return words;
  }
}
