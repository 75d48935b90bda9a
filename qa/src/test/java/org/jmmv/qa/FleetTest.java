package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The same application on several hosts, and what Prometheus, VictoriaMetrics, pmlogger and pmproxy
 * with a key server make of it, with the configurations in docs/fleet.md.
 */
@Timeout(600)
final class FleetTest {
  private static final String DOCUMENT = "fleet.md";
  private static final long BEFORE = 1_000; // requests
  private static final int[] INCREASES = {100_000, 200_000, 400_000};
  private static final int INCREASE = 700_000;
  private static final String REQUESTS = "mmv_shop_requests_total{service=\"shop\"}";
  private static final double EXACT = 1e-6;

  @AutoClose private static final TemporaryPcp PCP = new TemporaryPcp();
  private static final ThisMachine MACHINE = new ThisMachine();
  private static final MmvWriter SHOP = shop();
  private static final List<FleetHost> HOSTS = new ArrayList<>();
  private static PmloggerFarm farm;
  private static Prometheus scraper;
  private static PromQl prometheus;
  private static RunningProgram victoriaServer;
  private static PromQl victoria;
  private static int keyServer; // its port

  // ---------------------------------------------------------------- the fleet

  /** An application that leaves its cluster to jmmv. */
  private static MmvWriter shop() {
    MmvWriter file = new MmvWriter(3);
    file.metric("requests", 1, ValueType.U64).help("requests taken", null).value(BEFORE);
    file.metric("phase", 2, ValueType.U64).semantics(Semantics.INSTANT).value(0);
    MmvWriter.InDom queues = file.inDom(1).instance(7, "orders").instance(2, "mail");
    file.metric("queue", 3, ValueType.U64)
        .semantics(Semantics.INSTANT)
        .inDom(queues)
        .at(7, 5)
        .at(2, 6);
    file.label(LabelType.ITEM, 1, 0, "{\"team\":\"checkout\"}");
    file.label(LabelType.INDOM, 1, 0, "{\"kind\":\"queue\"}");
    file.label(LabelType.INSTANCES, 1, 7, "{\"region\":\"north\"}");
    return file;
  }

  /** Adds another application, which jmmv finds before the shop. */
  private static void addMailer(FleetHost host) {
    MmvWriter file = new MmvWriter(3);
    file.metric("sent", 1, ValueType.U64).value(1);
    file.write(host.mmv(), "mailer");
  }

  private static void setRequests(FleetHost host, long value) {
    MmvWriter.storeLong(host.mmv().resolve("shop"), SHOP.valueAt(0), value);
  }

  private static FleetHost host(String name, String address) {
    String line = "JMMV_SERVE_OPTIONS=\"--listen :44321 --http :9464 --allow 192.0.2.0/24\"";
    DocumentBlock.of(DOCUMENT, line);
    String options = line.replaceAll(".*=\"|\"", "");
    FleetHost host = PCP.open(new FleetHost(PCP, name, address, options));
    SHOP.write(host.mmv(), "shop");
    return host;
  }

  /** Returns a block with the addresses of the hosts here, and 1 s instead of 5. */
  private static String block(String firstLine) {
    String block = DocumentBlock.of(DOCUMENT, firstLine);
    block = block.replace("interval: 5s", "interval: 1s").replace("on 5 sec", "on 1 sec");
    for (int i = 0; i < HOSTS.size(); i++) {
      String address = "192.0.2.1" + (i + 1);
      FleetHost host = HOSTS.get(i);
      block = block.replace(address + ":9464", host.httpAddress());
      block = block.replace(address + " ", host.pcpAddress() + " ");
    }
    return block.replace("/var/log/pcp/pmlogger", PmloggerFarm.archives(PCP).toString());
  }

  @BeforeAll
  static void start() throws IOException {
    Need.NAMESPACES.require();
    Need.PYTHON.require(); // for pmrep
    Need.PROMETHEUS.require();
    Need.VICTORIA.require();
    Need.REDIS.require();
    for (int i = 1; i <= INCREASES.length; i++) {
      FleetHost host = host("shop" + i, "127.56.0." + i);
      if (i == 2) {
        addMailer(host);
      }
      host.start();
      HOSTS.add(host);
    }
    startVictoriaAndPrometheus();
    farm = farm("fleet", block("$version=1.1"));
    startKeyServer(); // pmproxy watches the directories that are there at its start
  }

  private static void startVictoriaAndPrometheus() throws IOException {
    victoria = new PromQl(PrivatePmcd.freePort());
    startVictoria();
    Path directory = PCP.file("prometheus");
    Files.createDirectories(directory.resolve("mmv"));
    Files.writeString(
        directory.resolve("mmv/shop.yml"),
        block("- targets: [\"192.0.2.11:9464\", \"192.0.2.12:9464\", \"192.0.2.13:9464\"]"));
    Files.writeString(directory.resolve("fleet.rules.yml"), block("# fleet.rules.yml"));
    startPrometheus();
  }

  /** Starts it on its port, with what it has stored before. */
  private static void startVictoria() {
    String command =
        block(
                "victoria-metrics -storageDataPath=/var/lib/victoria-metrics"
                    + " -httpListenAddr=127.0.0.1:8428 -retentionPeriod=12")
            .replace("/var/lib/victoria-metrics", PCP.file("victoria").toString())
            .replace("8428", Integer.toString(victoria.port()))
            .strip();
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.add("-search.latencyOffset=1s");
    victoriaServer = PCP.open(RunningProgram.start(PCP, "victoria", words));
  }

  /** Starts it on any port, with what it has stored before. */
  private static void startPrometheus() {
    String port = Integer.toString(victoria.port());
    String config = block("# prometheus.yml") + block("remote_write:").replace("8428", port);
    scraper = PCP.open(Prometheus.start(MACHINE, PCP, config, ""));
    prometheus = new PromQl(scraper.port());
  }

  private static void startKeyServer() throws IOException {
    keyServer = PrivatePmcd.freePort();
    List<String> command = new ArrayList<>(List.of("redis-server", "--bind", "127.0.0.1"));
    command.addAll(List.of("--port", Integer.toString(keyServer), "--save", ""));
    command.addAll(List.of("--dir", Files.createDirectories(PCP.file("redis")).toString()));
    RunningProgram server = PCP.open(RunningProgram.start(PCP, "redis-server", command));
    server.await("it listens", () -> "", () -> server.output().contains("Ready to accept"));
    String lines = block("[redis]").replace("6379", Integer.toString(keyServer));
    PCP.open(Pmproxy.start(MACHINE, PCP, PmloggerFarm.environment(PCP), lines));
  }

  private static PmloggerFarm farm(String name, String control) throws IOException {
    Path configuration =
        Files.writeString(PCP.file("mmv.conf"), block("log mandatory on 5 sec { mmv }"));
    String lines = control.replace("/etc/pcp/pmlogger/mmv.conf", configuration.toString());
    return PCP.open(PmloggerFarm.start(PCP, name, lines));
  }

  // ---------------------------------------------------------------- the same number

  /** Marks a time: later samples have this phase. */
  private static void setPhase(int phase) {
    for (FleetHost host : HOSTS) {
      MmvWriter.storeLong(host.mmv().resolve("shop"), SHOP.valueAt(1), phase);
    }
  }

  /** Waits until all servers have a sample of each host with its value. */
  private static void awaitSamples(String metric, String series, long... values) {
    for (int i = 0; i < values.length; i++) {
      String name = "shop" + (i + 1);
      long value = values[i];
      String query =
          "%s{instance=\"%s\"} == %d".formatted(series, HOSTS.get(i).httpAddress(), value);
      Await.until(query, () -> prometheus.series(query).size() == 1);
      Await.until("VictoriaMetrics: " + query, () -> victoria.series(query).size() == 1);
      Await.until(
          "%s of %s is logged".formatted(metric, name),
          () -> farm.log(name),
          () -> farm.dump(name, metric).contains("): value " + value + "\n"));
      Await.until(
          "pmseries has %s of %s".formatted(metric, name),
          () -> keyServerValues(name, metric).contains(value));
    }
  }

  private static String pmseries(String... words) {
    List<String> command =
        new ArrayList<>(List.of("pmseries", "-p", Integer.toString(keyServer), "-h", "127.0.0.1"));
    command.addAll(List.of(words));
    return Shell.run(PmloggerFarm.environment(PCP), command).out();
  }

  /** Returns the values of a metric without instances that the key server has of a host. */
  private static List<Long> keyServerValues(String host, String metric) {
    return pmseries("%s{hostname == \"%s\"}[samples:1000]".formatted(metric, host))
        .lines()
        .filter(line -> line.startsWith("    ["))
        .map(line -> Long.valueOf(line.replaceAll(".*] (\\d+).*", "$1")))
        .toList();
  }

  /** Returns the next full second, when it has come. */
  private static long nextSecond() {
    long second = Instant.now().getEpochSecond() + 1;
    Await.until("a second", () -> Instant.now().getEpochSecond() >= second);
    return second;
  }

  /**
   * The counters stand still around both ends of the time, so that its rate does not depend on when
   * a server has taken its samples.
   */
  @Test
  void theSumOfARateOverHostsIsTheSameFromEachServer() throws IOException {
    List<LiveRate> live =
        HOSTS.stream().map(host -> new LiveRate(host, "rate(mmv.shop.requests)")).toList();
    awaitSamples("mmv.shop.phase", "mmv_shop_phase", 0, 0, 0);
    long from = nextSecond();
    setPhase(1);
    awaitSamples("mmv.shop.phase", "mmv_shop_phase", 1, 1, 1);
    long[] values = new long[INCREASES.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = BEFORE + INCREASES[i];
      setRequests(HOSTS.get(i), values[i]);
      live.get(i).assertIncrease(INCREASES[i]);
    }
    awaitSamples("mmv.shop.requests", "mmv_shop_requests_total", values);
    long to = nextSecond();
    setPhase(2);
    awaitSamples("mmv.shop.phase", "mmv_shop_phase", 2, 2, 2);

    long seconds = to - from;
    double rate = (double) INCREASE / seconds;
    String difference = "sum(%1$s - %1$s offset %2$ds) / %2$d".formatted(REQUESTS, seconds);
    assertEquals(rate, prometheus.value(difference, to), rate * EXACT, "Prometheus");
    assertEquals(rate, victoria.value(difference, to), rate * EXACT, "VictoriaMetrics");
    assertWithinSamplingError(rate, from, to);
    assertEquals(rate, rateInArchives(from, to), 1, "archives");
    for (int i = 0; i < INCREASES.length; i++) {
      LongSummaryStatistics samples =
          keyServerValues("shop" + (i + 1), "mmv.shop.requests").stream()
              .mapToLong(value -> value)
              .summaryStatistics();
      assertEquals(INCREASES[i], samples.getMax() - samples.getMin(), "pmseries");
    }
    String recorded = "service:mmv_shop_requests:rate1m{service=\"shop\"} > 0";
    Await.until(recorded, () -> prometheus.series(recorded).size() == 1);
  }

  /** Prometheus extends the increase between the first and the last sample to the whole time. */
  private static void assertWithinSamplingError(double rate, long from, long to) {
    long seconds = to - from;
    double most = 0;
    for (int i = 0; i < INCREASES.length; i++) {
      String series =
          "mmv_shop_requests_total{instance=\"%s\"}[%ds]"
              .formatted(HOSTS.get(i).httpAddress(), seconds);
      most += INCREASES[i] / PromQl.duration(prometheus.series(series, to).getFirst());
    }
    String query = "sum(rate(%s[%ds]))".formatted(REQUESTS, seconds);
    double printed = prometheus.value(query, to);
    assertTrue(
        printed >= rate * (1 - EXACT) && printed <= most * (1 + EXACT),
        () -> "%s %s, not from %s on".formatted(query, printed, rate));
  }

  private static double rateInArchives(long from, long to) throws IOException {
    DateTimeFormatter format =
        DateTimeFormatter.ofPattern("'@'yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
    Files.writeString(PCP.file("fleet.pmie"), block("// fleet.pmie"));
    String command =
        block("cd /var/log/pcp/pmlogger")
            .replace("/etc/pcp/pmie/fleet.pmie", PCP.file("fleet.pmie").toString())
            .replace(
                "-t 1min -S -1hour",
                "-Z UTC -t %dsec -S '%s' -T '%s'"
                    .formatted(
                        to - from,
                        format.format(Instant.ofEpochSecond(from)),
                        format.format(Instant.ofEpochSecond(to + 1))));
    Shell.Result printed = run(command);
    Matcher value = Pattern.compile("(?m)^requests .*: ([0-9.e+]+)$").matcher(printed.out());
    assertTrue(value.find(), printed::toString);
    return Double.parseDouble(value.group(1));
  }

  // ---------------------------------------------------------------- identity

  private static String pmid(FleetHost host) {
    return host.client("pminfo", "-m", "mmv.shop.requests")
        .outOfSuccess()
        .replaceAll("(?s).*PMID: (\\S+)\\s*", "$1");
  }

  @Test
  void namesAndLabelsAreTheSameOnAllHostsAndAssignedNumbersNeedNotBe() {
    assertEquals("70.1.1", pmid(HOSTS.get(0)));
    assertEquals("70.2.1", pmid(HOSTS.get(1))); // the mailer has cluster 1
    assertEquals("70.1.1", pmid(HOSTS.get(2)));
    String query =
        "count by (job) (mmv_shop_requests_total{team=\"checkout\",service=\"shop\"}) == 3";
    Await.until(query, () -> prometheus.series(query).size() == 1);
    for (String host : List.of("shop1", "shop2", "shop3")) {
      awaitLabels(host, "mmv.shop.requests", "\"team\":\"checkout\"");
      awaitLabels(host, "mmv.shop.queue", "\"kind\":\"queue\"");
    }
  }

  @Test
  void anotherPrometheusTakesTheSums() {
    String config =
        block("# prometheus.yml of the one above")
            .replace("192.0.2.21:9090", "127.0.0.1:" + prometheus.port())
            .replace("192.0.2.22:9090", "localhost:" + prometheus.port());
    try (TemporaryPcp own = new TemporaryPcp();
        Prometheus above = Prometheus.start(MACHINE, own, config, "")) {
      String query = "service:mmv_shop_requests:rate1m{service=\"shop\"}";
      PromQl answers = new PromQl(above.port());
      Await.until(query, () -> answers.series(query).size() == 2);
    }
  }

  @Test
  void pmseriesFindsSamplesOfAHostByItsName() {
    String command =
        block("pmseries 'mmv.shop.requests{hostname == \"shop1\"}[samples:3]'")
            .replace("pmseries ", "pmseries -h 127.0.0.1 -p " + keyServer + " ");
    Await.until(
        "three samples",
        () -> run(command).out().lines().filter(line -> line.startsWith("    [")).count() == 3);
  }

  /** Waits until pmseries finds a metric by the name of its host, with this label. */
  private static void awaitLabels(String host, String metric, String label) {
    String query = "%s{hostname == \"%s\"}".formatted(metric, host);
    Await.until(
        query,
        () -> {
          List<String> series = pmseries(query).strip().lines().toList();
          return series.size() == 1 && pmseries("-l", series.getFirst()).contains(label);
        });
  }

  @Test
  void labelsOfInstancesReachPrometheusAndArchives() {
    String query = "mmv_shop_queue{service=\"shop\",region=\"north\",kind=\"queue\"}";
    Await.until(query, () -> prometheus.series(query).size() == HOSTS.size());
    for (String host : List.of("shop1", "shop2", "shop3")) {
      Await.until(
          "labels of " + host,
          () ->
              run("pminfo -l -a log/pmlogger/%s mmv.shop.queue".formatted(host))
                  .out()
                  .contains("\"region\":\"north\""));
    }
  }

  @Test
  void archivesOfTwoHostsAreNotMerged() {
    for (String archives : List.of("shop1", "shop3")) { // the same PMIDs
      Await.until("a record", () -> farm.dump(archives, "mmv.shop.requests").contains("): value "));
    }
    Shell.Result merged = run("pmlogextract log/pmlogger/shop1 log/pmlogger/shop3 two-hosts");
    assertEquals(1, merged.status());
    assertTrue(merged.err().contains("host name mismatch"), merged::toString);
  }

  // ---------------------------------------------------------------- a host goes and comes back

  /** Gives a host the numbers that another one has assigned, as documented. */
  private static void shipNumbers(FleetHost from, FleetHost to) {
    String commands =
        block("scp 'shop1:/var/lib/jmmv/*.clusters' .")
            .replace("scp ", "cp ")
            .replace("'shop1:/var/lib/jmmv/*.clusters'", from.state() + "/*.clusters")
            .replace("ssh shop4 ", "")
            .replace("shop4:", "")
            .replace("/var/lib/jmmv", to.state().toString());
    run("mkdir -p numbers\ncd numbers\n" + commands).outOfSuccess();
  }

  /** Runs commands in a directory, with the archives of the farm. */
  private static Shell.Result run(String commands) {
    String script = "cd %s\n%s".formatted(PCP.file(""), commands);
    return MACHINE.run(
        MACHINE
            .command(PmloggerFarm.environment(PCP), List.of(PcpServer.PYTHON, "sh", "-ec", script))
            .toArray(String[]::new));
  }

  /** Returns the control file of a farm that has only this host. */
  private static String controlLine(FleetHost host, String name) {
    return "$version=1.1\n%s n n PCP_ARCHIVE_DIR/%s -r -T24h10m -c /etc/pcp/pmlogger/mmv.conf\n"
        .formatted(host.pcpAddress(), name);
  }

  private static void awaitLogged(PmloggerFarm logger, String name, long requests) {
    Await.until(
        requests + " are logged",
        () -> logger.log(name),
        () -> logger.dump(name, "mmv.shop.requests").contains("): value " + requests + "\n"));
  }

  /** Merges the archives of a host, as documented. */
  private static Shell.Result merge(String name, String result) {
    return run(
        block("pmlogextract /var/log/pcp/pmlogger/shop1/*.index shop1")
            .replace(
                "pmlogger/shop1/*.index shop1", "pmlogger/%s/*.index %s".formatted(name, result))
            .replace("-a shop1 -t 1min", "-a " + result + " -t 1sec"));
  }

  @Test
  void aHostThatIsBuiltAnewGoesOnIfItHasTheNumbersOfAnother() throws IOException {
    FleetHost late = host("shop4", "127.56.0.4");
    shipNumbers(HOSTS.get(0), late);
    addMailer(late);
    late.start();
    assertEquals(pmid(HOSTS.get(0)), pmid(late));
    Files.writeString(
        PCP.file("prometheus/mmv/late.yml"), "- targets: [\"%s\"]\n".formatted(late.httpAddress()));
    PmloggerFarm logger = farm("late", controlLine(late, "shop4"));
    awaitLogged(logger, "shop4", BEFORE);
    String host = "instance=\"%s\"".formatted(late.httpAddress());
    String all = "{%s,__name__=~\"mmv_.*|jmmv_.*\"}".formatted(host);
    Await.until("it is scraped", () -> !prometheus.series(all).isEmpty());
    Await.until("it is sent", () -> !victoria.series(all).isEmpty());
    List<ProcessHandle> pmlogger = logger.of(late);
    assertEquals(1, pmlogger.size());

    late.stop();
    String alert = "ALERTS{alertname=\"MmvHostGone\",%s}".formatted(host);
    Await.until("an alert", () -> !prometheus.series(alert).isEmpty());
    assertEquals(List.of(), prometheus.series(all));
    Await.until("its series end", () -> victoria.series(all).isEmpty());
    Await.until("pmlogger has noticed", () -> logger.log("shop4").contains("Lost connection"));

    late.forgetNumbers();
    shipNumbers(HOSTS.get(0), late);
    setRequests(late, 5_000);
    late.start();
    awaitLogged(logger, "shop4", 5_000);
    assertEquals(pmlogger, logger.of(late), "the same goes on");
    Await.until("the alert ends", () -> prometheus.series(alert).isEmpty());
    String both = "mmv_shop_requests_total{%s}[1h]".formatted(host); // of one series
    assertTrue(
        prometheus
            .series(both)
            .getFirst()
            .get("values")
            .toString()
            .matches(".*\"1000\".*\"5000\".*"));
    assertTrue(merge("shop4", "shop4-merged").outOfSuccess().contains("requests"));
    String merged = run("pmdumplog shop4-merged mmv.shop.requests").outOfSuccess();
    assertTrue(merged.matches("(?s).*value 1000\n.*value 5000\n.*"), merged);

    late.stop();
    late.forgetNumbers();
    setRequests(late, 6_000);
    late.start();
    assertNotEquals(pmid(HOSTS.get(0)), pmid(late));
    Await.until("pmlogger ends", () -> logger.log("shop4"), () -> logger.of(late).isEmpty());
    logger.check();
    awaitLogged(logger, "shop4", 6_000);
    Shell.Result refused = merge("shop4", "shop4-refused");
    assertTrue(refused.err().contains("PMID changed"), refused::toString);
    Await.until(
        "the same series",
        () ->
            prometheus
                .series(both)
                .getFirst()
                .get("values")
                .toString()
                .matches(".*\"1000\".*\"6000\".*"));
  }

  // ---------------------------------------------------------------- a server goes and comes back

  private static String requestsOf(FleetHost host) {
    return "mmv_shop_requests_total{instance=\"%s\"}".formatted(host.httpAddress());
  }

  /** Returns the samples of the last hour, with their times. */
  private static List<String> samples(PromQl server, FleetHost host) {
    List<String> samples = new ArrayList<>();
    for (JsonNode series : server.series(requestsOf(host) + "[1h]")) {
      series.get("values").forEach(sample -> samples.add(sample.toString()));
    }
    return samples;
  }

  /** Waits until Prometheus has some more samples of a host, and returns these. */
  private static List<String> awaitMoreSamples(FleetHost host) {
    List<String> before = samples(prometheus, host);
    List<String> more = new ArrayList<>();
    Await.until(
        "more samples",
        () -> {
          more.clear();
          more.addAll(samples(prometheus, host));
          more.removeAll(before);
          return more.size() >= 5;
        });
    return more;
  }

  private static void awaitSent(FleetHost host, List<String> samples) {
    Await.until(
        "VictoriaMetrics has " + samples, () -> samples(victoria, host).containsAll(samples));
  }

  @Test
  void victoriaMetricsGetsWhatIsScrapedWhileItIsAway() {
    FleetHost host = HOSTS.getFirst();
    awaitSent(host, awaitMoreSamples(host));
    victoriaServer.close();
    List<String> scraped = awaitMoreSamples(host);
    Await.until("Prometheus tries", () -> scraper.log().contains("Failed to send batch, retrying"));
    startVictoria();
    awaitSent(host, scraped);
  }

  @Test
  void prometheusKeepsWhatItHasScrapedAndSendsOnlyWhatIsNew() {
    FleetHost host = HOSTS.getFirst();
    awaitSent(host, awaitMoreSamples(host));
    victoriaServer.close();
    List<String> unsent = awaitMoreSamples(host);
    scraper.kill();
    startPrometheus();
    Await.until("they are stored", () -> samples(prometheus, host).containsAll(unsent));
    startVictoria();
    awaitSent(host, awaitMoreSamples(host));
    List<String> sent = samples(victoria, host);
    sent.retainAll(unsent);
    assertEquals(List.of(), sent);
  }

  @Test
  void theArchivesOfAKilledPmloggerMissOnlyTheTimeWithoutOne() throws IOException {
    FleetHost host = host("shop5", "127.56.0.5");
    host.start();
    PmloggerFarm logger = farm("killed", controlLine(host, "shop5"));
    awaitLogged(logger, "shop5", BEFORE);
    List<ProcessHandle> pmlogger = logger.of(host);
    assertEquals(1, pmlogger.size());
    pmlogger.getFirst().destroyForcibly();
    Await.until("it ends", () -> logger.of(host).isEmpty());

    setRequests(host, 2_000);
    Await.until(
        "served", () -> host.client("pminfo", "-f", "mmv.shop.requests").out().contains("2000"));
    setRequests(host, 3_000);
    logger.check();
    awaitLogged(logger, "shop5", 3_000);
    merge("shop5", "shop5-merged").outOfSuccess();
    String merged = run("pmdumplog shop5-merged mmv.shop.requests").outOfSuccess();
    assertTrue(merged.matches("(?s).*value 1000\n.*value 3000\n.*"), merged);
    assertFalse(merged.contains("value 2000\n"), merged);
  }
}
