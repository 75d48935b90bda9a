package org.jmmv.qa;

import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Profile;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Why is my file not there? The agent tells it in {@code mmv.control.file} and in the log. */
@Tag("quick")
final class FileStatusTest {
  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final Path mmv = pcp.mmv();
  private final Path log = pcp.file("mmv.log");

  private static MmvWriter sound() {
    MmvWriter writer = new MmvWriter(2);
    writer.metric("m", 1, ValueType.I64).value(1);
    return writer;
  }

  private AgentConnection start(AgentCommand command) throws IOException {
    return AgentConnection.start(command.with("-l", log.toString()).words(), environment());
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(pcp.environment());
    environment.put("PCP_SYSCONF_DIR", pcp.file("etc").toString());
    return environment;
  }

  /** Returns the values of a metric by the names of their instances. */
  private static Map<String, String> values(AgentConnection agent, String metric)
      throws IOException {
    int pmid = agent.pmid("mmv.control.file." + metric);
    Map<Integer, String> names =
        agent.instances(agent.describe(pmid).inDom()).instances().stream()
            .collect(toMap(Instance::number, Instance::name));
    Map<String, String> values = new TreeMap<>();
    agent
        .fetch(Profile.all(0, 0), pmid)
        .sets()
        .getFirst()
        .values()
        .forEach(value -> values.put(names.get(value.instance()), value.value().asText()));
    return values;
  }

  /**
   * What is expected of an entry: its state, and patterns of the reason and of its line in the log.
   */
  private record Expected(String state, String reason, String line) {}

  private final Map<String, Expected> expected = new TreeMap<>();

  private void expect(String instance, String state, String reason) {
    expected.put(instance, new Expected(state, reason, "Warning: %s: %s"));
  }

  /** Expects what is logged only with a debug option. */
  private void expectDebug(String instance, String state, String reason) {
    expected.put(instance, new Expected(state, reason, "Debug: %s: not served: %s"));
  }

  @Test
  void eachOddEntryHasAStateAReasonAndALine() throws Exception {
    Need.ROOT.require(); // to start the agent as user pcp, who may not read all files
    String left = "\\. No metrics of it are served\\.";
    sound().write(mmv, "sound");
    expected.put("sound", new Expected("served", "", null));
    MmvWriter.flux(sound().write(mmv, "flux"));
    expectDebug("flux", "in flux", "its application is writing it.*");
    Files.write(mmv.resolve("short"), new byte[20]);
    expectDebug("short", "too short", "too short for a header; .*");
    Files.writeString(mmv.resolve("magic"), "#!/bin/sh".repeat(20));
    expect("magic", "refused", "not an MMV file.*" + left);
    new MmvWriter(9).write(mmv, "version");
    expect("version", "refused", ".*version 9.*" + left);
    MmvWriter cut = sound();
    MmvWriter.write(cut.image().limit(cut.valueAt(0)), mmv, "cut");
    expect("cut", "served", "0 of 1 metrics served; TOC\\[1\\] at .*");
    long pid = new ProcessBuilder("true").start().onExit().get().pid();
    sound().flags(MmvWriter.PROCESS).pid(pid).write(mmv, "ended");
    expectDebug("ended", "process ended", ".*its process " + pid + " has ended");
    Shell.run(Map.of(), List.of("mkfifo", mmv.resolve("fifo").toString())).outOfSuccess();
    expectDebug("fifo", "fifo", "a FIFO, .*");
    Files.createSymbolicLink(mmv.resolve("nowhere"), Path.of("nothing"));
    expectDebug("nowhere", "dangling", "a symbolic link whose target .*");
    Files.createDirectory(mmv.resolve("directory"));
    expectDebug("directory", "directory", "a directory, .*");
    Files.createSymbolicLink(mmv.resolve("linked"), Path.of("directory"));
    expectDebug("linked", "directory", "a directory, or a symbolic link to one, .*");
    sound().write(mmv, ".dot");
    expectDebug(".dot", "hidden", "its name begins with a dot");
    sound().write(mmv, "a blank");
    expect("a\\x20blank", "served", "0 of 1 metrics served; the file's name can't be part of .*");
    sound().write(mmv, "a-dash");
    expect("a-dash", "served", "0 of 1 metrics served; the file's name can't be part of .*");
    Path secret = sound().write(mmv, "secret");
    Shell.run(Map.of(), List.of("chmod", "600", secret.toString())).outOfSuccess();
    expect(
        "secret",
        "unreadable",
        "can't be opened: Permission denied \\(user ID 0, mode 0600\\)" + left);
    Files.write(mmv.resolve("large"), new byte[100_001]);
    expect("large", "over limit", "can't be opened: it has 100001 bytes, the limit is .*" + left);
    MmvWriter many = new MmvWriter(2);
    for (int i = 0; i < 60; i++) {
      many.metric("m" + i, i, ValueType.I64).value(i);
    }
    many.write(mmv, "many");
    expect("many", "over limit", "over the limit of 50 metrics in all .*" + left);
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(mmv.resolve("socket")));
    }
    expectDebug("socket", "socket", "a socket, .*");

    Path settings = pcp.file("etc/jmmv/jmmv.toml");
    Files.createDirectories(settings.getParent());
    Files.writeString(
        settings,
        """
        [limits]
        file-size = 100000
        metrics = 50
        [[directory]]
        exclude = ["excluded*"]
        """);
    sound().write(mmv, "excluded1");
    expectDebug("excluded1", "excluded", "the settings exclude its name");
    try (AgentConnection agent = start(AgentCommand.jmmv().withOptions("-Dappl0"))) {
      Map<String, String> states = values(agent, "state_name");
      Map<String, String> reasons = values(agent, "reason");
      assertCheckAgrees(states, reasons, values(agent, "metrics"), values(agent, "skipped"));
      assertEquals(expected.keySet(), states.keySet());
      agent.traverse("mmv");
      String said = TemporaryPcp.text(log);
      assertAll(
          expected.entrySet().stream()
              .map(entry ->
                  () -> assertAsExpected(entry.getKey(), entry.getValue(), states, reasons, said)));
    }
  }

  /** Compares the states with those of {@code jmmv check}, run by the agent's user. */
  private void assertCheckAgrees(
      Map<String, String> states,
      Map<String, String> reasons,
      Map<String, String> metrics,
      Map<String, String> skipped)
      throws JsonProcessingException {
    List<String> command =
        List.of(
            "setpriv",
            "--reuid=pcp",
            "--regid=pcp",
            "--clear-groups",
            AgentCommand.TOOL.toString(),
            "check",
            "--quiet",
            "--json");
    JsonNode files =
        new ObjectMapper()
            .readTree(Shell.run(environment(), command).outOf(1))
            .path(0)
            .path("files");
    Set<String> names = new TreeSet<>();
    for (JsonNode file : files) {
      String name = file.path("file").asText().replace(" ", "\\x20");
      names.add(name);
      String state = states.get(name);
      assertEquals(state.equals("served"), !file.path("state").asText().equals("not served"), name);
      assertEquals(metrics.get(name), file.path("served").asText(), name);
      long left = file.path("metrics").asLong() - file.path("served").asLong();
      assertEquals(skipped.get(name), Long.toString(left), name);
      String problem =
          file.path("findings")
              .path(0)
              .path("problem")
              .asText()
              .replace("owner root", "user ID 0"); // the agent does not look up names
      if (!state.equals("in flux") && !state.equals("too short")) { // there check has details
        assertTrue(reasons.get(name).contains(problem), () -> name + ": " + problem);
        assertEquals(reasons.get(name).isEmpty(), problem.isEmpty(), name);
      }
    }
    assertEquals(states.keySet(), names);
  }

  private static void assertAsExpected(
      String name,
      Expected entry,
      Map<String, String> states,
      Map<String, String> reasons,
      String log) {
    assertEquals(entry.state, states.get(name), name);
    assertTrue(reasons.get(name).matches(entry.reason), name + ": " + reasons.get(name));
    if (entry.line != null) {
      // the log has the fault and the summary on two lines, and does not escape blanks
      String reason = entry.reason.replaceFirst("^0 of 1 metrics served; ", "");
      String file = Pattern.quote(name.replace("\\x20", " "));
      Pattern line =
          Pattern.compile("^\\[.*" + entry.line.formatted(file, reason) + "$", Pattern.MULTILINE);
      List<String> lines = line.matcher(log).results().map(MatchResult::group).toList();
      int most = entry.reason.startsWith("0 of") ? 2 : 1;
      assertTrue(!lines.isEmpty() && lines.size() <= most, () -> line + " in " + log);
    }
  }

  /** A file is in flux, then served, then refused; pmlogger and pmval show it. */
  @Test
  void anArchiveShowsTheStatesOfAFile() throws IOException {
    String archive = pcp.file("archive").toString();
    String state = "mmv.control.file.state";
    Path configuration =
        Files.writeString(
            pcp.file("pmlogger.conf"), "log mandatory on 100 msec { mmv.control.file }\n");
    try (PrivatePmcd pmcd = PrivatePmcd.start(pcp, AgentCommand.jmmv());
        RunningClient pmlogger =
            RunningClient.start(
                pcp,
                "pmlogger",
                pmcd.command(
                    "pmlogger", "-c" + configuration, "-l" + pcp.file("pmlogger.log"), archive))) {
      MmvWriter.flux(sound().write(mmv, "app"));
      awaitLogged(archive, "inst \\[\\d+ or \"app\"\\] value 2");
      sound().write(mmv, "app");
      awaitLogged(archive, "inst \\[\\d+ or \"app\"\\] value 1");
      Files.writeString(mmv.resolve("app"), "#!/bin/sh".repeat(20));
      awaitLogged(archive, "inst \\[\\d+ or \"app\"\\] value 10");
      assertTrue(pmlogger.isRunning(), pmlogger::output);
      pmlogger.stop();
      String shown = onArchive("pmval", "-r", "-t0.1", "-f0", "-a", archive, state).outOfSuccess();
      List<String> states =
          Pattern.compile("^\\d\\d:\\d\\d:\\S+ +(\\d+) *$", Pattern.MULTILINE)
              .matcher(shown)
              .results()
              .map(found -> found.group(1))
              .distinct()
              .toList();
      assertEquals(List.of("2", "1", "10"), states, shown);
      Shell.Result checked = onArchive("pmlogcheck", archive);
      assertEquals("", checked.outOfSuccess() + checked.err());
      assertFalse(TemporaryPcp.text(pcp.file("pmlogger.log")).contains("Error"), "pmlogger's log");
    }
  }

  private static final Path CONFIGURATION = AgentCommand.JMMV.resolveSibling("config");

  private void writeOneRefusedAndOneDamaged() throws IOException {
    Files.writeString(mmv.resolve("wrong"), "#!/bin/sh".repeat(20));
    MmvWriter damaged = sound();
    damaged.metric("bad-name", 2, ValueType.I64).value(1);
    damaged.write(mmv, "damaged");
    sound().write(mmv, "sound");
  }

  @Test
  void theRulesForPmieReportRefusedFilesAndMetricsLeftOut() throws IOException {
    Need.PCP.require();
    writeOneRefusedAndOneDamaged();
    String rules = "/var/lib/pcp/config/pmieconf/global:" + CONFIGURATION.resolve("pmieconf");
    String configuration = pcp.file("pmie.conf").toString();
    for (List<String> change :
        List.of(
            List.of("delta", "1 sec"),
            List.of("syslog_action", "no"),
            List.of("user_action", "yes"))) {
      String[] modify = {"modify", "global", change.get(0), change.get(1)};
      List<String> command = new ArrayList<>(List.of("pmieconf", "-r", rules));
      command.addAll(List.of("-f", configuration));
      command.addAll(List.of(modify));
      Shell.run(pcp.environment(), command).outOfSuccess();
    }
    try (PrivatePmcd pmcd = PrivatePmcd.start(pcp, AgentCommand.jmmv())) {
      Shell.Result pmie = pmcd.client("pmie", "-T1.5sec", "-c" + configuration);
      String said = pmie.toString();
      assertTrue(said.contains("MMV file is refused state10[wrong]@"), said);
      assertTrue(said.contains("Metrics of an application are left out 1metrics[damaged]@"), said);
      assertFalse(said.contains("sound"), said);
    }
  }

  @Test
  void pmrepShowsTheTables() throws IOException {
    writeOneRefusedAndOneDamaged();
    String tables = CONFIGURATION.resolve("pmrep/jmmv.conf").toString();
    try (PrivatePmcd pmcd = PrivatePmcd.start(pcp, AgentCommand.jmmv())) {
      sound().write(mmv, "a_name_of_24_characters_");
      String files = pmcd.client("pmrep", "-c" + tables, "-s1", ":mmv-files").outOfSuccess();
      assertTrue(files.matches("(?s).*a_name_of_24_characters_ +served +1 +0 .*"), files);
      assertTrue(files.matches("(?s).*wrong +refused +0 +0 .*"), files);
      assertTrue(files.matches("(?s).*damaged +served +1 +1 .*"), files);
      assertTrue(files.lines().allMatch(line -> line.length() <= 80), files);
      String agent = pmcd.client("pmrep", "-c" + tables, "-s2", ":mmv-agent").outOfSuccess();
      assertTrue(agent.contains("fetches/s"), agent);
      Matcher busy = Pattern.compile("(?m)^[0-9:]+ +[0-9.]+ +[0-9.]+ +([0-9.]+) ").matcher(agent);
      assertTrue(busy.find(), agent);
      assertTrue(Double.parseDouble(busy.group(1)) < 1, "seconds per second: " + agent);
    }
  }

  /** Waits until a value is in three records, so that pmval finds it in its steps. */
  private void awaitLogged(String archive, String value) {
    Pattern pattern = Pattern.compile(value + "$", Pattern.MULTILINE);
    Await.until(
        value + " is logged",
        () -> onArchive("pmdumplog", archive).toString(),
        () -> {
          String records = onArchive("pmdumplog", archive, "mmv.control.file.state").out();
          return pattern.matcher(records).results().count() >= 3;
        });
  }

  private Shell.Result onArchive(String... command) {
    return Shell.run(pcp.environment(), List.of(command));
  }
}
