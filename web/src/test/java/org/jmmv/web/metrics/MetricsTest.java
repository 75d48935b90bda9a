package org.jmmv.web.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.watch.Limit;
import org.jmmv.serving.ThisHost;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.web.WebServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MetricsTest {
  private static final String OPEN = "application/openmetrics-text;version=1.0.0";

  private static final int SECONDS = new Units(0, 1, 0, 0, 3, 0).word();

  @TempDir Path root;
  private WebServer server;

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
  }

  private void file(String name, Consumer<MmvWriter> content) throws IOException {
    MmvWriter file = new MmvWriter(3).flags(MmvWriter.SENTINEL);
    content.accept(file);
    file.write(Files.createDirectories(root.resolve("mmv")), name);
  }

  private HttpResponse<String> get(String query, String accept) {
    if (server == null) {
      server = new WebServer(root.resolve("mmv"));
    }
    return server.get("/metrics" + query, "Accept", accept);
  }

  /** Metrics are on the page in the order of their names, as long as there is room for them. */
  @Test
  void aFileHasSoManySeriesAtMost() throws IOException {
    file(
        "big",
        file -> {
          MmvWriter.InDom inDom = file.inDom(1);
          MmvWriter.Metric wide = file.metric("b", 1, ValueType.U32).inDom(inDom);
          for (int i = 0; i < 10; i++) {
            inDom.instance(i, "i" + i);
            wide.at(i, i);
          }
          List.of("a", "c", "d")
              .forEach(name -> file.metric(name, name.charAt(0), ValueType.U32).value(0));
        });
    file("small", file -> file.cluster(7).metric("m", 1, ValueType.U32).value(0));
    server = new WebServer(root.resolve("mmv"), 2);
    assertEquals(
        List.of("mmv_big_a_total 0", "mmv_big_c_total 0", "mmv_small_m_total 0"),
        samples("").stream().filter(line -> !line.startsWith("target")).toList());
    assertEquals(List.of(), samples("?name[]=mmv_big_b_total"));
    assertEquals(
        List.of("jmmv_file_series_left_out{file=\"big\"} 11"),
        get("", OPEN).body().lines().filter(line -> line.startsWith("jmmv_file_series")).toList());
    String names = server.get("/api/v1/prometheus").body();
    assertTrue(
        names.endsWith("\"conflicts\":[],\"leftOut\":[{\"file\":\"big\",\"series\":11}]}"), names);
  }

  /** Returns the page without the series of this program, and with the host {@code here}. */
  private String page(String query, String accept) throws IOException {
    HttpResponse<String> response = get(query, accept);
    assertEquals(200, response.statusCode(), response.body());
    String page =
        response
            .body()
            .replaceAll("domainname=\"[^\"]*\",|,machineid=\"[^\"]*\"", "")
            .replace("hostname=\"" + ThisHost.hostname(), "hostname=\"here");
    int own = page.indexOf("# HELP jmmv_build_info");
    return own < 0 ? page : page.substring(0, own);
  }

  private List<String> samples(String query) throws IOException {
    return page(query, OPEN).lines().filter(line -> !line.startsWith("#")).toList();
  }

  /** Everything that the mapping says about names, units, labels and values. */
  private void writeAll() throws IOException {
    file(
        "shop",
        file -> {
          file.cluster(5);
          file.metric("orders", 1, ValueType.U64).help("Orders \"placed\"\\\n", null).value(-2L);
          file.metric("total", 2, ValueType.U32).semantics(Semantics.COUNTER).value(-1);
          file.metric("load", 3, ValueType.FLOAT).semantics(Semantics.INSTANT).value(0.1f);
          file.metric("ratio", 4, ValueType.DOUBLE)
              .semantics(Semantics.INSTANT)
              .value(Double.POSITIVE_INFINITY);
          file.metric("stack_total", 5, ValueType.I32).semantics(Semantics.DISCRETE).value(-7);
          file.metric("version", 6, ValueType.STRING)
              .semantics(Semantics.DISCRETE)
              .text("1.0 \"\u00ce\u00b2\"");
          file.metric("status", 7, ValueType.STRING).semantics(Semantics.INSTANT).text("changes");
          file.metric("odd", 8, ValueType.I64).semantics(2).value(Long.MIN_VALUE);
          file.metric("time", 9, ValueType.U64)
              .units(new Units(0, 1, 0, 0, 0, 0).word())
              .value(-2L);
          file.metric("wait", 10, ValueType.I64)
              .semantics(Semantics.INSTANT)
              .units(new Units(0, 1, 0, 0, 2, 0).word())
              .value(-1500L);
          file.metric("hours", 11, ValueType.U32)
              .semantics(Semantics.INSTANT)
              .units(new Units(0, 1, 0, 0, 5, 0).word())
              .value(2);
          file.metric("heap.bytes", 12, ValueType.U64)
              .semantics(Semantics.INSTANT)
              .units(new Units(1, 0, 0, 1, 0, 0).word())
              .value(3);
          file.metric("huge", 13, ValueType.U64)
              .semantics(Semantics.INSTANT)
              .units(new Units(1, 0, 0, 2, 0, 0).word())
              .value(-2L);
          file.metric("speed", 14, ValueType.DOUBLE)
              .semantics(Semantics.INSTANT)
              .units(new Units(1, -1, 0, 1, 3, 0).word())
              .value(2.5);
          file.metric("thousands", 15, ValueType.I32)
              .units(new Units(0, 0, 1, 0, 0, 3).word())
              .value(4);
          file.metric("heat", 16, ValueType.I32)
              .semantics(Semantics.INSTANT)
              .units(new Units(0, 0, 0, 0, 0, 0, 1, 2).word())
              .value(212);
          file.metric("tension", 17, ValueType.I32)
              .semantics(Semantics.INSTANT)
              .units(new Units(0, 0, 0, 0, 0, 0, 2, 2).word())
              .value(1234);
          file.metric("energy", 18, ValueType.U32)
              .units(new Units(0, 1, 0, 0, 5, 0, 4, 1).word())
              .value(2);
          MmvWriter.InDom queues =
              file.inDom(1)
                  .instance(0, "in \"box\"\\")
                  .instance(7, "n\u00c3\u00a9\u00ff")
                  .instance(8, "none");
          file.metric("length", 20, ValueType.I32)
              .semantics(Semantics.INSTANT)
              .inDom(queues)
              .at(0, 3)
              .at(7, 4)
              .rawAt(8, -1, 0);
          file.label(LabelType.CLUSTER, 5, 0, "{\"job\":\"x\",\"a\":{\"b\":1}}");
          file.label(LabelType.ITEM, 20, 0, "{\"kind\":\"all\",\"__name__\":\"evil\"}");
          file.label(LabelType.INSTANCES, 1, 7, "{\"kind\":\"one\"}");
        });
  }

  private static String golden(String name) throws IOException {
    try (InputStream in = MetricsTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "openmetrics.txt, '', " + OPEN,
    "prometheus.txt, '', text/plain",
    "openmetrics-pcp.txt, ?naming=pcp&files=shop, " + OPEN,
    "prometheus-pcp.txt, ?naming=pcp&files=shop, text/plain"
  })
  void namesUnitsLabelsAndValuesAreThoseOfTheGoldenFile(String name, String query, String accept)
      throws IOException {
    writeAll();
    assertEquals(golden(name), page(query, accept));
  }

  @Test
  void openMetricsEndsWithEof() throws IOException {
    assertTrue(get("", OPEN).body().endsWith("\n# EOF\n"));
    assertFalse(get("", "text/plain").body().contains("# EOF"));
  }

  @Test
  void ofTwoMetricsWithOneNameTheFirstByItsNameInPcpIsShown() throws IOException {
    file("b", file -> file.metric("x.y", 1, ValueType.I32).semantics(Semantics.INSTANT).value(1));
    file(
        "a",
        file -> {
          file.flags(MmvWriter.NOPREFIX);
          file.metric("b.x_y", 1, ValueType.I32).semantics(Semantics.INSTANT).value(2);
          file.metric("c", 2, ValueType.I32).value(3); // a counter, so that its series is c_total
          file.metric("c.total.all", 3, ValueType.I32).value(4);
        });
    file("c", file -> file.metric("total", 1, ValueType.I32).semantics(Semantics.INSTANT).value(5));
    List<String> samples = samples("");
    assertTrue(samples.contains("mmv_b_x_y 1"), samples::toString);
    assertFalse(samples.contains("mmv_b_x_y 2"), samples::toString);
    assertTrue(get("", OPEN).body().contains("jmmv_names_in_conflict 1\n"));
  }

  @Test
  void anEmptyLabelOfAnInstanceReplacesThatOfItsMetric() throws IOException {
    file(
        "app",
        file -> {
          MmvWriter.InDom inDom = file.cluster(5).inDom(1).instance(0, "x").instance(7, "y");
          file.metric("m", 1, ValueType.U32)
              .semantics(Semantics.INSTANT)
              .inDom(inDom)
              .at(0, 1)
              .at(7, 2);
          file.label(LabelType.ITEM, 1, 0, "{\"kind\":\"all\"}");
          file.label(LabelType.INSTANCES, 1, 7, "{\"kind\":\"\"}");
        });
    assertEquals(
        List.of(
            "mmv_app_m{kind=\"all\",instname=\"x\",instid=\"0\"} 1",
            "mmv_app_m{kind=\"\",instname=\"y\",instid=\"7\"} 2"),
        samples("").stream().filter(sample -> sample.startsWith("mmv_app_m{")).toList());
  }

  /** The units are those of {@link Units}, from space to count and their scales. */
  @ParameterizedTest
  @CsvSource({
    "wait_ms,              0 1 0 0 2 0,   wait_seconds",
    "wait.Msec,            0 1 0 0 2 0,   wait_seconds",
    "wait_millis,          0 1 0 0 2 0,   wait_seconds",
    "wait_milliseconds,    0 1 0 0 2 0,   wait_seconds",
    "wait_us,              0 1 0 0 1 0,   wait_seconds",
    "wait_usecs,           0 1 0 0 1 0,   wait_seconds",
    "wait_micros,          0 1 0 0 1 0,   wait_seconds",
    "wait_ns,              0 1 0 0 0 0,   wait_seconds",
    "wait_nanosecond,      0 1 0 0 0 0,   wait_seconds",
    "wait_s,               0 1 0 0 3 0,   wait_seconds",
    "wait_sec,             0 1 0 0 3 0,   wait_seconds",
    "wait_Seconds,         0 1 0 0 3 0,   wait_seconds",
    "wait_minutes,         0 1 0 0 4 0,   wait_seconds",
    "wait_hrs,             0 1 0 0 5 0,   wait_seconds",
    "rx_byte,              1 0 0 0 0 0,   rx_bytes",
    "rx_kbytes,            1 0 0 1 0 0,   rx_bytes",
    "rx_KiB,               1 0 0 1 0 0,   rx_bytes",
    "rx_megabytes,         1 0 0 2 0 0,   rx_bytes",
    "rx_gb,                1 0 0 3 0 0,   rx_bytes",
    "rx_kb_total,          1 0 0 1 0 0,   rx_bytes",
    "rx_bytes,             1 0 0 1 0 0,   rx_bytes",
    "load_kw,              0 0 0 0 0 0 4 1, load_watts",
    "used_kWh,             0 1 0 0 5 0 4 1, used_joules",
    "room_kelvin,          0 0 0 0 0 0 1 3, room_celsius",
    "fan_mv,               0 0 0 0 0 0 2 2, fan_volts",
    "fan_mA,               0 0 0 0 0 0 3 2, fan_amperes",
    // another unit, or another scale
    "wait_ms,              0 1 0 0 1 0,   wait_ms_seconds",
    "rx_kbytes,            1 0 0 2 0 0,   rx_kbytes_bytes",
    "wait_kb,              0 1 0 0 2 0,   wait_kb_seconds",
    "rx_kbytes,            1 -1 0 1 3 0,  rx_kbytes",
    "wait_ms,              0 0 1 0 0 0,   wait_ms",
    // no units, but what tells metrics apart, or a part of a word
    "phase_a,              0 0 0 0 0 0 3 1, phase_a_amperes",
    "rx_b,                 1 0 0 0 0 0,   rx_b_bytes",
    "wait_min,             0 1 0 0 4 0,   wait_min_seconds",
    "items,                0 1 0 0 3 0,   items_seconds",
    // nothing but the unit
    "ms,                   0 1 0 0 2 0,   seconds"
  })
  void aNameHasTheBaseUnitInsteadOfItsOwn(String name, String units, String expected)
      throws IOException {
    int[] all =
        Arrays.stream(Arrays.copyOf(units.split(" ", -1), 8))
            .mapToInt(text -> text == null ? 0 : Integer.parseInt(text))
            .toArray();
    int word = new Units(all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7]).word();
    file(
        "app",
        file -> {
          file.metric(name, 1, ValueType.U32).units(word).value(0);
          file.metric("level." + name, 2, ValueType.U32)
              .semantics(Semantics.INSTANT)
              .units(word)
              .value(0);
        });
    assertEquals(
        Set.of("mmv_app_level_" + expected, "mmv_app_" + expected + "_total"),
        samples("").stream().map(sample -> sample.split(" ", 2)[0]).collect(toSet()));
  }

  @Test
  void metricsWhoseNamesDifferInTheirUnitsOnlyAreInConflict() throws IOException {
    file(
        "app",
        file -> {
          file.metric("wait_ms", 1, ValueType.U32)
              .units(new Units(0, 1, 0, 0, 2, 0).word())
              .value(1500);
          file.metric("wait_s", 2, ValueType.U32).units(SECONDS).value(1);
        });
    assertEquals(List.of("mmv_app_wait_seconds_total 1.5"), samples(""));
    assertTrue(get("", OPEN).body().contains("jmmv_names_in_conflict 1\n"));
  }

  @Test
  void negativeCountersAndNaNsAreLeftOutAlone() throws IOException {
    file(
        "app",
        file -> {
          file.flags(0);
          MmvWriter.InDom inDom = file.inDom(1).instance(1, "one").instance(2, "two");
          file.metric("count", 1, ValueType.DOUBLE).inDom(inDom).at(1, Double.NaN).at(2, 2.0);
          file.metric("down", 2, ValueType.I64).value(-5);
          file.metric("level", 3, ValueType.DOUBLE).semantics(Semantics.INSTANT).value(Double.NaN);
        });
    assertEquals(
        List.of("mmv_app_count_total{instname=\"two\",instid=\"2\"} 2.0", "mmv_app_level NaN"),
        samples(""));
    assertTrue(
        get("", OPEN).body().contains("jmmv_samples_left_out{reason=\"negative counter\"} 2\n"));
  }

  @Test
  void aFileThatComesOrGoesIsSeenByTheNextPage() throws IOException {
    Consumer<MmvWriter> content = file -> file.metric("x", 1, ValueType.I32).value(1);
    file("a", content);
    assertEquals(List.of("mmv_a_x_total 1"), samples(""));
    file("b", content);
    assertEquals(List.of("mmv_a_x_total 1", "mmv_b_x_total 1"), samples(""));
    Files.delete(root.resolve("mmv/a"));
    assertEquals(List.of("mmv_b_x_total 1"), samples(""));
  }

  @Test
  void aFileThatIsBeingWrittenHasNoSamples() throws IOException {
    file("a", file -> file.metric("x", 1, ValueType.I32).value(1));
    assertEquals(1, samples("").size());
    MmvWriter.flux(root.resolve("mmv/a"));
    assertEquals(List.of(), samples(""));
    assertTrue(get("", OPEN).body().contains("jmmv_file_state{file=\"a\",state=\"in flux\"} 1\n"));
  }

  @Test
  void aFileThatCannotBeServedSpoilsNothing() throws IOException {
    file("good", file -> file.metric("x", 1, ValueType.I32).value(1));
    Files.write(root.resolve("mmv/b\"ad"), new byte[100]);
    assertEquals(List.of("mmv_good_x_total 1"), samples(""));
    assertTrue(get("", OPEN).body().contains("jmmv_file_state{file=\"b\\\"ad\",state="));
  }

  /** Some of its values are those of the first file, though no metric is left out. */
  @Test
  void aFileThatSharesAPmidIsPartlyServed() throws IOException {
    file("a", file -> file.cluster(7).metric("x", 1, ValueType.I32).value(1));
    file("b", file -> file.cluster(7).metric("x", 1, ValueType.DOUBLE).value(1.5));
    assertEquals(
        Set.of(
            "jmmv_file_state{file=\"a\",state=\"served\"} 1",
            "jmmv_file_state{file=\"b\",state=\"partly served\"} 1"),
        own("?name%5B%5D=jmmv_file_state", "text/plain"));
  }

  @Test
  void aDirectoryThatCannotBeReadHasASeries() throws IOException {
    Path directory = root.resolve("mmv");
    String series = "jmmv_directory_readable{directory=\"" + directory + "\"} ";
    String query = "?name%5B%5D=jmmv_directory_readable";
    assertEquals(Set.of(series + 0), own(query, "text/plain"));
    Files.createDirectory(directory);
    assertEquals(Set.of(series + 1), own(query, "text/plain"));
  }

  /** Returns the samples of families of this program, of which files have one each. */
  private Set<String> own(String query, String accept) throws IOException {
    return get(query, accept).body().lines().filter(line -> !line.startsWith("#")).collect(toSet());
  }

  @Test
  void filesWhoseNamesAreNotUtf8HaveLabelsOfTheirOwn() throws Exception {
    Consumer<MmvWriter> content = file -> file.metric("x", 1, ValueType.I32).value(1);
    file("a", content);
    file("b", content);
    file("c", content);
    Process rename =
        new ProcessBuilder(
                "sh",
                "-c",
                "mv a \"$(printf 'caf\\350')\"; mv b \"$(printf 'caf\\351')\"; mv c 'caf\u00e9'")
            .directory(root.resolve("mmv").toFile())
            .start();
    assertEquals(0, rename.waitFor());
    assertEquals(
        Set.of(
            "jmmv_file_state{file=\"caf\u00e9\",state=\"partly served\"} 1",
            "jmmv_file_state{file=\"caf\\\\xe8\",state=\"partly served\"} 1",
            "jmmv_file_state{file=\"caf\\\\xe9\",state=\"partly served\"} 1"),
        own("?name%5B%5D=jmmv_file_state", "text/plain"));
  }

  @ParameterizedTest
  @CsvSource({
    "1902-01-01T00:00:00Z, -2145916800",
    "1969-12-31T23:59:59Z, -1",
    "1970-01-01T00:00:00Z, 0",
    "2300-01-01T00:00:00Z, 10413792000"
  })
  void aFileMayHaveBeenWrittenAtAnyTime(String time, String expected) throws Exception {
    file("a", file -> file.metric("x", 1, ValueType.I32).value(1));
    Process touch =
        new ProcessBuilder("touch", "-d", time, root.resolve("mmv/a").toString()).start();
    assertEquals(0, touch.waitFor());
    assertEquals(
        Set.of("jmmv_file_mtime_seconds{file=\"a\"} " + expected),
        own("?name%5B%5D=jmmv_file_mtime_seconds", "text/plain"));
  }

  @Test
  void limitsAreInSeries() throws IOException {
    file("a", file -> file.metric("x", 1, ValueType.I32).value(1));
    Set<String> series = own("?match=jmmv_limit*", "text/plain");
    assertTrue(
        series.containsAll(
            List.of(
                "jmmv_limit{limit=\"files\"} 20000",
                "jmmv_limit_used{limit=\"files\"} 1",
                "jmmv_limit_used{limit=\"values\"} 1")),
        series::toString);
    assertEquals(2 * Limit.COUNTED.size(), series.size());
  }

  /** libpcp_mmv has microseconds in the lower half of a generation; 7 is no time. */
  @Test
  void theStartOfAnApplicationIsInASeries() throws IOException {
    file("seconds", file -> file.generation(1732771200).metric("x", 1, ValueType.I32).value(1));
    long micros = 1732771200L << 32 | 250_000;
    file("micros", file -> file.generation(micros).metric("x", 1, ValueType.I32).value(1));
    file("number", file -> file.generation(7).metric("x", 1, ValueType.I32).value(1));
    assertEquals(
        Set.of(
            "jmmv_file_start_time_seconds{file=\"seconds\"} 1732771200",
            "jmmv_file_start_time_seconds{file=\"micros\"} 1732771200.25"),
        own("?name%5B%5D=jmmv_file_start_time_seconds", "text/plain"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "naming=pcp&"})
  void whatOfAFileIsLostIsInSeriesForAlerts(String naming) throws IOException {
    file("all", file -> file.metric("x", 1, ValueType.I32).value(1));
    file(
        "some",
        file -> {
          file.metric("good", 1, ValueType.I32).value(1);
          file.metric("<bad>", 2, ValueType.I32).value(1);
          file.metric("<worse>", 3, ValueType.I32).value(1);
          file.label(LabelType.CLUSTER, 0, 0, "no label");
        });
    Files.write(root.resolve("mmv/refused"), "no MMV file".repeat(10).getBytes(UTF_8));
    Files.write(root.resolve("mmv/.hidden"), new byte[100]);
    assertEquals(
        Set.of(
            "jmmv_file_metrics{file=\"all\"} 1",
            "jmmv_file_metrics{file=\"some\"} 3",
            "jmmv_file_metrics_lost{file=\"all\"} 0",
            "jmmv_file_metrics_lost{file=\"some\"} 2",
            "jmmv_file_faults_total{file=\"some\",code=\"name-characters\"} 2",
            "jmmv_file_faults_total{file=\"some\",code=\"label\"} 1",
            "jmmv_file_faults_total{file=\"refused\",code=\"not-mmv\"} 1"),
        own("?" + naming + "match=jmmv_file_metrics*&match=jmmv_file_faults*", OPEN));
    assertTrue(
        get("", OPEN).body().contains("# TYPE jmmv_file_faults counter\njmmv_file_faults_total"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"prometheus", "pcp"})
  void theHostIsAnInfo(String naming) {
    String info = get("?naming=" + naming + "&name%5B%5D=target", OPEN).body();
    String labels = ".*,hostname=\"" + ThisHost.hostname() + "\",.*";
    assertTrue(
        info.matches("(?s).*# TYPE target info\ntarget_info\\{" + labels + "} 1\n# EOF\n"), info);
  }

  @ParameterizedTest
  @CsvSource({
    "name[]=mmv_a_x_total, mmv_a_x_total",
    "name[]=mmv_a_x, mmv_a_x_total",
    "name[]=mmv_b_x_total&name[]=mmv_a_x_total&name[]=mmv_a_x, 'mmv_a_x_total,mmv_b_x_total'",
    "name[]=mmv_a_x_created, ''",
    "name[]=%F0%9F%98%80, ''",
    "name[]=mmv_a_x&name[]=mmv_b_x&files=b&match=*_x_*, mmv_b_x_total",
    "match=mmv_*_y_seconds, 'mmv_a_y_seconds,mmv_b_y_seconds'",
    "files=b, 'mmv_b_x_total,mmv_b_y_seconds'",
    "files=[ab]&match=*_x_*, 'mmv_a_x_total,mmv_b_x_total'",
    "name[]=none, ''"
  })
  void aRequestCanAskForSomeFamilies(String query, String expected) throws IOException {
    Consumer<MmvWriter> content =
        file -> {
          file.metric("x", 1, ValueType.I32).value(1);
          file.metric("y", 2, ValueType.I32).semantics(Semantics.INSTANT).units(SECONDS).value(1);
        };
    file("a", content);
    file("b", content);
    String encoded = query.replace("[", "%5B").replace("]", "%5D");
    List<String> names = new ArrayList<>();
    samples("?" + encoded).forEach(sample -> names.add(sample.substring(0, sample.indexOf(' '))));
    assertEquals(expected, String.join(",", names));
  }

  @ParameterizedTest
  @CsvSource({
    "name[]=jmmv_file_state, 'jmmv_file_state{file=\"a\",state=\"served\"}'",
    "match=jmmv_file_mt*, 'jmmv_file_mtime_seconds{file=\"a\"}'",
    "match=jmmv_b*, 'jmmv_build_info{version=\"1.2.3\"}'",
    "name[]=mmv_a_x, ''"
  })
  void namesSelectSeriesOfThisProgramToo(String query, String expected) throws IOException {
    file("a", file -> file.metric("x", 1, ValueType.I32).value(1));
    String encoded = query.replace("[", "%5B").replace("]", "%5D");
    List<String> names = new ArrayList<>();
    get("?" + encoded, OPEN)
        .body()
        .lines()
        .filter(line -> line.startsWith("jmmv_") || line.startsWith("target"))
        .forEach(line -> names.add(line.substring(0, line.indexOf(' '))));
    assertEquals(expected, String.join(",", names));
  }

  @Test
  void wrongParametersAreAnsweredWithAnError() throws IOException {
    assertEquals(400, get("?naming=none", OPEN).statusCode());
    assertEquals(400, get("?match=" + URLEncoder.encode("[", UTF_8), OPEN).statusCode());
  }

  /** The header that Prometheus 3 sends is the last but one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/* | TEXT",
        "'' | TEXT",
        "text/html,application/xhtml+xml,*/*;q=0.8 | TEXT",
        "application/openmetrics-text | OPENMETRICS",
        "application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1 | OPENMETRICS",
        "application/openmetrics-text;version=2.0.0,text/plain;q=0.5 | TEXT",
        "text/plain;q=0.2, application/openmetrics-text; q=0.9 | OPENMETRICS",
        "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited,application/openmetrics-text;version=1.0.0;q=0.8 | PROTOBUF",
        "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=text | TEXT",
        "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2 | OPENMETRICS",
        "application/openmetrics-text;q=x | TEXT"
      })
  void theFormatIsTheOneThatTheClientLikesBest(String accept, Format expected) {
    assertEquals(expected, Format.of(accept == null ? "" : accept));
  }
}
