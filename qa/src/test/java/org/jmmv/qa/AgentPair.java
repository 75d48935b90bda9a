package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Pmid;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;

/**
 * The stock agent and jmmv over one directory, whose files are replaced between comparisons.
 *
 * <p>jmmv keeps the cluster that it has assigned to the name of a file, also while there is no such
 * file; the stock agent assigns the clusters anew, from 1 on, each time it reads the files. So a
 * file that leaves the cluster to the agent must be the only such file of its comparison, and have
 * the same name in all.
 */
final class AgentPair implements AutoCloseable {
  private static final int RELOAD = Pmid.build(70, 0, 0); // mmv.control.reload

  private final TemporaryPcp pcp;
  private final AgentConnection stock;
  private final AgentConnection jmmv;

  /** Starts the agents of a machine. */
  AgentPair(Machine machine) throws IOException {
    pcp = new TemporaryPcp(machine);
    stock = start(machine, AgentCommand.stock());
    jmmv = start(machine, AgentCommand.jmmv());
  }

  private AgentConnection start(Machine machine, AgentCommand agent) throws IOException {
    AgentCommand logging = agent.with("-l", pcp.file(agent.name() + ".log").toString());
    return AgentConnection.start(machine.command(pcp.environment(), logging.words()), Map.of());
  }

  /** Returns the directories of both agents. */
  TemporaryPcp pcp() {
    return pcp;
  }

  /** Returns what jmmv has logged since its start. */
  String log() {
    return TemporaryPcp.text(pcp.file("jmmv.log"));
  }

  /** Returns whether one of the agents has ended. */
  boolean hasEnded() {
    return stock.exitStatus().isPresent() || jmmv.exitStatus().isPresent();
  }

  /** Deletes all files, and makes sure that both agents know. */
  void deleteFiles() throws IOException {
    try (Stream<Path> files = Files.list(pcp.mmv())) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    reload();
    assertEquals(Set.of(), names(stock), "names without files");
    assertEquals(Set.of(), names(jmmv), "names without files");
  }

  /** Compares the replies of both agents about the files that there are now. */
  Interview compare() throws IOException {
    reload();
    // jmmv loads files for 0.2 s a request at most, which may not be enough on a busy machine; if
    // names differ, the interview says how
    for (int tries = 0; tries < 500 && !names(jmmv).equals(names(stock)); tries++) {
      Await.briefly();
    }
    Interview interview = new Interview(stock, jmmv);
    interview.run();
    return interview;
  }

  /** Returns the names of all metrics of files. */
  private static Set<String> names(AgentConnection agent) throws IOException {
    Set<String> names = new HashSet<>(agent.traverse("mmv"));
    names.removeIf(name -> name.startsWith("mmv.control."));
    return names;
  }

  /**
   * Makes both agents read all files anew. By itself, the stock agent does not notice changes
   * within the tick of the kernel in which it has looked at the directory.
   */
  private void reload() throws IOException {
    InstanceValue one = new InstanceValue(Instance.NULL, new Value.Word(1));
    stock.store(ValueSet.of(RELOAD, List.of(one)));
    jmmv.store(ValueSet.of(RELOAD, List.of(one)));
  }

  @Override
  public void close() {
    stock.close();
    jmmv.close();
    pcp.close();
  }
}
