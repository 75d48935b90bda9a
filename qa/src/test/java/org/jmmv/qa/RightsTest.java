package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The permissions of the agent's files and sockets. StartTest is about the user it runs as. */
final class RightsTest {
  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final Path log = pcp.file("mmv.log");

  /** Starts the agent with umask 0. */
  private AgentProcess startCarelessly(String... options) {
    AgentCommand agent = AgentCommand.jmmv().with("-l", log.toString()).with(options);
    String command = "umask 0; exec " + String.join(" ", agent.words());
    return AgentProcess.start(
        pcp, new AgentCommand("careless", Path.of("/bin/sh"), List.of("-c", command)));
  }

  @Test
  void otherUsersMayNotWriteToTheAgentsFiles() throws IOException {
    MmvWriter automatic = new MmvWriter(2);
    automatic.metric("m", 1, ValueType.U32).value(1);
    automatic.write(pcp.mmv(), "app");
    try (AgentProcess agent = startCarelessly()) {
      agent.awaitGreeting();
      agent.awaitChildren("app", "control");
      assertEquals("rw-r--r--", permissions(log));
      assertEquals("rw-r--r--", permissions(pcp.file("var").resolve("config/pmda/jmmv.clusters")));
      assertEquals(0, agent.statusAfterEndOfInput());
    }
  }

  private static String permissions(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anInetSocketListensOnTheLoopbackAddressOnly() {
    int port = PrivatePmcd.freePort();
    try (AgentProcess agent = startCarelessly("-i", Integer.toString(port))) {
      agent.awaitListeningAt(port);
      assertEquals(Set.of("0100007F"), localAddresses("/proc/net/tcp", port));
      assertEquals(Set.of(), localAddresses("/proc/net/tcp6", port));
    }
    try (AgentProcess agent = startCarelessly("-6", Integer.toString(port))) {
      agent.awaitListeningAt(port);
      assertEquals(
          Set.of("00000000000000000000000001000000"), localAddresses("/proc/net/tcp6", port));
      assertEquals(Set.of(), localAddresses("/proc/net/tcp", port));
    }
  }

  /** Returns the local addresses of listening sockets, as a little-endian kernel shows them. */
  private static Set<String> localAddresses(String table, int port) {
    String end = String.format(Locale.ROOT, ":%04X", port);
    return TemporaryPcp.text(Path.of(table))
        .lines()
        .map(line -> line.strip().split("\\s+"))
        .filter(fields -> fields[1].endsWith(end) && fields[3].equals("0A"))
        .map(fields -> fields[1].substring(0, fields[1].length() - end.length()))
        .collect(Collectors.toSet());
  }
}
