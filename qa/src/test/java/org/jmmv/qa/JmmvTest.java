package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.jmmv.pcp.ValueType;
import org.jmmv.qa.Application.Library;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The assembled command {@code jmmv}, as any user. */
final class JmmvTest {
  private static final Path JMMV = AgentCommand.TOOL;

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();

  private static Shell.Result jmmv(String... words) {
    return Shell.jmmv(Map.of(), words);
  }

  /** With hidepid=2 a user sees no processes of others in /proc, where the stock agent looks. */
  @Test
  void processesThatProcHidesCount() throws IOException {
    Need.ROOT.require();
    Need.NAMESPACES.require();
    MmvWriter file = new MmvWriter(1).flags(MmvWriter.PROCESS).pid(1);
    file.metric("answer", 1, ValueType.I32).value(42);
    Path hidden = file.write(pcp.mmv(), "hidden");
    Files.setPosixFilePermissions(hidden, PosixFilePermissions.fromString("rw-r--r--"));
    String script =
        "mount -t proc -o hidepid=2 proc /proc && ! setpriv --reuid=65534 --regid=65534 --clear-groups"
            + " test -e /proc/1 && exec %s check -U nobody %s".formatted(JMMV, pcp.mmv());
    Shell.Result result =
        Shell.run(
            Map.of(),
            List.of("unshare", "--mount", "--pid", "--fork", "sh", "-c", script + "; exit 9"));
    assertTrue(result.outOfSuccess().contains("hidden: served"), result::toString);
  }

  // --- any user, any machine

  @ParameterizedTest
  @ValueSource(strings = {"check", "dump"})
  void aUserWithoutRightsAndWithoutPcpGetsTheSame(String command) {
    Need.ROOT.require(); // to become another user
    MmvWriter writer = new MmvWriter(2);
    writer.metric("m", 1, ValueType.U32).value(1);
    Path file = writer.write(pcp.mmv(), "app");
    List<String> words =
        List.of(
            "setpriv",
            "--reuid=nobody",
            "--clear-groups",
            "env",
            "-i",
            "PATH=/usr/bin:/bin",
            "PCP_CONF=/nonexistent",
            JMMV.toString(),
            command,
            file.toString());
    Shell.Result result = Shell.run(Map.of(), words);
    assertEquals(
        jmmv(command, file.toString()).outOfSuccess(),
        result.outOfSuccess().replaceFirst("judged as user nobody\n$", "judged as user pcp\n"));
    assertEquals("", result.err());
  }

  @Test
  void aLinkInThePathStartsTheCommand() throws IOException {
    Path link = Files.createSymbolicLink(pcp.file("jmmv"), JMMV);
    String out = Shell.run(Map.of(), List.of(link.toString(), "--version")).outOfSuccess();
    assertTrue(out.startsWith("jmmv version "), out);
  }

  @Test
  void cleanRemovesWhatAnEndedApplicationLeavesBehind() {
    Application ended = Application.start(pcp, Library.LIBPCP_MMV, "ended", "plain");
    ended.kill();
    try (Application _ = Application.start(pcp, Library.LIBPCP_MMV, "running", "plain")) {
      String out = jmmv("clean", pcp.mmv().toString()).outOfSuccess();
      assertTrue(out.matches("ended: removed: process \\d+ has ended\n1 file removed\n"), out);
      assertFalse(Files.exists(pcp.mmv().resolve("ended")));
      assertTrue(Files.exists(pcp.mmv().resolve("running")));
    }
  }

  // --- check with the rights of the agent

  /** Writes a file with one metric and returns its path, after a change of permissions. */
  private String write(String ofFile, String ofDirectory) throws IOException {
    Need.ROOT.require(); // to become another user
    MmvWriter writer = new MmvWriter(2);
    writer.metric("m", 1, ValueType.U32).value(1);
    Path file = writer.write(pcp.mmv(), "app");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(ofFile));
    Files.setPosixFilePermissions(pcp.mmv(), PosixFilePermissions.fromString(ofDirectory));
    return file.toString();
  }

  @Test
  void checkAsRootFindsAFileThatTheAgentCantRead() throws IOException {
    String file = write("rw-------", "rwxr-xr-x");
    String denied =
        """
        app: not served
          can't be opened: Permission denied (owner root, mode 0600)
            lost: all metrics of the file
            to do: let the agent's user, usually pcp, read the file, for example with chmod a+r
        0 of 1 files served completely, judged as user pcp
        """;
    assertEquals(denied, jmmv("check", file).outOf(1));
    Files.setAttribute(Path.of(file), "unix:uid", 59_999);
    assertEquals(denied.replace("root", "59999"), jmmv("check", file).outOf(1)); // without a name
    Files.setAttribute(Path.of(file), "unix:uid", 0);
    assertEquals(denied, jmmv("check", pcp.mmv().toString()).outOf(1));
    assertEquals(
        "app: served, 1 of 1 metrics\n1 of 1 files served completely, judged as user root\n",
        jmmv("check", "-q", "-U", "root", file).outOfSuccess());
  }

  @Test
  void checkAsRootFindsADirectoryThatTheAgentCantRead() throws IOException {
    String file = write("rw-r--r--", "rwx------");
    String out = Shell.jmmv(pcp.environment(), "check").outOf(1);
    assertEquals(
        List.of(
            "the directory: not served",
            "  the directory can't be read: Permission denied (owner root, mode 0700)"),
        out.lines().limit(2).toList());
    assertEquals(out, jmmv("check", pcp.mmv().toString()).outOf(1));
    JsonNode checked = new ObjectMapper().readTree(jmmv("check", "--json", file).outOf(1)).path(0);
    assertEquals("pcp", checked.path("user").asText());
    assertEquals("not served", checked.path("files").path(0).path("state").asText());
  }

  @Test
  void checkAsRootWorksWhereTheAgentCantReadTheInstallation() throws IOException {
    write("rw-r--r--", "rwxr-xr-x");
    Path home = Files.createDirectory(pcp.file("home"));
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
    String script =
        "cp -r %1$s %2$s/jmmv && cd %2$s && jmmv/bin/jmmv check -q ../tmp/mmv/app ../tmp/mmv"
            .formatted(AgentCommand.HOME, home);
    Shell.Result result = Shell.run(Map.of(), List.of("sh", "-c", script));
    assertEquals(
        """
        app: served, 1 of 1 metrics
        ../tmp/mmv:
        app: served, 1 of 1 metrics
        2 of 2 files served completely, judged as user pcp
        """,
        result.outOfSuccess());
    assertEquals("", result.err());
  }

  // --- the agent

  @Test
  void theAgentOnATerminalSaysWhoStartsIt() {
    String command = "script -qec '%s -l /nonexistent/log' /dev/null".formatted(AgentCommand.JMMV);
    Shell.Result result = Shell.run(Map.of(), List.of("sh", "-c", command));
    String out = result.outOf(1);
    assertTrue(out.startsWith("pmdajmmv: pmcd starts this program"), out);
    Shell.Result onlyOut =
        Shell.run(
            Map.of(), List.of("script", "-qec", AgentCommand.JMMV + " </dev/null", "/dev/null"));
    assertEquals(out, onlyOut.outOf(1));
  }
}
