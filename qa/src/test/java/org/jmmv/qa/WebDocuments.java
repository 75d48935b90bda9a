package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;

/** Documents of PCP's web API that pmproxy and {@code jmmv serve --http} have in common. */
final class WebDocuments {
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
          "indom?name=mmv.app.multi&iname=%5Et,e%24&match=regex",
          "indom?name=mmv.app.multi&iname=%5E(one%7Ctwo)%24&match=regex",
          "children?prefix=mmv",
          "children?prefix=mmv.app&client=me",
          "children?name=mmv.app.a",
          "children?prefix=mmv.app.u64",
          "children?prefix=no",
          "derive?name=derived_m&expr=2*mmv.app.multi",
          "derive?name=derived_s&expr=mmv.app.text",
          "metric?names=derived_m,derived_s",
          "metric?name=derived_m",
          "fetch?names=derived_m",
          "fetch?names=derived_s,mmv.app.u64",
          "indom?name=derived_m",
          "indom?name=derived_s",
          "store?name=mmv.app.u64&value=1",
          "store?name=mmv.app.multi&value=1&instance=1",
          "store?name=no.such&value=1",
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

  private WebDocuments() {}

  /** Writes the files that the requests are about. */
  static void writeFiles(Path directory) throws IOException {
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
    app.write(directory, "app");

    MmvWriter sentinel = new MmvWriter(2).cluster(6).flags(MmvWriter.SENTINEL);
    MmvWriter.InDom two = sentinel.inDom(1).instance(1, "a").instance(2, "b");
    sentinel.metric("u64", 1, ValueType.U64).value(-1L);
    sentinel.metric("shared", 2, ValueType.U64).value(3L);
    sentinel.metric("multi", 3, ValueType.U64).inDom(two).at(1, -1L).at(2, 5L);
    sentinel.write(directory, "sentinel");
    MmvWriter twin = new MmvWriter(2).cluster(6).flags(MmvWriter.SENTINEL);
    twin.metric("shared", 2, ValueType.U64).value(3L);
    twin.write(directory, "twin");
    MmvWriter notes = new MmvWriter(3).cluster(7);
    notes.metric("m", 1, ValueType.U32).value(1);
    notes.label(16 | 128, 1, -1, "{\"note\":\"optional\"}");
    notes.write(directory, "notes");
  }

  /**
   * Returns the first difference between documents of pmproxy and of jmmv, empty if there is none.
   *
   * @param pmproxy the port of pmproxy
   * @param hostspec what it asks: a pmcd with jmmv over the same files, on TCP
   * @param jmmv the port of jmmv
   */
  static String difference(Machine machine, int pmproxy, String hostspec, int jmmv) {
    String host = "hostspec=" + URLEncoder.encode(hostspec, UTF_8);
    String context = "/pmapi/context?polltimeout=600&";
    String there =
        "&context=" + context(LocalHttp.getAll(machine, pmproxy, List.of(context + host)));
    String here = "/pmapi/" + context(LocalHttp.getAll(machine, jmmv, List.of(context))) + "/";
    List<LocalHttp.Reply> expected =
        LocalHttp.getAll(
            machine,
            pmproxy,
            SAME.stream().map(request -> "/pmapi/" + request + "&" + host + there).toList());
    List<LocalHttp.Reply> found =
        LocalHttp.getAll(machine, jmmv, SAME.stream().map(request -> here + request).toList());
    for (int i = 0; i < expected.size(); i++) {
      String right = text(expected.get(i));
      String reply = text(found.get(i));
      if (!reply.equals(right)) {
        return "%s\n%s\n%s".formatted(SAME.get(i), right, reply);
      }
    }
    return "";
  }

  private static String context(List<LocalHttp.Reply> replies) {
    return replies.getFirst().document().get("context").asText();
  }

  private static String text(LocalHttp.Reply reply) {
    return reply.status() + " " + comparable(reply.document());
  }

  /**
   * Returns a document without what may differ: the number of the context, the time, and the order
   * of metrics and instances. pmproxy never has the labels of instances (it merges them before it
   * asks for them), and those of the domain only after it was asked for a metric.
   */
  private static JsonNode comparable(JsonNode document) {
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
}
