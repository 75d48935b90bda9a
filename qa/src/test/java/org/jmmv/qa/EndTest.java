package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jmmv.client.AgentConnection;
import org.jmmv.client.CollectorConnection;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * However agent and collector end, they have saved all numbers that were assigned to files: also
 * those that there was no time to save before, because names of files changed all the time.
 */
final class EndTest {
  private static final int FILES = 1_500;
  private static final int MAX_MORE = 2_000;

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final Path ofAgent = pcp.file("var/config/pmda/jmmv.clusters");
  private final MmvWriter file = new MmvWriter(2);
  private final Set<String> names = new TreeSet<>();

  @BeforeEach
  void writeFiles() {
    file.metric("m", 1, ValueType.U32).value(1);
    for (int i = 0; i < FILES; i++) {
      addFile();
    }
  }

  private String addFile() {
    String name = "f" + names.size() + "_".repeat(200); // for a file that takes long to save
    file.write(pcp.mmv(), name);
    names.add(name);
    return name;
  }

  /** Sends a request, and returns the reply. */
  private interface Requests {
    Pdu ask(Pdu request) throws IOException;
  }

  /** Has numbers assigned until one is not saved at once. */
  private void assignUntilUnsaved(Path clusters, Requests requests) {
    Await.until("all files are served", () -> names.stream().allMatch(name -> has(requests, name)));
    for (int i = 0; i < MAX_MORE; i++) {
      String name = addFile();
      Await.until("the new file is served", () -> has(requests, name));
      if (!TemporaryPcp.text(clusters).contains(name)) {
        return;
      }
    }
    throw new AssertionError("all numbers were saved at once");
  }

  private static boolean has(Requests requests, String file) {
    PmnsNames name = new PmnsNames(0, List.of("mmv." + file + ".m"), List.of());
    try {
      return requests.ask(name) instanceof PmnsIds(_, _, List<Integer> pmids)
          && pmids.getFirst() != Pmid.NULL;
    } catch (IOException e) {
      return false; // it has no PMID
    }
  }

  /** Returns the names of the files that have an assigned number. */
  private static Set<String> saved(Path clusters) {
    return TemporaryPcp.text(clusters)
        .lines()
        .filter(line -> line.matches("f[0-9]+_+=[0-9]+ [0-9]+"))
        .map(line -> line.substring(0, line.indexOf('=')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void assertSaved(Path clusters) {
    Set<String> missing = new TreeSet<>(names);
    missing.removeAll(saved(clusters));
    assertEquals(Set.of(), missing);
  }

  private AgentCommand agent(String... options) {
    return AgentCommand.jmmv().with("-l", pcp.file("mmv.log").toString()).with(options);
  }

  private static void end(long pid, String signal) {
    if (signal.equals("INT")) {
      Need.SIGINT.require();
    }
    Shell.run(Map.of(), List.of("kill", "-" + signal, Long.toString(pid))).outOfSuccess();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "TERM"})
  void anAgentOnAPipe(String signal) throws IOException {
    AgentConnection pmcd = AgentConnection.start(agent().words(), pcp.environment());
    try (pmcd) { // closing it is the end of input
      assignUntilUnsaved(ofAgent, pmcd::request);
      if (!signal.isEmpty()) {
        end(pmcd.pid(), signal);
      }
    }
    assertEquals(0, pmcd.exitStatus().orElseThrow());
    assertSaved(ofAgent);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "TERM"})
  void anAgentOnASocket(String signal) throws IOException {
    Path socket = pcp.file("socket");
    try (AgentProcess process = AgentProcess.start(pcp, agent("-u", socket.toString()))) {
      process.awaitListeningAt(socket);
      try (AgentConnection pmcd = AgentConnection.connect(UnixDomainSocketAddress.of(socket))) {
        assignUntilUnsaved(ofAgent, pmcd::request);
        if (!signal.isEmpty()) {
          end(process.handle().pid(), signal);
          assertEquals(0, process.status());
        }
      }
      assertEquals(0, process.status(), () -> TemporaryPcp.text(pcp.file("mmv.log")));
    }
    assertSaved(ofAgent);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  void aCollector(String signal) throws IOException {
    try (CollectorProcess collector = CollectorProcess.start(pcp)) {
      Path clusters = onlyFileOfNumbers();
      try (CollectorConnection client = CollectorConnection.introduced(collector.socketAddress())) {
        assignUntilUnsaved(clusters, client::ask);
        end(collector.pid(), signal);
        assertEquals(0, collector.status());
      }
      assertSaved(clusters);
    }
  }

  private Path onlyFileOfNumbers() throws IOException {
    try (Stream<Path> files = Files.list(pcp.file("state/jmmv"))) {
      List<Path> found =
          files.filter(one -> one.toString().endsWith(".clusters")).collect(Collectors.toList());
      assertEquals(1, found.size(), found::toString);
      return found.getFirst();
    }
  }

  /** It is killed then, or the machine loses its power. */
  @Test
  void anAgentThatNobodyAsksAnyMoreSavesWhatIsLeft() throws IOException {
    try (AgentConnection pmcd = AgentConnection.start(agent().words(), pcp.environment())) {
      assignUntilUnsaved(ofAgent, pmcd::request);
      Await.until("all numbers are saved", () -> saved(ofAgent).equals(names));
      end(pmcd.pid(), "KILL");
    }
    assertSaved(ofAgent);
  }

  /** Otherwise a power cut can leave an empty file. */
  @Test
  void theFileIsOnTheDiskBeforeItReplacesTheFormerOne() {
    Need.STRACE.require();
    Path trace = pcp.file("trace");
    List<String> words =
        new ArrayList<>(List.of("-f", "-y", "-e", "trace=fsync,/^rename", "-o", trace.toString()));
    words.addAll(agent().words());
    AgentCommand traced = new AgentCommand("traced", Path.of("strace"), words);
    try (AgentProcess process = AgentProcess.start(pcp, traced)) {
      process.awaitGreeting();
      process.children();
      assertEquals(0, process.statusAfterEndOfInput());
    }
    List<String> calls =
        TemporaryPcp.text(trace)
            .lines()
            .filter(line -> line.contains("/.jmmv.clusters.new>") || line.contains("rename"))
            .toList();
    assertTrue(calls.size() >= 2, calls::toString);
    assertTrue(calls.getFirst().contains("fsync("), calls::toString);
    assertTrue(calls.get(1).contains("\"jmmv.clusters\""), calls::toString);
  }
}
