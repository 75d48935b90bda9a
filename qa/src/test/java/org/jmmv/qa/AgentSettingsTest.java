package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.ValueSet;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The settings file of an agent on a pipe. */
final class AgentSettingsTest {
  private static final Path MAN_PAGE = AgentCommand.HOME.resolve("jmmv.toml.5");
  private static final Pattern EXAMPLE =
      Pattern.compile("\\.SH EXAMPLE\n\\.nf\n\\.ft CW\n(.*?)\\.ft R\n", Pattern.DOTALL);

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final Path file = pcp.file("etc/jmmv/jmmv.toml");
  private final Path log = pcp.file("jmmv.log");

  @BeforeEach
  void createDirectory() throws IOException {
    Files.createDirectories(file.getParent());
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(pcp.environment());
    environment.put("PCP_SYSCONF_DIR", pcp.file("etc").toString());
    return environment;
  }

  private AgentConnection start(String... options) throws IOException {
    AgentCommand command = AgentCommand.jmmv().with("-l", log.toString()).with(options);
    return AgentConnection.start(command.words(), environment());
  }

  private Shell.Result run(String... options) {
    return Shell.run(environment(), AgentCommand.jmmv().with(options).words());
  }

  private void settings(String text) {
    try {
      Path next = Files.writeString(pcp.file("next"), text);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String name, int cluster) {
    MmvWriter writer = new MmvWriter(1).cluster(cluster);
    writer.metric("m", 1, ValueType.I32).value(cluster);
    writer.write(pcp.mmv(), name);
  }

  private static Set<String> files(AgentConnection agent) {
    try {
      Set<String> files = new TreeSet<>(agent.children("mmv").names());
      files.remove("control");
      return files;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void await(AgentConnection agent, String... served) {
    Await.until(
        List.of(served) + " are served",
        () -> files(agent) + TemporaryPcp.text(log),
        () -> files(agent).equals(Set.of(served)));
  }

  private static void hangUp(AgentConnection agent) {
    Shell.run(Map.of(), List.of("kill", "-HUP", Long.toString(agent.pid()))).outOfSuccess();
  }

  // --- check

  @Test
  void checkSaysWhetherTheFileIsRight() {
    Shell.Result missing = run("--check-config");
    assertEquals(file + ": no such file, the defaults apply\n", missing.outOfSuccess());
    settings("limits.files = 7");
    Shell.Result right = run("--check-config");
    assertEquals(file + ": no errors\n", right.outOfSuccess());
    assertEquals("", right.err());
    settings("limits.fils = 7\nlog.file = 7");
    Shell.Result wrong = run("--check-config");
    assertEquals("", wrong.outOf(1));
    assertEquals(
        """
        %1$s:1:1: limits.fils: unknown key; did you mean limits.files?
        %1$s:2:12: log.file: 7 is not an absolute path, or "-"
        """
            .formatted(file),
        wrong.err());
  }

  @Test
  void checkWarnsOfWhatTheAgentsUserDoesNotFindOrCantRead() throws IOException {
    Path missing = pcp.file("missing");
    settings("[[directory]]\npath = \"%s\"\n".formatted(missing));
    Shell.Result result = run("--check-config");
    assertEquals(file + ": no errors, but see the warnings\n", result.outOfSuccess());
    assertTrue(
        result.err().contains("warning: directory.path: " + missing + ": No such file"),
        result::toString);

    Need.ROOT.require();
    settings("limits.files = 7\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Shell.Result unreadable =
        Shell.run(
            environment(),
            List.of("env", "PCP_USER=nobody", AgentCommand.JMMV.toString(), "--check-config"));
    unreadable.outOfSuccess();
    assertTrue(
        unreadable.err().contains("as user nobody: the agent will notice no change"),
        unreadable::toString);
  }

  @Test
  void checkTakesAFile() throws IOException {
    Path other = Files.writeString(pcp.file("other.toml"), "x = 1");
    assertEquals(
        other + ":1:1: x: unknown key; the keys are status, limits, log, directory, http\n",
        run("--check-config", other.toString()).err());
    assertEquals(1, run("--check-config=" + pcp.file("missing")).status());
    assertTrue(run("--check-config=/").err().contains("\"/\" is not a file name"));
  }

  @Test
  void theExampleOfTheManPageIsRight() throws IOException {
    Matcher example = EXAMPLE.matcher(TemporaryPcp.text(MAN_PAGE));
    assertTrue(example.find());
    Files.writeString(file, example.group(1).replace("\\-", "-"));
    run("--check-config").outOfSuccess();
  }

  // --- start

  @Test
  void anAgentWithAWrongFileDoesNotStart() {
    settings("limits.files = 0");
    String error = file + ":1:16: limits.files: 0 is not a number from 1 to 999999999\n";
    Shell.Result result = run("-l", log.toString());
    assertEquals("", result.outOf(1));
    assertEquals("pmdajmmv: " + error, result.err());
    assertTrue(TemporaryPcp.text(log).endsWith("Error: " + error), () -> TemporaryPcp.text(log));
  }

  @Test
  void theLogIsThatOfTheFile() throws IOException {
    write("a", 1);
    settings("[log]\nfile = '%s'\ndebug = ['appl0']".formatted(pcp.file("other.log")));
    try (AgentConnection agent =
        AgentConnection.start(AgentCommand.jmmv().words(), environment())) {
      files(agent);
    }
    String text = TemporaryPcp.text(pcp.file("other.log"));
    assertTrue(text.contains("a: loaded, 1 metrics"), text);
  }

  // --- changes

  @Test
  void aChangedFileIsNoticed() throws IOException {
    write("a", 1);
    write("b", 2);
    try (AgentConnection agent = start()) {
      await(agent, "a", "b");
      settings("[[directory]]\nexclude = ['b']");
      await(agent, "a");
      settings("[[directory]]\ninclude = ['b']");
      await(agent, "b");
      settings("# the defaults");
      await(agent, "a", "b");
    }
  }

  @Test
  void aWrongFileChangesNothing() throws IOException {
    write("a", 1);
    write("b", 2);
    settings("[[directory]]\nexclude = ['b']");
    try (AgentConnection agent = start()) {
      await(agent, "a");
      settings("[[directory]]\nexcldue = []");
      Await.until(
          "the error is reported",
          () -> TemporaryPcp.text(log),
          () -> files(agent).equals(Set.of("a")) && TemporaryPcp.text(log).contains("stay"));
      String text = TemporaryPcp.text(log);
      assertTrue(text.contains(file + ":2:1: directory.excldue: unknown key; did you mean"), text);
      assertEquals(Set.of("a"), files(agent));
      settings("# the defaults");
      await(agent, "a", "b");
    }
  }

  /** At its start the agent reads the file as root, later as user pcp. */
  @Test
  void aFileThatTheUserOfTheAgentCannotReadChangesNothing() throws IOException {
    Need.ROOT.require();
    write("a", 1);
    write("b", 2);
    settings("[[directory]]\nexclude = ['b']");
    AgentCommand asPcp = AgentCommand.jmmv().withOptions("-l", log.toString());
    try (AgentConnection agent = AgentConnection.start(asPcp.words(), environment())) {
      await(agent, "a");
      settings("# the defaults");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      Await.until(
          "the error is reported",
          () -> TemporaryPcp.text(log),
          () -> files(agent).equals(Set.of("a")) && TemporaryPcp.text(log).contains("stay"));
      String text = TemporaryPcp.text(log);
      assertTrue(text.contains(file + ": can't be read: Permission denied"), text);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
      await(agent, "a", "b");
    }
  }

  @Test
  void whatTakesEffectLaterIsSaid() throws IOException {
    write("a", 1);
    try (AgentConnection agent = start()) {
      await(agent, "a");
      settings("status = false\n[http]\nlisten = ['127.0.0.1:1']");
      hangUp(agent);
      Await.until(
          "the status is reported",
          () -> files(agent).equals(Set.of("a")) && TemporaryPcp.text(log).contains("next start"));
    }
    assertTrue(TemporaryPcp.text(log).contains("status takes effect at the next start"));
    assertFalse(TemporaryPcp.text(log).contains("http"), "it is of no concern to the agent");
  }

  /** Settings change at each turn, while a client fetches as fast as it can. */
  @Test
  void reloadsUnderLoadLoseNoAnswer() throws IOException {
    int files = 10;
    int[] pmids = new int[files];
    for (int i = 0; i < files; i++) {
      write("file" + i, i + 1);
    }
    try (AgentConnection agent = start()) {
      for (int i = 0; i < files; i++) {
        pmids[i] = agent.pmid("mmv.file" + i + ".m");
      }
      for (int turn = 0; turn < 30; turn++) {
        boolean isWhole = turn % 2 == 1;
        settings(
            isWhole
                ? "limits.files = " + (100 + turn)
                : "[[directory]]\nprocess = 'ignore'\nexclude = ['file9']");
        hangUp(agent);
        Await.until(
            "all settings of turn " + turn + " are in force",
            () -> TemporaryPcp.text(log),
            () -> fetch(agent, pmids).size() == (isWhole ? files : files - 1));
      }
    }
    assertFalse(TemporaryPcp.text(log).contains("Error"), () -> TemporaryPcp.text(log));
  }

  /** Fetches a hundred times. Returns the last values, after checking all of them. */
  private static List<Integer> fetch(AgentConnection agent, int... pmids) {
    List<Integer> values = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        values.clear();
        Result result = agent.fetch(Profile.all(0, 0), pmids);
        for (ValueSet set : result.sets()) {
          set.values().forEach(value -> values.add(Integer.parseInt(value.value().asText())));
        }
        // the last file may be excluded; no other one may ever be missing
        assertEquals(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9), values.subList(0, pmids.length - 1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return values;
  }
}
