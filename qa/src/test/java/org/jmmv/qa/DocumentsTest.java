package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The code blocks of the man pages and of all Markdown files: commands, what they print, lines of
 * the log and of pmcd's configuration. Each block is compared with an installation of the archive
 * under the machine's own pmcd, or is in {@link #NOT_RUN_HERE}.
 */
@Tag("install")
@Tag("quick")
final class DocumentsTest {
  /** The first lines of the blocks that this test does not run, and the reasons. */
  private static final Map<String, String> NOT_RUN_HERE =
      Map.ofEntries(
          Map.entry("$ jmmv top --once --filter orders", "ReadmeTest runs it"),
          Map.entry(
              "./demo      # shows the metrics of a small application until you press q; PCP is not"
                  + " needed",
              "qa/demo-test runs ./demo, and ./check runs this test"),
          Map.entry(
              "pmcd             PCP's clients       Prometheus, browsers       terminal",
              "a drawing"),
          Map.entry(
              "jmmv serve --listen none --http 127.0.0.1:9464 /var/tmp/mmv",
              "its port is fixed; ExpositionTest has a free one"),
          Map.entry(
              "curl -s 'http://127.0.0.1:9464/api/v1/metrics?search=orders'",
              "its port is fixed; ApiTest has a free one"),
          Map.entry(
              "curl -s 'http://127.0.0.1:9464/api/v1/search?word=orders&word=card'",
              "its port is fixed; ApiTest has a free one"),
          Map.entry(
              "curl -s 'http://127.0.0.1:9464/api/v1/history?series=70.11.1&step=60000'",
              "its port is fixed; ApiTest has a free one"),
          Map.entry(
              "JMMV_SERVE_OPTIONS=\"--listen none --http 127.0.0.1:9464\"",
              "it is for the Debian package's unit; ServiceTest runs that"),
          Map.entry("[Service]", "ServiceTest runs it"),
          Map.entry("sha256sum --check --ignore-missing SHA256SUMS", "it needs a release"),
          Map.entry("docker load -i jmmv-*-image-amd64.tar", "ImageTest runs the image"),
          Map.entry("services:", "ImageTest runs it"),
          Map.entry("[Unit]", "ImageTest has Podman read it"),
          Map.entry("apiVersion: v1", "ImageTest compares it with the API of Kubernetes"),
          Map.entry("apiVersion: apps/v1", "ImageTest compares it with the API of Kubernetes"),
          Map.entry("scrape_configs:", "PrometheusTest runs it"),
          Map.entry("scheme: https", "HttpSettingsTest runs it"),
          Map.entry("metric_relabel_configs:", "PrometheusTest runs it"),
          Map.entry("groups:", "PrometheusTest runs it"),
          Map.entry(
              "JMMV_SERVE_OPTIONS=\"--listen :44321 --http :9464 --allow 192.0.2.0/24\"",
              "FleetTest runs it"),
          Map.entry("# prometheus.yml", "FleetTest runs it"),
          Map.entry("# prometheus.yml of the one above", "FleetTest runs it"),
          Map.entry(
              "pmlogger -h 127.0.0.1 -c /etc/pcp/pmlogger/mmv.conf http://192.0.2.20:44322",
              "PushedArchive runs it"),
          Map.entry(
              "- targets: [\"192.0.2.11:9464\", \"192.0.2.12:9464\", \"192.0.2.13:9464\"]",
              "FleetTest runs it"),
          Map.entry("# fleet.rules.yml", "FleetTest runs it"),
          Map.entry("remote_write:", "FleetTest runs it"),
          Map.entry(
              "victoria-metrics -storageDataPath=/var/lib/victoria-metrics -httpListenAddr=127.0.0.1:8428 -retentionPeriod=12",
              "FleetTest runs it"),
          Map.entry("$version=1.1", "FleetTest runs it"),
          Map.entry("log mandatory on 5 sec { mmv }", "FleetTest runs it"),
          Map.entry("// fleet.pmie", "FleetTest runs it"),
          Map.entry("cd /var/log/pcp/pmlogger", "FleetTest runs it"),
          Map.entry("pmlogextract /var/log/pcp/pmlogger/shop1/*.index shop1", "FleetTest runs it"),
          Map.entry("[redis]", "FleetTest runs it"),
          Map.entry(
              "pmseries 'mmv.shop.requests{hostname == \"shop1\"}[samples:3]'",
              "FleetTest runs it"),
          Map.entry("scp 'shop1:/var/lib/jmmv/*.clusters' .", "FleetTest runs it"),
          Map.entry("location /jmmv/ {", "ProxiesTest runs it"),
          Map.entry("ProxyPass \"/jmmv/\" \"http://127.0.0.1:9464/\"", "ProxiesTest runs it"),
          Map.entry("handle_path /jmmv/* {", "ProxiesTest runs it"),
          Map.entry("frontend www", "ProxiesTest runs it"),
          Map.entry("[http]", "HttpSettingsTest runs it"),
          Map.entry(
              "[[directory]]", "DirectoriesTest and SettingsFileTest have several directories"),
          Map.entry(
              "dpkg -i dist/target/jmmv_*.deb dist/target/jmmv-pmda_*.deb",
              "it installs packages; qa/package-test does, in a chroot"),
          Map.entry("bench/compare", "it takes more than an hour of an idle machine"),
          Map.entry("bench/run", "it builds, and takes many minutes"),
          Map.entry("bench/fleet --hosts 50", "it builds, and takes a quarter of an hour"),
          Map.entry(
              "jmmv serve /var/tmp/mmv",
              "it listens on the port of the machine's pmcd; CollectorTest uses another"),
          Map.entry(
              "openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj \"/CN=$(hostname)\" -keyout"
                  + " key.pem -out cert.pem",
              "its server listens on the port of the machine's pmcd; CollectorTlsTest has another"),
          Map.entry("import org.jmmv.writer.*;", "QuickStartTest runs it"),
          Map.entry(
              "import io.micrometer.core.instrument.MeterRegistry;", "QuickStartTest runs it"),
          Map.entry("@Bean", "it needs Spring Boot, which the tests do not install"),
          Map.entry("@Singleton", "it needs Quarkus, which the tests do not install"),
          Map.entry("#include <pcp/pmapi.h>", "QuickStartTest runs it"),
          Map.entry("import time, cmmv, cpmapi", "QuickStartTest runs it"),
          Map.entry(
              "(allow pcp_pmcd_t self (capability (lease)))",
              "it is for SELinux, which the tests do not have"),
          Map.entry("package main", "it needs Go, which the tests do not install"),
          Map.entry(
              "use hornet::client::{metric::*, Client};",
              "it needs Rust, which the tests do not install"),
          Map.entry(
              "jmmv check --json | jq '.[].files[] | select(.state != \"served\")'",
              "it needs the Debian package, for its path"),
          Map.entry("jmmv top", "it needs a terminal; TopTest has one"),
          Map.entry(
              "jmmv top --csv --filter requests --interval 10 --samples 60 >requests.csv",
              "it takes ten minutes"),
          Map.entry(
              "jmmv clean --dry-run /var/lib/pcp/tmp/mmv",
              "it removes files of this machine; JmmvTest removes others"));

  private static final Path SOURCES = Path.of("..").toAbsolutePath().normalize();
  private static final Path README = SOURCES.resolve("README.md");
  private static final Path OPERATING = SOURCES.resolve("docs/operating.md");
  private static final Path TROUBLESHOOTING = SOURCES.resolve("docs/troubleshooting.md");
  private static final Path SETTINGS = SOURCES.resolve("docs/settings.md");
  private static final Path PMPROXY = SOURCES.resolve("docs/pmproxy.md");
  private static final Path MAN_PAGE = AgentCommand.HOME.resolve("pmdajmmv.1");
  private static final Path TOOLS_PAGE = AgentCommand.HOME.resolve("jmmv.1");

  /** An indented block, or a line with the fence of a fenced one, which no document may use. */
  private static final Pattern MARKDOWN_BLOCK =
      Pattern.compile("^\\n(?:(?: {4}|\\t).*\\n)+|^ *(?:```|~~~).*", Pattern.MULTILINE);

  private static final Pattern MAN_PAGE_BLOCK =
      Pattern.compile("^\\.(?:nf|EX)\\n(.*?)^\\.(?:fi|EE)$", Pattern.MULTILINE | Pattern.DOTALL);

  private static final Pattern COMMAND_AND_OUTPUT =
      Pattern.compile("^\\$ (.*)\\n((?:(?!\\$ ).*\\n)*)", Pattern.MULTILINE);

  /** A block without its indentation and markup. */
  private record Block(Path document, String text) {
    String firstLine() {
      return text.lines().findFirst().orElse("");
    }
  }

  private final List<Block> blocks = blocks();
  private final Block install = take(README, "tar xzf");
  private final Block check = take(README, "grep jmmv");
  private final Block state = take(TROUBLESHOOTING, "mmv.control.file.reason");
  private final Block message = take(TROUBLESHOOTING, "Warning: app: ");
  private final Block messageInManPage = take(MAN_PAGE, "app: ");
  private final Block restart = take(OPERATING, "pkill -f");
  private final Block debug = take(TROUBLESHOOTING, "$ dbpmda");
  private final Block options = take(SETTINGS, "--max-files");
  private final Block settings = take(SETTINGS, "[limits]");
  private final Block replaceProxys = take(PMPROXY, "--name=pmproxy");
  private final Block restoreProxys = take(PMPROXY, "pmproxy_init");
  private final Block remove = take(README, "/Remove");
  private final Block installFromManPage = take(MAN_PAGE, "./Install");
  private final Block removeFromManPage = take(MAN_PAGE, "./Remove");
  private final Block proxysLine = take(MAN_PAGE, "pmproxy 4 pipe");
  private final Block checkOfFile = take(TOOLS_PAGE, "$ jmmv check --quiet app");
  private final Block dumpOfFile = take(TOOLS_PAGE, "jmmv dump --json app");

  private final TemporaryPcp here = new TemporaryPcp();
  private SystemPcp system;
  private MachinePcp pcp;
  private Installation installation;

  @BeforeEach
  void open() {
    assertEquals(
        NOT_RUN_HERE.keySet().stream().sorted().toList(),
        blocks.stream().map(Block::firstLine).sorted().toList(),
        "the first lines of the blocks that are not run");
    Need.ROOT.require();
    system = new SystemPcp();
    pcp = system.pcp();
    installation = new Installation(pcp, pcp.jmmv());
  }

  @AfterEach
  void close() throws IOException {
    try {
      if (system != null) {
        Files.deleteIfExists(pcp.mmv().resolve("app"));
        system.close();
      }
    } finally {
      here.close();
    }
  }

  @Test
  void whatTheDocumentsShowIsSo() throws IOException {
    checkSettings();
    run(install.text).outOfSuccess();
    installation.assertJmmvServes();
    writeDamagedFile();
    Files.createSymbolicLink(here.file("reader/app"), pcp.mmv().resolve("app"));
    assertPrints(checkOfFile, 1);
    assertEquals("[{\"value\":1}]", run(dumpOfFile.text).outOfSuccess().replaceAll("\\s", ""));
    assertPrints(check, 0);
    awaitInLog(message);
    assertPrints(state, 0);
    awaitInLog(messageInManPage);
    restartAgent();
    startAnotherAgent();
    serveProxysMetrics();
    setOptions();
    Files.delete(pcp.mmv().resolve("app"));
    run(remove.text).outOfSuccess();
    installation.assertAsBefore();

    run(installFromManPage.text).outOfSuccess();
    installation.assertJmmvServes();
    run(removeFromManPage.text).outOfSuccess();
    installation.assertAsBefore();
  }

  private static List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    for (Path page : List.of(MAN_PAGE, TOOLS_PAGE)) {
      MAN_PAGE_BLOCK
          .matcher(TemporaryPcp.text(page))
          .results()
          .map(found -> found.group(1).replaceAll("(?m)^\\..*\\n|\\\\&", ""))
          .forEach(text -> blocks.add(new Block(page, text)));
    }
    for (Path directory : List.of(SOURCES, SOURCES.resolve("docs"))) {
      try (DirectoryStream<Path> pages = Files.newDirectoryStream(directory, "*.md")) {
        for (Path page : pages) {
          MARKDOWN_BLOCK
              .matcher(TemporaryPcp.text(page))
              .results()
              .map(found -> found.group().strip().replaceAll("(?m)^ {4}", ""))
              .forEach(text -> blocks.add(new Block(page, text + "\n")));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return blocks;
  }

  /** Removes the only block of a document that contains this from the blocks, and returns it. */
  private Block take(Path document, String part) {
    List<Block> found =
        blocks.stream()
            .filter(block -> block.document.equals(document) && block.text.contains(part))
            .toList();
    assertEquals(1, found.size(), () -> part + " in " + document + ": " + found);
    blocks.remove(found.getFirst());
    return found.getFirst();
  }

  /** Runs commands where a reader does: in a directory with the build in {@code dist}. */
  private Shell.Result run(String commands) {
    try {
      Path reader = Files.createDirectories(here.file("reader"));
      if (!Files.exists(reader.resolve("dist"))) {
        Path dist = AgentCommand.HOME.getParent().getParent();
        Files.createSymbolicLink(reader.resolve("dist"), dist);
      }
      // A file: given as an argument, the commands would match the pattern of their own pkill.
      Path script = Files.writeString(here.file("commands"), commands, ISO_8859_1);
      return pcp.run(
          "env",
          "-C",
          reader.toString(),
          "PCP_PMDAS_DIR=" + pcp.jmmv().getParent(),
          "PATH=" + AgentCommand.JMMV.getParent() + ":" + System.getenv("PATH"),
          "sh",
          script.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs the command after each prompt, which must have an exit status, and compares its output
   * with the shown one, if any.
   */
  private void assertPrints(Block transcript, int status) {
    Matcher shown = COMMAND_AND_OUTPUT.matcher(transcript.text);
    while (shown.find()) {
      String printed = run(shown.group(1)).outOf(status);
      if (!shown.group(2).isEmpty()) {
        assertEquals(shown.group(2), printed, shown.group(1));
      }
    }
  }

  private void checkSettings() throws IOException {
    Path file = Files.writeString(here.file("jmmv.toml"), settings.text);
    run("dist/target/jmmv/bin/pmdajmmv --check-config " + file).outOfSuccess();
  }

  /** Writes a file of the size in the documents, whose fourth metric, at 416, has a wrong name. */
  private void writeDamagedFile() {
    int size = 6816;
    int nameOffset = 70_000;
    MmvWriter writer = new MmvWriter(2);
    MmvWriter.InDom inDom = writer.inDom(1);
    for (int i = 0; i < 5; i++) {
      inDom.instance(i, "instance" + i);
      writer.metric("metric" + i, i + 1, ValueType.U32).value(i);
    }
    ByteBuffer image = writer.image();
    ByteBuffer longer = ByteBuffer.allocate(size).order(image.order());
    longer.put(image).putLong(writer.metricAt(3), nameOffset).clear();
    MmvWriter.write(longer, pcp.mmv(), "app");
  }

  private void awaitInLog(Block line) {
    String wanted = withoutTimeAndPid(line.text);
    Await.until(
        wanted,
        () -> pcp.text(pcp.log("mmv.log")),
        () -> withoutTimeAndPid(pcp.text(pcp.log("mmv.log"))).contains(wanted));
  }

  /** Replaces what differs in each run by a constant, if it has the format of the log. */
  private static String withoutTimeAndPid(String log) {
    return log.replaceAll(
        "(?m)^\\[\\w{3} \\w{3} [ \\d]\\d [\\d:]{8}] pmdajmmv\\(\\d+\\)", "[time] pmdajmmv(pid)");
  }

  /**
   * Restarts the agent with signals to all processes that match a pattern. Fails without sending
   * any if the patterns match other processes, such as those of a pmcd in a container.
   */
  private void restartAgent() {
    String agent = pcp.jmmvPid();
    String pmcd = pcp.text(pcp.place("PCP_RUN_DIR").resolve("pmcd.pid")).strip();
    String patterns =
        restart
            .text
            .lines()
            .filter(line -> line.startsWith("pkill "))
            .map(line -> line.replaceFirst("pkill (-HUP )?", "pgrep "))
            .collect(Collectors.joining("\n"));
    assertEquals(
        agent + "\n" + pmcd + "\n", run(patterns).outOfSuccess(), "what pkill would signal");
    run(restart.text).outOfSuccess();
    pcp.awaitJmmvOtherThan(agent);
  }

  /** Starts a second agent from dbpmda, which must print its names. */
  private void startAnotherAgent() throws IOException {
    Path log = Path.of("/tmp/mmv.log");
    assertTrue(debug.text.contains(log.toString()), debug.text);
    String commands = // a busy machine may take longer than 5 s to start the agent
        debug.text.replace("$ dbpmda", "dbpmda -q 60 <<END").replace("dbpmda> ", "");
    try {
      String printed = run(commands + "END\n").outOfSuccess();
      assertTrue(printed.contains("mmv.control.files"), printed);
    } finally {
      Files.deleteIfExists(log);
    }
  }

  /**
   * Has a second agent serve what the stock agent serves of pmproxy, and goes back. {@link
   * #restartAgent} has checked which processes the commands signal.
   */
  private void serveProxysMetrics() throws IOException {
    String before = pcp.configuration();
    awaitProxysAgent(replaceProxys, true);
    String line = proxysLine.text.replace("\\-", "-");
    assertTrue(pcp.configuration().contains('\n' + line), pcp::configuration);
    pcp.awaitWell("pmproxy");
    assertEquals("", AgentLog.problems(pcp.text(pcp.log("pmproxy.log"))));
    awaitProxysAgent(restoreProxys, false);
    pcp.awaitWell("pmproxy");
    assertEquals(before, pcp.configuration());
    Files.delete(pcp.log("pmproxy.log"));
  }

  private void awaitProxysAgent(Block commands, boolean isOurs) {
    run(commands.text).outOfSuccess();
    Await.until(
        isOurs ? "jmmv serves pmproxy.*" : "the stock agent serves pmproxy.*",
        () -> pcp.text(pcp.log("pmcd.log")),
        () -> {
          Shell.Result shown = pcp.run("pminfo", "-t", "pmproxy.control.files");
          return shown.status() == 0 && shown.out().contains("whose metrics are served") == isOurs;
        });
  }

  /** Replaces the agent's line in pmcd's configuration by the same line with more options. */
  private void setOptions() throws IOException {
    Matcher installed = Pattern.compile("(?m)^jmmv\\s.*$").matcher(pcp.configuration());
    assertTrue(installed.find(), pcp::configuration);
    String begin = installed.group().strip().replaceAll("\\s+", " ");
    assertTrue(options.text.startsWith(begin + " --"), () -> begin + " does not begin " + options);
    Files.writeString(
        pcp.place("PCP_PMCDCONF_PATH"),
        installed.replaceFirst(Matcher.quoteReplacement(options.text.strip())),
        ISO_8859_1);
    pcp.stopPmcd();
    pcp.startPmcd();
    installation.assertJmmvServes();
  }
}
