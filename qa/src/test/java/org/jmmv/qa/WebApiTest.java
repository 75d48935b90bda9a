package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * {@code jmmv serve --http} answers the requests of PCP's web API as pmproxy does, which asks a
 * pmcd with jmmv over the same files. Where pmproxy is wrong, the difference is intended.
 */
final class WebApiTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Requests with the same replies, of one context, in this order. */
  private static final List<String> SAME =
      List.of(
          "context?client=%22me%22",
          "context?polltimeout=x",
          "metric?prefix=mmv.app&client=me",
          "metric?prefix=mmv.twin,mmv.sentinel",
          "metric?names=mmv.app.u64,no.such,mmv.app.multi",
          "metric?name=mmv.app.u64",
          "metric?name=no.such",
          "metric?prefix=mmv.no",
          "fetch?names=mmv.app.i32,mmv.app.u32,mmv.app.i64,mmv.app.u64,mmv.app.elapsed",
          "fetch?names=mmv.app.float,mmv.app.double,mmv.app.large,mmv.app.text,mmv.app.a.b.c",
          "fetch?names=mmv.app.multi,mmv.app.texts,mmv.app.empty",
          "fetch?names=mmv.app.u64,no.such,mmv.app&client=me",
          "fetch?names=no.such",
          "fetch?names=mmv.sentinel.multi",
          "fetch?name=no.such",
          "fetch?pmids=70.5.4,70.5.999,1.2.3",
          "fetch?pmids=293606404",
          "fetch?pmids=0x11801404",
          "fetch?pmids=70.6.2", // it has two names
          "fetch?pmid=1.2.3",
          "indom?name=mmv.app.multi",
          "indom?indom=70.10241",
          "indom?indom=293611521",
          "indom?indom=70.77",
          "indom?indom=x",
          "indom?name=mmv.app.u64",
          "indom?name=no.such",
          "indom?name=mmv.app.multi&iname=one,tw",
          "indom?name=mmv.app.multi&iname=t*&match=glob",
          "indom?name=mmv.app.multi&instance=1,2",
          "indom?name=mmv.app.multi&match=x",
          "children?prefix=mmv",
          "children?prefix=mmv.app&client=me",
          "children?name=mmv.app.a",
          "children?prefix=mmv.app.u64",
          "children?prefix=no",
          "store?name=mmv.app.u64&value=1",
          "store?name=mmv.app.multi&value=1&instance=1",
          "store?name=no.such&value=1",
          "store?name=mmv.control.reload&value=x",
          "store?pmid=70.0.0&value=0",
          "store?name=mmv.control.reload&value=0",
          "derive?name=x",
          "profile?expr=x",
          "profile?expr=add&indom=x",
          "profile?expr=add&name=mmv.app.u64",
          "profile?expr=add&name=no.such",
          "profile?expr=del",
          "fetch?names=mmv.app.multi,mmv.app.u64",
          "profile?expr=add&indom=70.10241&iname=one,two%20words",
          "fetch?names=mmv.app.multi",
          "profile?expr=del&name=mmv.app.multi&instance=2,99",
          "fetch?names=mmv.app.multi",
          "profile?expr=add&indom=70.10241",
          "fetch?names=mmv.app.multi",
          "profile?expr=add",
          "fetch?names=mmv.app.multi");

  private final TemporaryPcp pcp = new TemporaryPcp();
  private final ThisMachine machine = new ThisMachine();
  private PrivatePmcd pmcd;
  private Pmproxy pmproxy;
  private CollectorProcess jmmv;
  private String there; // the context of pmproxy
  private String here;

  @BeforeEach
  void start() throws IOException {
    writeFiles();
    pmcd = PrivatePmcd.start(pcp, AgentCommand.jmmv());
    pmproxy = Pmproxy.start(machine, pcp);
    jmmv = CollectorProcess.start(pcp, "--http", "127.0.0.1:0");
    there = context(pmproxy.get(pmcd.onTcp(), "context?polltimeout=600"));
    here = context(Pmproxy.get(machine, jmmv.http().getPort(), "/pmapi/context?polltimeout=600"));
  }

  @AfterEach
  void stop() {
    if (jmmv != null) {
      jmmv.close();
    }
    if (pmproxy != null) {
      pmproxy.close();
    }
    if (pmcd != null) {
      pmcd.close();
    }
    pcp.close();
  }

  private void writeFiles() throws IOException {
    MmvWriter app = new MmvWriter(3).cluster(5);
    MmvWriter.InDom inDom =
        app.inDom(1)
            .help("instances", "all of them")
            .instance(1, "one")
            .instance(2, "two words")
            .instance(3, "\"<script>\\")
            .instance(-7, "negative")
            .instance(Integer.MAX_VALUE, "largest");
    app.metric("i32", 1, ValueType.I32).value(Integer.MIN_VALUE);
    app.metric("u32", 2, ValueType.U32).value(-1);
    app.metric("i64", 3, ValueType.I64).value(Long.MIN_VALUE);
    app.metric("u64", 4, ValueType.U64)
        .value(-1L)
        .semantics(Semantics.INSTANT)
        .units(new Units(1, -1, 0, 1, 3, 0).word());
    app.metric("float", 5, ValueType.FLOAT).value(0.1);
    app.metric("double", 6, ValueType.DOUBLE).value(1.0 / 3).semantics(Semantics.DISCRETE);
    app.metric("large", 7, ValueType.DOUBLE).value(1e300);
    app.metric("nan", 8, ValueType.DOUBLE).value(Double.NaN);
    app.metric("infinite", 9, ValueType.FLOAT).value(Double.NEGATIVE_INFINITY);
    app.metric("text", 10, ValueType.STRING)
        .text("\"</script>\"\n\\ \t \u0001")
        .help("one \"line\"", "two\nlines");
    app.metric("elapsed", 11, MmvWriter.ELAPSED).raw(5, 0).help("only one line", null);
    app.metric("multi", 12, ValueType.U64)
        .inDom(inDom)
        .help(null, "only help")
        .at(1, 1)
        .at(2, 2)
        .at(3, 3)
        .at(-7, 4)
        .at(Integer.MAX_VALUE, 5);
    app.metric("texts", 13, ValueType.STRING).inDom(inDom).textAt(1, "a").textAt(2, "");
    app.metric("unsupported", 14, ValueType.NOSUPPORT).value(0);
    app.metric("a.b.c", 15, ValueType.U32).value(7);
    app.metric("utf8", 16, ValueType.STRING).text("\u00c3\u00a4 \u00ff");
    app.metric("aggregate", 17, ValueType.AGGREGATE).value(7);
    app.metric("none", 18, ValueType.U32);
    app.metric("empty", 19, ValueType.U32).inDom(app.inDom(9));
    app.label(8, 5, -1, "{\"of\":\"cluster\",\"c\":-1.5e3}");
    app.label(16, 12, -1, "{\"of\":\"item\",\"list\":[1,\"x\"]}");
    app.label(4, 1, -1, "{\"of\":\"indom\",\"i\":null}");
    app.label(32, 1, 2, "{\"own\":\"instance \\\"q\\\"\"}");
    app.write(pcp.mmv(), "app");

    MmvWriter sentinel = new MmvWriter(2).cluster(6).flags(MmvWriter.SENTINEL);
    MmvWriter.InDom two = sentinel.inDom(1).instance(1, "a").instance(2, "b");
    sentinel.metric("u64", 1, ValueType.U64).value(-1L);
    sentinel.metric("shared", 2, ValueType.U64).value(3L);
    sentinel.metric("multi", 3, ValueType.U64).inDom(two).at(1, -1L).at(2, 5L);
    sentinel.write(pcp.mmv(), "sentinel");
    MmvWriter twin = new MmvWriter(2).cluster(6).flags(MmvWriter.SENTINEL);
    twin.metric("shared", 2, ValueType.U64).value(3L);
    twin.write(pcp.mmv(), "twin");
    MmvWriter notes = new MmvWriter(3).cluster(7);
    notes.metric("m", 1, ValueType.U32).value(1);
    notes.label(16 | 128, 1, -1, "{\"note\":\"optional\"}");
    notes.metric("nested", 2, ValueType.U32).value(1);
    notes.label(16, 2, -1, "{\"of\":\"item\",\"map\":{\"a\":1}}");
    notes.write(pcp.mmv(), "notes");
  }

  // ---------------------------------------------------------------- requests

  private static String context(Shell.Result reply) {
    return document(reply).get("context").asText();
  }

  private Shell.Result there(String request) {
    return pmproxy.get(
        pmcd.onTcp(), request + (request.contains("?") ? "&" : "?") + "context=" + there);
  }

  private Shell.Result here(String request) {
    return Pmproxy.get(machine, jmmv.http().getPort(), "/pmapi/" + here + "/" + request);
  }

  /** Returns the status, the first word that the client prints. */
  private static String status(Shell.Result reply) {
    return reply.outOfSuccess().split(" ", 2)[0];
  }

  private static String body(Shell.Result reply) {
    byte[] bytes = reply.outOfSuccess().split(" ", 2)[1].getBytes(ISO_8859_1);
    return new String(bytes, UTF_8).strip();
  }

  private static JsonNode document(Shell.Result reply) {
    try {
      return JSON.readTree(body(reply));
    } catch (JsonProcessingException e) {
      throw new AssertionError(body(reply), e);
    }
  }

  private static boolean isJson(Shell.Result reply) {
    try {
      JSON.readTree(body(reply));
      return true;
    } catch (JsonProcessingException _) {
      return false;
    }
  }

  /**
   * Returns a document without what may differ: the number of the context, the time, and the order
   * of metrics and instances. pmproxy never has the labels of instances (it merges them before it
   * asks for them), and those of the domain only after it was asked for a metric.
   */
  private static JsonNode comparable(Shell.Result reply) {
    JsonNode document = document(reply);
    if (document instanceof ObjectNode object) {
      object.remove(List.of("context", "timestamp"));
      if (object.has("indom")) {
        object.path("instances").forEach(instance -> ((ObjectNode) instance).remove("labels"));
        ((ObjectNode) object.get("labels")).remove("agent");
      }
    }
    return sorted(document);
  }

  private static JsonNode sorted(JsonNode node) {
    if (node instanceof ArrayNode array) {
      List<JsonNode> elements = new ArrayList<>();
      array.forEach(element -> elements.add(sorted(element)));
      elements.sort(Comparator.comparing(JsonNode::toString));
      return JSON.createArrayNode().addAll(elements);
    }
    if (node instanceof ObjectNode object) {
      ObjectNode copy = JSON.createObjectNode();
      object.properties().forEach(member -> copy.set(member.getKey(), sorted(member.getValue())));
      return copy;
    }
    return node;
  }

  private String values(Shell.Result reply) {
    return document(reply).get("values").toString();
  }

  // ---------------------------------------------------------------- tests

  @Test
  void documentsAreTheSame() {
    for (String request : SAME) {
      Shell.Result right = there(request);
      Shell.Result reply = here(request);
      assertEquals(status(right), status(reply), request);
      assertEquals(comparable(right), comparable(reply), request);
    }
    assertEquals("", AgentLog.problems(pmcd.agentLog().replaceAll(".*twin: .*\n", "")));
  }

  @Test
  void errorsOfContextsAreTheSame() {
    for (String request :
        List.of("context?context=1", "fetch?name=x&context=1", "1/fetch?name=x")) {
      Shell.Result right = Pmproxy.get(machine, pmproxy.port(), "/pmapi/" + request);
      Shell.Result reply = Pmproxy.get(machine, jmmv.http().getPort(), "/pmapi/" + request);
      assertEquals(status(right), status(reply), request);
      assertEquals(document(right).get("message"), document(reply).get("message"), request);
    }
  }

  @Test
  void whatJsonDoesNotHaveIsNull() {
    assertFalse(isJson(there("fetch?names=mmv.app.nan,mmv.app.infinite")));
    assertEquals(
        "[{\"pmid\":\"70.5.8\",\"name\":\"mmv.app.nan\",\"instances\":[{\"instance\":null,\"value\":null}]},"
            + "{\"pmid\":\"70.5.9\",\"name\":\"mmv.app.infinite\",\"instances\":[{\"instance\":null,\"value\":null}]}]",
        values(here("fetch?names=mmv.app.nan,mmv.app.infinite")));
  }

  @Test
  void aMetricWithoutAValueHasNone() {
    for (String name : List.of("sentinel.u64", "app.none")) {
      String request = "fetch?names=mmv." + name;
      assertTrue(values(there(request)).endsWith("[{\"instance\":null,\"value\":0}]}]"), request);
      assertTrue(values(here(request)).endsWith("\"instances\":[]}]"), request);
    }
    for (String name : List.of("app.unsupported", "app.aggregate")) {
      String request = "fetch?names=mmv." + name;
      assertTrue(
          values(there(request)).endsWith("[{\"instance\":null,\"value\":null}]}]"), request);
      assertTrue(values(here(request)).endsWith("\"instances\":[]}]"), request);
    }
  }

  @Test
  void textIsUtf8() {
    String request = "fetch?names=mmv.app.utf8";
    assertTrue(values(there(request)).contains("\"\ufffd\ufffd \ufffd\""), values(there(request)));
    assertTrue(values(here(request)).contains("\"\u00e4 \ufffd\""), values(here(request)));
  }

  @Test
  void onlyTheNamesThatAreAskedForAreAnswered() {
    String request = "fetch?names=mmv.twin.shared";
    assertEquals(2, document(there(request)).get("values").size());
    assertEquals(
        "[{\"pmid\":\"70.6.2\",\"name\":\"mmv.twin.shared\",\"instances\":[{\"instance\":null,\"value\":3}]}]",
        values(here(request)));
  }

  @Test
  void aNameGivenTwiceIsAnsweredTwice() {
    String request = "fetch?names=mmv.app.i32,mmv.app.i32";
    assertFalse(isJson(there(request)));
    assertEquals(2, document(here(request)).get("values").size());
  }

  @Test
  void instancesHaveTheirLabels() {
    there("metric?names=mmv.app.multi");
    String request = "indom?name=mmv.app.multi&instance=2";
    assertFalse(body(there(request)).contains("\"own\":"));
    JsonNode labels = document(here(request)).at("/instances/0/labels");
    assertEquals("instance \"q\"", labels.get("own").asText());
    assertEquals("indom", labels.get("of").asText());
    assertEquals("mmv", labels.get("agent").asText());
  }

  @Test
  void aMetricHasItsOptionalLabels() { // as with pmproxy from PCP 7 on
    assertTrue(body(here("metric?name=mmv.notes.m")).contains("\"note\":\"optional\""));
    ObjectNode without = (ObjectNode) document(here("metric?name=mmv.notes.m")).at("/metrics/0");
    ObjectNode right = (ObjectNode) document(there("metric?name=mmv.notes.m")).at("/metrics/0");
    assertEquals(right.get("series"), without.get("series"));
  }

  @Test
  void aNestedLabelHasItsFullName() {
    String request = "metric?name=mmv.notes.nested";
    assertTrue(body(there(request)).contains("\"a\":1,"), body(there(request)));
    assertTrue(body(here(request)).contains("\"map.a\":1,"), body(here(request)));
  }

  @Test
  void aProfileContainsWhatIsNamed() {
    there("profile?expr=add&indom=70.10241&iname=none");
    here("profile?expr=add&indom=70.10241&iname=none");
    String request = "fetch?names=mmv.app.multi";
    assertEquals(5, document(there(request)).at("/values/0/instances").size());
    assertEquals(0, document(here(request)).at("/values/0/instances").size());
    here("profile?expr=add&indom=70.10241");
    here("profile?expr=del&indom=70.10241&iname=none");
    assertEquals(5, document(here(request)).at("/values/0/instances").size());
  }

  @Test
  void everyErrorIsADocument() {
    for (String request : List.of("fetch", "indom", "profile", "store?value=1", "none")) {
      assertFalse(isJson(there(request)), request);
      assertFalse(document(here(request)).get("success").asBoolean(), request);
    }
    assertFalse(isJson(Pmproxy.get(machine, pmproxy.port(), "/pmapi/fetch?name=x&context=x")));
    assertEquals(
        "{\"message\":\"invalid context identifier: x\",\"success\":false}",
        body(Pmproxy.get(machine, jmmv.http().getPort(), "/pmapi/fetch?name=x&context=x")));
  }
}
