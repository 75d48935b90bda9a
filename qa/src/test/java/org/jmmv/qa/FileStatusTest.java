package org.jmmv.qa;

import static java.util.stream.Collectors.toMap;
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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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

  /** Why each is not served, and that the log has it, is tested where files are watched. */
  @Test
  void theAgentAndCheckAgreeOnTheStateOfEachOddEntry() throws Exception {
    Need.ROOT.require(); // to start the agent as user pcp, who may not read all files
    Map<String, String> expected = new TreeMap<>();
    sound().write(mmv, "sound");
    expected.put("sound", "served");
    MmvWriter.flux(sound().write(mmv, "flux"));
    expected.put("flux", "in flux");
    Files.write(mmv.resolve("short"), new byte[20]);
    expected.put("short", "too short");
    Files.writeString(mmv.resolve("magic"), "#!/bin/sh".repeat(20));
    expected.put("magic", "refused");
    new MmvWriter(9).write(mmv, "version");
    expected.put("version", "refused");
    MmvWriter cut = sound();
    MmvWriter.write(cut.image().limit(cut.valueAt(0)), mmv, "cut");
    expected.put("cut", "served");
    long pid = new ProcessBuilder("true").start().onExit().get().pid();
    sound().flags(MmvWriter.PROCESS).pid(pid).write(mmv, "ended");
    expected.put("ended", "process ended");
    Shell.run(Map.of(), List.of("mkfifo", mmv.resolve("fifo").toString())).outOfSuccess();
    expected.put("fifo", "fifo");
    Files.createSymbolicLink(mmv.resolve("nowhere"), Path.of("nothing"));
    expected.put("nowhere", "dangling");
    Files.createDirectory(mmv.resolve("directory"));
    expected.put("directory", "directory");
    Files.createSymbolicLink(mmv.resolve("linked"), Path.of("directory"));
    expected.put("linked", "directory");
    sound().write(mmv, ".dot");
    expected.put(".dot", "hidden");
    sound().write(mmv, "a blank");
    expected.put("a\\x20blank", "served");
    Path secret = sound().write(mmv, "secret");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    expected.put("secret", "unreadable");
    Files.write(mmv.resolve("large"), new byte[100_001]);
    expected.put("large", "over limit");
    MmvWriter many = new MmvWriter(2);
    for (int i = 0; i < 60; i++) {
      many.metric("m" + i, i, ValueType.I64).value(i);
    }
    many.write(mmv, "many");
    expected.put("many", "over limit");
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(mmv.resolve("socket")));
    }
    expected.put("socket", "socket");

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
    expected.put("excluded1", "excluded");
    try (AgentConnection agent = start(AgentCommand.jmmv().withOptions())) {
      assertEquals(expected, values(agent, "state_name"));
      assertCheckAgrees(
          expected, values(agent, "reason"), values(agent, "metrics"), values(agent, "skipped"));
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
    names.add(".dot"); // check names it only if it is asked for it
    assertEquals(states.keySet(), names);
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
        RunningProgram pmlogger =
            RunningProgram.start(
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

  private static final Path CONFIGURATION = AgentCommand.HOME.resolve("config");

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
