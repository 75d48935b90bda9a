package org.jmmv.web.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.web.WebServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ApiTest {
  private static final String ROOT = "/api/v1";
  private static final int OK = 200;
  private static final int BYTES = new Units(1, 0, 0, 0, 0, 0).word();
  private static final int MILLISECONDS = new Units(0, 1, 0, 0, 2, 0).word();

  @TempDir private Path directory;
  private final MmvWriter shop = new MmvWriter(3).cluster(11);
  private Path file;
  private WebServer server;

  @BeforeEach
  void serve() throws Exception {
    MmvWriter.InDom payment =
        shop.inDom(1).instance(0, "card").instance(4, "<b>\u00c3\u00a9</b>").instance(9, "none");
    shop.metric("sent", 1, ValueType.U64).units(BYTES).help("Bytes sent", "To browsers").value(-1);
    shop.metric("busy", 2, ValueType.I64).units(MILLISECONDS).value(5);
    shop.metric("paid", 3, ValueType.U32).inDom(payment).at(0, 1).at(4, 2);
    shop.metric("state", 4, ValueType.STRING)
        .semantics(Semantics.DISCRETE)
        .help("<script>", null)
        .text("\u00c3\u00bc \u00ff");
    file = shop.write(directory, "shop");
    Files.write(directory.resolve("zeros"), new byte[100]);
    Files.writeString(directory.resolve("text"), "a text that is longer than the header of a file");
    MmvWriter partly = new MmvWriter(1).cluster(12);
    partly.metric("good", 1, ValueType.U32).value(1);
    partly.metric("<bad>", 2, ValueType.U32).value(1);
    partly.write(directory, "partly");
    server = new WebServer(directory);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static JsonNode parse(String text) {
    try {
      return new JsonMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }

  private JsonNode get(String path) {
    HttpResponse<String> response = server.get(ROOT + path);
    assertEquals(OK, response.statusCode(), response.body());
    return parse(response.body());
  }

  private static List<String> texts(JsonNode array, String member) {
    List<String> texts = new ArrayList<>();
    array.forEach(element -> texts.add(element.path(member).asText()));
    return texts;
  }

  private static JsonNode find(JsonNode array, String member, String value) {
    for (JsonNode element : array) {
      if (element.path(member).asText().equals(value)) {
        return element;
      }
    }
    throw new AssertionError("no " + value + " in " + array);
  }

  // ---------------------------------------------------------------- description

  @Test
  void everyResourceIsDescribed() {
    Set<String> described = new HashSet<>();
    get("/openapi.json").get("paths").fieldNames().forEachRemaining(described::add);
    assertEquals(
        new Api(server.server().loop().executor(), "", false, _ -> null, null).resources().keySet(),
        described);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          About,         /about
          Metrics,       /metrics
          Metrics,       /metrics?limit=2&after=mmv.shop
          MetricDetails, /metric?pmid=70.11.1
          MetricDetails, /metric?pmid=70.11.3
          Instances,     /instances?pmid=70.11.3
          Instances,     /instances?pmid=70.11.3&limit=1
          Instances,     /instances?pmid=70.11.3&word=card
          Search,        /search?word=shop&word=CARD
          Search,        /search?word=shop&word=e&limit=1
          Values,        /values
          Values,        /values?series=70.11.1&series=70.11.3:4&series=70.11.4&series=70.99.9
          History,       /history
          History,       /history?series=70.11.1&series=70.99.9&since=-1.5E3&step=1000
          Top,           /top
          Top,           /top?by=value&limit=5&file=shop&file=partly&word=s
          Prometheus,    /prometheus
          Prometheus,    /prometheus?naming=pcp
          Files,         /files
          Files,         /files?health=unhealthy&limit=1
          """)
  void documentsAreAsDescribed(String schema, String path) {
    assertValid(schema, get(path));
  }

  private void assertValid(String schema, JsonNode document) {
    JsonNode description = get("/openapi.json");
    String path = "#/components/schemas/" + schema;
    JsonNode root =
        new JsonMapper()
            .createObjectNode()
            .put("$ref", path)
            .set("components", description.get("components"));
    assertEquals(
        Set.of(),
        JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(root).validate(document),
        document::toString);
  }

  // ---------------------------------------------------------------- metrics

  @Test
  void metricsAreListedWithWhatAClientShowsOfThem() {
    JsonNode metrics = get("/metrics").get("metrics");
    JsonNode sent = find(metrics, "name", "mmv.shop.sent");
    assertEquals("Bytes sent", sent.get("help").asText());
    assertEquals("u64", sent.get("type").asText());
    assertEquals("counter", sent.get("semantics").asText());
    assertEquals("byte", sent.get("units").asText());
    assertEquals("byte/s", sent.get("rate").get("units").asText());
    assertEquals("Kbyte/s", sent.get("rate").get("larger").get(0).asText());
    assertFalse(sent.has("instances"));
    JsonNode busy = find(metrics, "name", "mmv.shop.busy");
    assertEquals("%", busy.get("rate").get("units").asText());
    assertEquals(0.1, busy.get("rate").get("factor").asDouble());
    assertEquals(2, find(metrics, "name", "mmv.shop.paid").get("instances").asInt());
    JsonNode state = find(metrics, "name", "mmv.shop.state");
    assertEquals("<script>", state.get("help").asText());
    assertFalse(state.has("rate"));
  }

  @Test
  void metricsCanBeSearchedAndPaged() {
    assertEquals(
        List.of("mmv.shop.sent"), texts(get("/metrics?search=BYTES").get("metrics"), "name"));
    JsonNode all = get("/metrics");
    List<String> paged = new ArrayList<>();
    String after = "";
    do {
      JsonNode page = get("/metrics?limit=7&after=" + after);
      assertEquals(all.get("total"), page.get("total"));
      paged.addAll(texts(page.get("metrics"), "name"));
      after = page.path("next").asText();
    } while (!after.isEmpty());
    assertEquals(texts(all.get("metrics"), "name"), paged);
    assertEquals(all.get("total").asInt(), paged.size());
  }

  // ---------------------------------------------------------------- search

  private static final String CARD = "word=card&word=shop";

  private void writeLabels() {
    MmvWriter labels = new MmvWriter(3).cluster(13);
    MmvWriter.InDom inDom = labels.inDom(1).instance(0, "one").instance(1, "two");
    labels.metric("b", 1, ValueType.U32).inDom(inDom).at(0, 1).at(1, 2);
    labels.metric("c", 2, ValueType.U32).inDom(inDom).at(1, 2);
    labels.metric("d", 3, ValueType.U32).value(1);
    labels.label(LabelType.ITEM, 3, 0, "{\"team\":\"Billing\"}");
    labels.label(LabelType.INSTANCES, 1, 1, "{\"zone\":\"north\"}");
    labels.write(directory, "labelled");
  }

  @Test
  void metricsAreFoundByNamesOfInstances() {
    JsonNode found = get("/search?" + CARD).get("metrics");
    assertEquals(List.of("mmv.shop.paid"), texts(found, "name"));
    assertEquals(1, found.get(0).get("instances").asInt());
    assertEquals(0, get("/search?word=paid").get("metrics").size(), "its name has it");
    assertEquals(0, get("/search?word=card&word=none").get("metrics").size(), "two instances");
    assertEquals("mmv.shop.paid", get("/search?word=\u00c9").at("/metrics/0/name").asText());
  }

  @Test
  void instancesAreThoseWithTheWordsThatTheMetricLacks() {
    String all = "/instances?pmid=70.11.3";
    JsonNode found = get(all + "&" + CARD);
    assertEquals(List.of("card"), texts(found.get("instances"), "name"));
    assertEquals(1, found.get("total").asInt());
    assertEquals(get(all), get(all + "&word=paid"));
    assertEquals(0, get(all + "&word=nothing").get("total").asInt());
    assertEquals(0, get(all + "&word=none").get("total").asInt(), "it has no value");
  }

  @Test
  void metricsAndInstancesAreFoundByValuesOfLabels() {
    writeLabels();
    JsonNode billing = get("/search?word=billing").get("metrics");
    assertEquals(List.of("mmv.labelled.d"), texts(billing, "name"));
    assertTrue(billing.get(0).path("instances").isMissingNode());
    JsonNode north = get("/search?word=north").get("metrics");
    assertEquals(List.of("mmv.labelled.b", "mmv.labelled.c"), texts(north, "name"));
    assertEquals(1, north.get(0).get("instances").asInt());
    assertEquals("two", get("/instances?pmid=70.13.1&word=north").at("/instances/0/name").asText());
    assertEquals(0, get("/search?word=zone").get("metrics").size(), "the name of a label");
    JsonNode page = get("/search?word=north&limit=1");
    assertEquals(List.of("mmv.labelled.b"), texts(page.get("metrics"), "name"));
    JsonNode rest = get("/search?word=north&after=" + page.get("next").asText());
    assertEquals(List.of("mmv.labelled.c"), texts(rest.get("metrics"), "name"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 33})
  void aSearchHasLittleToLookFor(int words) {
    String query = ("word=" + "a".repeat(256 / words) + "&").repeat(words);
    assertEquals(400, server.get(ROOT + "/search?" + query).statusCode());
    assertEquals(400, server.get(ROOT + "/instances?pmid=70.11.3&" + query).statusCode());
    assertEquals(400, server.get(ROOT + "/top?" + query).statusCode());
  }

  @Test
  void aMetricHasItsFile() {
    JsonNode metrics = get("/metrics").get("metrics");
    assertEquals("shop", find(metrics, "name", "mmv.shop.paid").get("file").asText());
    assertFalse(find(metrics, "name", "mmv.control.debug").has("file"));
  }

  @Test
  void aMetricIsDescribed() {
    JsonNode sent = get("/metric?pmid=70.11.1");
    assertEquals("To browsers", sent.get("text").asText());
    assertEquals("\"mmv\"", sent.get("labels").get("agent").asText());
  }

  @Test
  void instancesAreThoseThatHaveAValue() {
    JsonNode instances = get("/instances?pmid=70.11.3");
    assertEquals(2, instances.get("total").asInt());
    assertEquals(List.of("card", "<b>\u00e9</b>"), texts(instances.get("instances"), "name"));
    JsonNode second = get("/instances?pmid=70.11.3&offset=1&limit=5");
    assertEquals(List.of("4"), texts(second.get("instances"), "instance"));
  }

  @Test
  void manyMetricsAreOneDocument() {
    MmvWriter[] files = {new MmvWriter(2).cluster(51), new MmvWriter(2).cluster(52)};
    for (MmvWriter one : files) {
      IntStream.range(0, 1000).forEach(i -> one.metric("m" + i, i, ValueType.U32).value(i));
    }
    files[0].write(directory, "one");
    files[1].write(directory, "two");
    JsonNode metrics = get("/metrics?limit=100000").get("metrics");
    assertEquals(
        2000,
        Stream.of("mmv.one.", "mmv.two.")
            .mapToLong(
                start -> texts(metrics, "name").stream().filter(n -> n.startsWith(start)).count())
            .sum());
  }

  @Test
  void namesInPrometheusAreListedWithTheirConflicts() {
    MmvWriter writer = new MmvWriter(2).cluster(30);
    writer.metric("a.b", 1, ValueType.U32).value(1);
    writer.metric("a_b", 2, ValueType.U32).value(1);
    writer.write(directory, "same");
    JsonNode names = get("/prometheus");
    JsonNode sent = find(names.get("families"), "metric", "mmv.shop.sent");
    assertEquals("mmv_shop_sent_bytes_total", sent.get("name").asText());
    assertEquals("counter", sent.get("type").asText());
    JsonNode conflict = names.get("conflicts").get(0);
    assertEquals("mmv.same.a_b", conflict.get("metric").asText());
    assertEquals("mmv.same.a.b", conflict.get("takenBy").asText());
    JsonNode pcp = find(get("/prometheus?naming=pcp").get("families"), "metric", "mmv.shop.sent");
    assertEquals("mmv_shop_sent", pcp.get("name").asText());
  }

  // ---------------------------------------------------------------- values

  @Test
  void valuesAreExactAndInTheOrderOfTheRequest() {
    JsonNode values =
        get(
            "/values?series=70.11.4&series=70.11.3:4&series=70.11.1&series=70.11.3:9&series=70.1.1");
    assertEquals(
        parse("[\"\u00fc \ufffd\", \"2\", \"18446744073709551615\", null, null]"),
        values.get("values"));
  }

  @Test
  void rangesStandForMetricsAndInstances() {
    assertEquals(
        parse("[\"18446744073709551615\", \"5\", null, \"\u00fc \ufffd\"]"),
        get("/values?series=70.11.1-4").get("values"));
    assertEquals(
        parse("[null, null, \"1\", null, null, null, \"2\"]"),
        get("/values?series=70.11.2-3:0-1&series=70.11.3:2-4").get("values"));
  }

  /** Different bytes are different names, even if they are not UTF-8. */
  @Test
  void namesOfInstancesThatAreNotUtf8AreEscaped() {
    MmvWriter latin = new MmvWriter(2).cluster(14);
    MmvWriter.InDom inDom = latin.inDom(1).instance(0, "caf\u00e8").instance(1, "caf\u00e9");
    latin.metric("m", 1, ValueType.U32).inDom(inDom).at(0, 1).at(1, 2);
    latin.write(directory, "latin");
    JsonNode instances = get("/instances?pmid=70.14.1").get("instances");
    assertEquals(List.of("caf\\xe8", "caf\\xe9"), texts(instances, "name"));
    while (largest("latin").isEmpty()) {} // its first values
    assertEquals(List.of("caf\\xe9", "caf\\xe8"), texts(largest("latin"), "name"));
    JsonNode found = get("/instances?pmid=70.14.1&word=caf%5CxE9").get("instances");
    assertEquals(List.of("caf\\xe9"), texts(found, "name"));
  }

  /** Each metric has its own instances, although others have the same instance domain. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void eachSeriesHasItsValue(long seed) {
    Random random = new Random(seed);
    MmvWriter app = new MmvWriter(3).cluster(13);
    Map<String, String> all = new HashMap<>(); // values by series
    for (int serial = 1; serial <= 2; serial++) {
      MmvWriter.InDom inDom = app.inDom(serial);
      IntStream.range(0, 1_100).forEach(i -> inDom.instance(i, "i" + i));
      for (int item = serial; item <= 6; item += 2) {
        MmvWriter.Metric metric =
            app.metric("m" + item, item, ValueType.U32).semantics(Semantics.INSTANT).inDom(inDom);
        for (int i = 0; i < 1_100; i++) {
          int value = random.nextInt(1_000);
          if (value < 900) {
            metric.at(i, value);
            all.put("70.13." + item + ":" + i, Integer.toString(value));
          }
        }
      }
    }
    app.write(directory, "app");
    Set<String> series = new LinkedHashSet<>();
    while (series.size() < 200) {
      series.add("70.13.%d:%d".formatted(1 + random.nextInt(6), random.nextInt(1_100)));
    }
    List<String> found = new ArrayList<>();
    get("/values?series=" + String.join("&series=", series))
        .get("values")
        .forEach(value -> found.add(value.isNull() ? null : value.asText()));
    assertEquals(series.stream().map(all::get).toList(), found);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/metrics",
        "/instances?pmid=70.11.3",
        "/values?series=70.11.1",
        "/history",
        "/top",
        "/prometheus"
      })
  void documentsOfOneProcessHaveOneEpochAndThoseOfAnotherAnother(String path) {
    JsonNode document = get(path);
    assertTrue(document.get("epoch").isIntegralNumber(), document::toString);
    assertEquals(get("/metrics").get("epoch"), document.get("epoch"));
    try (WebServer next = new WebServer(directory)) { // its versions are the same numbers
      JsonNode later = parse(next.get(ROOT + path).body());
      assertNotEquals(document.get("epoch"), later.get("epoch"));
    }
  }

  @Test
  void aStreamHasTheNewestValuesAndTellsOfNewNames() throws Exception {
    HttpResponse<Stream<String>> response =
        server.send(ROOT + "/stream?series=70.11.3:0&interval=200", BodyHandlers.ofLines());
    assertEquals("text/event-stream", response.headers().firstValue("content-type").orElseThrow());
    assertEquals("no", response.headers().firstValue("x-accel-buffering").orElse(""));
    try (Stream<String> lines = response.body()) {
      Iterator<JsonNode> events =
          lines
              .filter(line -> line.startsWith("data: "))
              .map(line -> parse(line.substring("data: ".length())))
              .iterator();
      JsonNode first = events.next();
      assertValid("Values", first);
      assertEquals(parse("[\"1\"]"), first.get("values"));
      MmvWriter.storeLong(file, shop.valueAt(2), 17);
      JsonNode later = events.next();
      while (!later.get("values").equals(parse("[\"17\"]"))) {
        later = events.next();
      }
      assertTrue(later.get("clock").asDouble() > first.get("clock").asDouble());
      MmvWriter added = new MmvWriter(2).cluster(20);
      added.metric("x", 1, ValueType.U32).value(1);
      added.write(directory, "added");
      while (later.get("version").equals(first.get("version"))) {
        later = events.next();
      }
    }
    assertTrue(texts(get("/metrics").get("metrics"), "name").contains("mmv.added.x"));
  }

  /** Numbers may stand for something else in the next moment. */
  @Test
  void aSeriesWithAHashHasNoValueOfAnother() {
    assertEquals(0xbf9cf968, SeriesCheck.of("foobar"), "as FNV-1a is published");
    JsonNode paid = find(get("/metrics").get("metrics"), "name", "mmv.shop.paid");
    String kind =
        Stream.of("type", "semantics", "units")
            .map(member -> paid.get(member).asText())
            .collect(Collectors.joining(" "));
    Map<String, String> expected =
        Map.of(
            "mmv.shop.paid[<b>\u00e9</b>] " + kind, "2",
            "mmv.shop.paid[card] " + kind, "null",
            "mmv.shop.other[<b>\u00e9</b>] " + kind, "null",
            "mmv.shop.paid[<b>\u00e9</b>] " + kind + "s", "null");
    expected.forEach((meant, value) -> {
      String series = "series=70.11.3:4_%08x&series=70.11.3:0".formatted(SeriesCheck.of(meant));
      JsonNode values = get("/values?" + series).get("values");
      assertEquals(value, values.get(0).asText(), meant);
      assertEquals("1", values.get(1).asText(), "without a hash");
      if (value.equals("null")) {
        assertTrue(get("/history?" + series).get("values").get(0).isNull(), meant);
      }
    });
    String sent = "mmv.shop.sent u64 counter byte";
    JsonNode values =
        get("/values?series=70.11.1_%08x".formatted(SeriesCheck.of(sent))).get("values");
    assertEquals("18446744073709551615", values.get(0).asText());
  }

  // ---------------------------------------------------------------- history

  /** Returns a history of two series with some values, as soon as the server has read them. */
  private JsonNode history(int values, String parameters) {
    JsonNode history;
    do {
      history = get("/history?series=70.11.3:4&series=70.11.99&series=70.11.2" + parameters);
      assertEquals(3, history.get("values").size());
      assertTrue(history.get("values").get(1).isNull(), "there is no such metric");
    } while (history.get("clocks").size() < values);
    return history;
  }

  @Test
  void aHistoryHasTheValuesOfTheLastRoundsInTheOrderOfTheRequest() {
    JsonNode first = history(2, "");
    assertEquals("2", first.get("values").get(0).get(0).asText());
    MmvWriter.storeLong(file, shop.valueAt(1), 17);
    double last = first.get("clocks").get(first.get("clocks").size() - 1).asDouble();
    JsonNode second = history(2, "&since=" + last);
    assertTrue(second.get("clocks").get(0).asDouble() > last);
    JsonNode busy = second.get("values").get(2);
    assertEquals(second.get("clocks").size(), busy.size());
    assertEquals("17", busy.get(busy.size() - 1).asText());
    JsonNode sparse = history(1, "&step=900000");
    assertEquals(first.get("clocks").get(0), sparse.get("clocks").get(0));
    assertEquals(1, sparse.get("clocks").size());
    assertTrue(get("/about").get("history").get("seconds").asInt() > 0);
  }

  @Test
  void theSeriesThatChangeMostAreFoundByFileAndName() {
    history(1, "");
    JsonNode top = get("/top?by=value&limit=2&file=shop").get("top");
    assertEquals(List.of("mmv.shop.sent", "mmv.shop.busy"), texts(top, "metric"));
    assertEquals("18446744073709551615", top.get(0).get("value").asText());
    JsonNode paid = get("/top?by=value&word=PAID").get("top");
    assertEquals(List.of("4", "0"), texts(paid, "instance"));
    assertEquals(List.of("<b>\u00e9</b>", "card"), texts(paid, "name"));
    assertEquals(0, get("/top").get("top").size(), "nothing has changed");
  }

  /** The series are those of the metrics and instances that a search finds. */
  @Test
  void theSeriesThatAreLargestAreFoundByTheWordsOfASearch() {
    writeLabels();
    while (largest("labelled").isEmpty()) {} // its first values
    assertEquals(List.of("mmv.shop.sent"), texts(largest("BYTES&word=shop"), "metric"));
    assertEquals(List.of("card"), texts(largest("card&word=shop"), "name"));
    assertEquals(List.of("mmv.labelled.d"), texts(largest("billing"), "metric"));
    assertEquals(
        List.of("mmv.labelled.b", "mmv.labelled.c"),
        texts(largest("north&word=labelled"), "metric"));
    assertEquals(0, largest("card&word=none").size(), "two instances");
    assertEquals(0, largest("sent&word=card").size(), "it has no instances");
  }

  private JsonNode largest(String words) {
    return get("/top?by=value&word=" + words).get("top");
  }

  // ---------------------------------------------------------------- files

  @Test
  void filesAreListedWithWhatIsWrong() {
    JsonNode files = get("/files").get("files");
    assertEquals("served", find(files, "file", "shop").get("health").asText());
    JsonNode partly = find(files, "file", "partly");
    assertEquals("partly", partly.get("health").asText());
    assertEquals(1, partly.get("served").asInt());
    assertEquals(2, partly.get("metrics").asInt());
    JsonNode fault = find(partly.get("faults"), "code", "name-characters");
    assertEquals("METRICS", fault.get("section").asText());
    assertEquals("warning", fault.get("severity").asText());
    assertTrue(fault.get("offset").asInt() > 0);
    assertTrue(fault.get("problem").asText().contains("\"<bad>\""));
    JsonNode text = find(files, "file", "text");
    assertEquals("refused", text.get("health").asText());
    assertEquals("not-mmv", text.get("faults").get(0).get("code").asText());
  }

  @Test
  void filesThatSomebodyShouldLookAtComeFirst() throws Exception {
    Files.move(file, directory.resolve("app"));
    Files.write(directory.resolve(".dot"), new byte[1]);
    Files.delete(directory.resolve("zeros"));
    List<String> names = List.of("text", "partly", "app", ".dot");
    assertEquals(names, texts(get("/files").get("files"), "file"));
    for (int offset = 0; offset < names.size(); offset++) {
      JsonNode one = get("/files?limit=1&offset=" + offset);
      assertEquals(List.of(names.get(offset)), texts(one.get("files"), "file"));
      assertEquals(names.size(), one.get("total").asInt());
      assertEquals(offset + 1 < names.size(), one.has("next"));
    }
  }

  @Test
  void aFileMayHaveAnyNameAndAnyTime() throws Exception {
    for (String command :
        List.of(
            "mv zeros \"$(printf 'caf\\350')\"; mv text \"$(printf 'caf\\351')\"",
            "touch -d 1969-12-31T23:59:59Z partly; touch -d @0 shop; touch .dot")) {
      Process shell = new ProcessBuilder("sh", "-c", command).directory(directory.toFile()).start();
      assertEquals(0, shell.waitFor());
    }
    JsonNode files = get("/files");
    assertValid("Files", files);
    assertEquals(
        Set.of("shop", "partly", "caf\\xe8", "caf\\xe9", ".dot"),
        Set.copyOf(texts(files.get("files"), "file")));
    assertEquals(-1, find(files.get("files"), "file", "partly").get("modified").asLong());
    assertEquals(0, find(files.get("files"), "file", "shop").get("modified").asLong(-1));
    assertFalse(find(files.get("files"), "file", ".dot").has("modified"));
  }

  @Test
  void onlyUnhealthyFilesAreListedIfAskedFor() {
    List<String> unhealthy = texts(get("/files?health=unhealthy").get("files"), "file");
    assertTrue(unhealthy.containsAll(List.of("partly", "text")), unhealthy::toString);
    assertFalse(unhealthy.contains("shop"));
    JsonNode first = get("/files?health=unhealthy&limit=1");
    assertEquals(1, first.get("next").asInt());
    assertEquals(1, first.get("files").size());
  }

  @Test
  void aboutSaysWhatIsWatchedAndWhatIsWrongWithIt() {
    JsonNode about = get("/about");
    assertEquals("1.2.3", about.get("version").asText());
    assertEquals(directory.toString(), about.get("directories").get(0).get("path").asText());
    assertEquals(1, about.get("files").get("served").asInt());
    assertEquals(1, about.get("files").get("partly").asInt());
    try (WebServer other = new WebServer(directory.resolve("missing"))) {
      JsonNode faults =
          parse(other.get(ROOT + "/about").body()).get("directories").get(0).get("faults");
      assertEquals("directory-unreadable", faults.get(0).get("code").asText());
    }
  }

  // ---------------------------------------------------------------- bounds

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/metric",
        "/metric?pmid=1",
        "/metric?pmid=70.11.1024",
        "/metric?pmid=70.11.-1",
        "/metric?pmid=70.11.1.1",
        "/metrics?limit=0",
        "/metrics?limit=100001",
        "/instances?pmid=70.11.3&offset=-1",
        "/files?offset=99999999999999999999",
        "/instances?pmid=70.11.1",
        "/values?series=",
        "/values?series=70.11.1:",
        "/values?series=70.11.1:4294967296",
        "/values?series=70.11.1&series=70.11.1",
        "/values?series=70.11.2:0-1&series=70.11.2:1",
        "/values?series=70.11.2:1-",
        "/values?series=70.11.2:1-0",
        "/values?series=70.11.2-1",
        "/values?series=70.11.2_",
        "/values?series=70.11.2_123456789",
        "/values?series=70.11.2-1024",
        "/values?series=70.11.0-9:0-100",
        "/stream?interval=1",
        "/history?since=x",
        "/history?step=-1",
        "/history?series=70.11.2:1-0",
        "/top?by=name",
        "/top?limit=501&file=a&file=b",
        "/stream?series=x",
        "/files?health=good",
        "/prometheus?naming=other",
        "/metrics?offset=1",
        "/about?x"
      })
  void invalidParametersAreRefused(String path) {
    HttpResponse<String> response = server.get(ROOT + path);
    assertEquals(400, response.statusCode(), response.body());
    assertValid("Error", parse(response.body()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/metric?pmid=70.11.99", "/instances?pmid=70.11.99", "/nothing"})
  void unknownObjectsAreNotFound(String path) {
    assertEquals(404, server.get(ROOT + path).statusCode());
  }

  @Test
  void aSubscriptionIsBounded() {
    String most = "/values?series=1.1.1&series=1.1.1:4294966000-4294966499&series=1.1.2:0-498";
    assertEquals(OK, server.get(ROOT + most).statusCode());
    assertEquals(400, server.get(ROOT + most + "&series=1.1.3").statusCode());
    assertEquals(400, server.get(ROOT + "/values?series=1.1.1:0-4294967295").statusCode());
  }

  @Test
  void aRangeOfInstancesIsAsManySeries() {
    assertEquals(
        "[\"1\",null,null,null,\"2\"]", get("/values?series=70.11.3:0-4").get("values").toString());
  }
}
