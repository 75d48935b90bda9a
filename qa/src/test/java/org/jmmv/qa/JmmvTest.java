package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jmmv.pcp.ValueType;
import org.jmmv.qa.Application.Library;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.SeedFiles;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The assembled command {@code jmmv}, on files of real writers and as any user. */
final class JmmvTest {
  private static final Path JMMV = AgentCommand.TOOL;

  /** Numbers are compared as decimals: a double would lose digits of 64-bit integers. */
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

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

  // --- dump

  @TestFactory
  Stream<DynamicTest> dumpOfAFileAgreesWithMmvdump() {
    return SeedFiles.all().entrySet().stream()
        .map(file ->
            DynamicTest.dynamicTest(
                file.getKey(),
                () -> {
                  pcp.serve(file.getKey(), file.getValue());
                  assertDumpedAlike(pcp.mmv().resolve(file.getKey()));
                }));
  }

  @ParameterizedTest
  @CsvSource({
    "LIBPCP_MMV,plain",
    "LIBPCP_MMV,edges",
    "LIBPCP_MMV,long edges",
    "PYTHON,plain",
    "PYTHON,edges",
    "PARFAIT,plain",
    "PARFAIT,long"
  })
  void dumpOfALiveFileAgreesWithMmvdump(Library library, String shape) throws IOException {
    try (Application application = Application.start(pcp, library, "shop", shape)) {
      if (shape.equals("plain")) {
        application.set("requests", "9007199254740993");
        application.set("throughput", "-0.125");
        application.set("state", "running");
      }
      assertDumpedAlike(pcp.mmv().resolve("shop"));
    }
  }

  private static void assertDumpedAlike(Path file) throws JsonProcessingException {
    Mmvdump expected = Mmvdump.of(file);
    assertFalse(expected.metrics().isEmpty());
    JsonNode dump = JSON.readTree(jmmv("dump", "--json", file.toString()).outOfSuccess());
    assertEquals(expected.metrics(), metrics(dump));
    assertEquals(expected.labels(), labels(dump));
    List<String> values = new ArrayList<>(expected.values());
    boolean hasSentinel = dump.path("flags").toString().contains("SENTINEL");
    for (String value : values(dump)) {
      String timer = value.substring(0, value.lastIndexOf('|')) + "|running";
      assertTrue(values.remove(value) || values.remove(timer), () -> value + " not in " + values);
    }
    // what is left is not served: sentinels, strings without a text, and metrics without support
    values.removeIf(value ->
        value.matches(".*\\|(\"\"|\\(null\\)|.*\\bbad\\b.*|.*NOSUPPORT.*|.*unsupported.*)")
            || (hasSentinel
                && value.matches(".*\\|(-1|4294967295|18446744073709551615|-?nan|running)")));
    assertEquals(List.of(), values);
  }

  private static List<String> metrics(JsonNode dump) {
    List<String> metrics = new ArrayList<>();
    for (JsonNode metric : dump.path("metrics")) {
      List<String> fields = new ArrayList<>();
      for (String name :
          List.of(
              "item",
              "offset",
              "name",
              "type",
              "semantics",
              "units",
              "instanceDomain",
              "shortHelp",
              "longHelp")) {
        fields.add(metric.path(name).asText("null"));
      }
      metrics.add(String.join("|", fields));
    }
    return metrics;
  }

  private static List<String> values(JsonNode dump) {
    List<String> values = new ArrayList<>();
    for (JsonNode metric : dump.path("metrics")) {
      for (JsonNode value : metric.path("values")) {
        JsonNode instance = value.path("instance");
        String number = instance.isMissingNode() ? "null" : instance.asText();
        values.add(
            "%s|%s|%s|%s"
                .formatted(
                    metric.path("name").asText(),
                    number,
                    instanceName(dump, metric, number),
                    value(metric, value.path("value"))));
      }
    }
    return values;
  }

  private static String instanceName(JsonNode dump, JsonNode metric, String number) {
    for (JsonNode inDom : dump.path("instanceDomains")) {
      for (JsonNode instance : inDom.path("instances")) {
        if (inDom.path("serial").equals(metric.path("instanceDomain"))
            && instance.path("number").asText().equals(number)) {
          return instance.path("name").asText();
        }
      }
    }
    return "null";
  }

  /** Returns a value as mmvdump prints it. */
  private static String value(JsonNode metric, JsonNode value) {
    return switch (metric.path("type").asText()) {
      case "STRING" -> '"' + value.asText() + '"';
      case "FLOAT" -> decimal(new BigDecimal(Float.parseFloat(value.asText())));
      case "DOUBLE" -> decimal(new BigDecimal(value.asDouble()));
      default -> value.asText();
    };
  }

  private static String decimal(BigDecimal number) {
    return number.setScale(6, RoundingMode.HALF_EVEN).toPlainString();
  }

  private static List<String> labels(JsonNode dump) {
    List<String> labels = new ArrayList<>();
    for (JsonNode label : dump.path("labels")) {
      labels.add(
          "%s|%s|%s|%s"
              .formatted(
                  label.path("flags"),
                  label.path("identity"),
                  label.path("instance"),
                  label.path("labels")));
    }
    return labels;
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
    JsonNode checked = JSON.readTree(jmmv("check", "--json", file).outOf(1)).path(0);
    assertEquals("pcp", checked.path("user").asText());
    assertEquals("not served", checked.path("files").path(0).path("state").asText());
  }

  @Test
  void checkAsRootWorksWhereTheAgentCantReadTheInstallation() throws IOException {
    write("rw-r--r--", "rwxr-xr-x");
    Path home = Files.createDirectory(pcp.file("home"));
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
    String script =
        "cp -r %1$s %2$s/jmmv && cd %2$s && jmmv/jmmv check -q ../tmp/mmv/app ../tmp/mmv"
            .formatted(JMMV.getParent(), home);
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
