package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prometheus.metrics.expositionformats.generated.com_google_protobuf_4_36_2.Metrics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.qa.Application.Library;
import org.jmmv.testkit.Fixtures;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.SeedFiles;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@code jmmv serve --http} has at {@code /metrics} is accepted by strict parsers, and has the
 * values that PCP's clients print.
 */
@Tag("quick")
final class ExpositionTest {
  private static final String OPENMETRICS = "application/openmetrics-text;version=1.0.0";
  private static final String TEXT = "text/plain";
  private static final String PROTOBUF =
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";

  private static final Pattern NAME = Pattern.compile("(mmv\\.\\S+)");
  private static final Pattern VALUE =
      Pattern.compile(" +(?:inst \\[(\\d+) or .*\\] )?value (-?[0-9.e+-]+|inf|-inf|nan)");

  @AutoClose private static final TemporaryPcp PCP = new TemporaryPcp();
  private static CollectorProcess jmmv;

  @BeforeAll
  static void start() {
    Need.EXPOSITION.require();
    SeedFiles.ofLibraries().forEach(PCP::serve);
    Fixtures.images().forEach(PCP::serve);
    writeHostile();
    PCP.open(Application.start(PCP, Library.LIBPCP_MMV, "shop", "plain"));
    PCP.open(Application.start(PCP, Library.LIBPCP_MMV, "labelled", "labelled"));
    PCP.open(Application.start(PCP, Library.PARFAIT, "parfait", "plain"));
    jmmv = PCP.open(CollectorProcess.withHttp(PCP, 0));
  }

  /** Collisions, texts that are no text, extremes, and labels that Prometheus reserves. */
  private static void writeHostile() {
    MmvWriter file = new MmvWriter(3).cluster(77);
    int space = new Units(1, 0, 0, 5, 0, 0).word();
    int time = new Units(0, 1, 0, 0, 2, 0).word();
    file.metric("h", 1, ValueType.I32).help("# EOF\n# TYPE h counter\nh 1\0", null).value(1);
    file.metric("h_total", 3, ValueType.I32).semantics(Semantics.INSTANT).value(3);
    file.metric("h_created", 4, ValueType.I32).semantics(Semantics.INSTANT).value(4);
    file.metric("h_count", 5, ValueType.I32).semantics(Semantics.INSTANT).value(5);
    file.metric("a.b", 6, ValueType.I32).semantics(Semantics.INSTANT).value(6);
    file.metric("a_b", 7, ValueType.I32).semantics(Semantics.INSTANT).value(7);
    file.metric("v", 8, ValueType.STRING).semantics(Semantics.DISCRETE).text("\"\\\n\u00ff\u0001");
    file.metric("v_info", 9, ValueType.I32).semantics(Semantics.INSTANT).value(9);
    file.metric("max", 10, ValueType.U64).units(space).value(-1);
    file.metric("min", 11, ValueType.I64).semantics(Semantics.INSTANT).value(Long.MIN_VALUE);
    file.metric("nan", 12, ValueType.DOUBLE).value(Double.NaN);
    file.metric("minus", 13, ValueType.I32).value(-1);
    file.metric("inf", 14, ValueType.FLOAT)
        .semantics(Semantics.INSTANT)
        .value(Double.NEGATIVE_INFINITY);
    file.metric("wait", 16, ValueType.I32).units(time).value(1);
    file.metric("wait_ms", 17, ValueType.I32).units(time).value(2);
    file.metric("wait_seconds_total", 18, ValueType.I32).units(time).value(3);
    MmvWriter.InDom inDom = file.inDom(1);
    MmvWriter.Metric each = file.metric("each", 15, ValueType.I32).inDom(inDom);
    String[] names = {
      "\u00ff", "\u00fe", "\"", "\\", "a b", "a b c", "{}=,", "\u00e2\u0080\u00ae", "#"
    };
    for (int i = 0; i < names.length; i++) {
      inDom.instance(i, names[i]);
      each.at(i, i);
    }
    file.label(
        LabelType.CLUSTER,
        77,
        0,
        "{\"le\":\"1\",\"quantile\":\"2\",\"job\":\"x\",\"instance\":\"y\",\"__name__\":\"z\",\"instname\":\"i\"}");
    file.label(LabelType.ITEM, 15, 0, "{\"q\":\"\\\"\\\\\\n\",\"a\":{\"b\":[1,{\"c\":null}]}}");
    file.label(LabelType.INSTANCES, 1, 3, "{\"q\":\"own\",\"a_b\":true}");
    file.write(PCP.mmv(), "hostile");
    Shell.run(
            Map.of(),
            List.of(
                "sh",
                "-c",
                "cd $0 && for name in 'a\\350' 'a\\351' 'a\\\\xe9'; do : >\"$(printf \"$name\")\"; done",
                PCP.mmv().toString()))
        .outOfSuccess();
  }

  private static byte[] get(String query, String accept) throws IOException {
    URI uri = jmmv.http().resolve("/metrics" + query);
    HttpRequest request = HttpRequest.newBuilder(uri).header("Accept", accept).build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, BodyHandlers.ofByteArray()).body();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Returns the samples that the strict parser of Python reads. */
  private static JsonNode samples(String query, String accept) throws IOException {
    String page = new String(get(query, accept), ISO_8859_1); // as Shell writes it
    String format = accept.equals(TEXT) ? "text" : "openmetrics";
    Shell.Result parsed =
        Shell.run(
            Map.of(),
            List.of(
                "/usr/bin/python3",
                System.getProperty("jmmv.sources") + "/python/exposition.py",
                format),
            page);
    return new ObjectMapper().readTree(parsed.outOfSuccess());
  }

  /** Returns values by the name of the series and the number of the instance. */
  private static Map<String, Double> byName(JsonNode samples) {
    Map<String, Double> values = new TreeMap<>();
    for (JsonNode sample : samples) {
      String instance = sample.get("labels").path("instid").asText("");
      values.put(
          sample.get("name").asText() + " " + instance,
          Double.valueOf(
              sample.get("value").asText().replace("inf", "Infinity").replace("nan", "NaN")));
    }
    return values;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?naming=pcp"})
  void strictParsersAcceptBothTextFormatsWithTheSameSamples(String query) throws IOException {
    JsonNode samples = samples(query, OPENMETRICS);
    assertEquals(byName(samples).keySet(), byName(samples(query, TEXT)).keySet());
    Set<String> files = new TreeSet<>();
    for (JsonNode sample : samples) {
      if (sample.get("name").asText().equals("jmmv_file_state")) {
        files.add(sample.get("labels").get("file").asText());
      }
    }
    assertTrue(files.containsAll(Set.of("a\\xe8", "a\\xe9", "a\\x5cxe9")), files::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?naming=pcp"})
  void promtoolParsesThePage(String query) throws IOException {
    Need.PROMETHEUS.require();
    Shell.Result result =
        Shell.run(
            Map.of(),
            List.of("promtool", "check", "metrics"),
            new String(get(query, TEXT), ISO_8859_1));
    // applications choose the names, which are linted
    assertTrue(!result.err().contains("error while linting"), result::err);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?naming=pcp"})
  void protobufHasTheSameSamplesAndTheStartOfCounters(String query) throws IOException {
    Map<String, Double> expected = byName(samples(query, TEXT));
    Map<String, Double> values = new TreeMap<>();
    List<String> families = new ArrayList<>();
    Set<Object> series = new HashSet<>();
    boolean hasStart = false;
    InputStream in = new ByteArrayInputStream(get(query, PROTOBUF));
    for (Metrics.MetricFamily family;
        (family = Metrics.MetricFamily.parseDelimitedFrom(in)) != null; ) {
      String name = family.getName();
      if (families.isEmpty() || !families.getLast().equals(name)) { // not a part of the same one
        families.add(name);
      }
      family
          .getMetricList()
          .forEach(metric ->
              assertTrue(series.add(List.of(name, metric.getLabelList())), metric::toString));
      for (Metrics.Metric metric : family.getMetricList()) {
        String instance =
            metric.getLabelList().stream()
                .filter(label -> label.getName().equals("instid"))
                .map(Metrics.LabelPair::getValue)
                .findFirst()
                .orElse("");
        double value =
            switch (family.getType()) {
              case COUNTER -> metric.getCounter().getValue();
              case GAUGE -> metric.getGauge().getValue();
              default -> metric.getUntyped().getValue();
            };
        values.put(name + " " + instance, value);
        hasStart |=
            name.startsWith("mmv_shop")
                && metric.getCounter().getCreatedTimestamp().getSeconds()
                    > System.currentTimeMillis() / 1000 - 600;
      }
    }
    assertEquals(new TreeSet<>(expected.keySet()), new TreeSet<>(values.keySet()));
    assertEquals(Set.copyOf(families).size(), families.size(), families::toString);
    assertTrue(hasStart);
  }

  @Test
  void withTheNamesOfPcpValuesAreThoseThatPminfoPrints() throws IOException {
    Need.PCP.require();
    Map<String, Double> values = byName(samples("?naming=pcp", TEXT));
    String name = "";
    int compared = 0;
    for (String line : jmmv.onTcp().client("pminfo", "-f", "mmv").out().lines().toList()) {
      Matcher head = NAME.matcher(line);
      Matcher value = VALUE.matcher(line);
      if (head.matches()) {
        name = head.group(1).replace('.', '_');
      } else if (value.matches()
          && !name.startsWith("mmv_control_")
          && !name.startsWith("mmv_hostile_a_b")
          && !name.endsWith("_busy")) { // a time that goes on
        String key = name + " " + (value.group(1) == null ? "" : value.group(1));
        double expected =
            Double.parseDouble(value.group(2).replace("inf", "Infinity").replace("nan", "NaN"));
        Double found = values.get(key);
        if (found != null) {
          assertEquals(expected, found, Math.abs(expected) * 1e-6, key);
          compared++;
        }
      }
    }
    assertTrue(compared > 30, compared + " values");
  }
}
