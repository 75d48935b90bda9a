package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;

/**
 * Expressions that pmproxy and {@code jmmv serve --http} are to answer in the same way; docs/web.md
 * has what differs.
 */
final class DerivedMetrics {
  /** Expressions as people write them, and faults that they make. */
  static final List<String> OF_PEOPLE =
      List.of(
          "mmv.e.byte + mmv.e.kb",
          "-3*mmv.e.u",
          "2+3*4-10/4",
          "mmv.e.u-mmv.e.i>mmv.e.l+mmv.e.ul",
          "1>2!=1",
          "1||0&&0",
          "!1>2||1<0",
          "!0&&0",
          "mmv.e.u ? 5 : 6",
          "mmv.e.zero ? 5 : 6",
          "1?2:0?3:4",
          "mmv.e.reads > 15 ? mmv.e.reads : mmv.e.u",
          "mmv.e.reads[sda] + mmv.e.reads[sdb]",
          "scalar(mmv.e.reads[sda]) + scalar(mmv.e.reads[sdb])",
          "mmv.e.reads[x\\]y]",
          "mmv.e.reads[none]",
          "mkconst(10485760, units=Kbyte)",
          "mmv.e.kb > mkconst(76, type=64, units=Kbyte)",
          "-mkconst(1.0, semantics=instant, units=\"kbyte / count\")",
          "mkconst(5,type=u64,semantics=counter,units=\"count x 10^3\")",
          "mkconst(2.5, type=FLOAT)",
          "rescale(mmv.e.speed, \"kbytes/hour\")",
          "rescale(mmv.e.byte, \"Mbyte\")",
          "rescale(mmv.e.byte, \"sec\")",
          "avg(mmv.e.reads)",
          "sum(mmv.e.reads)",
          "min(mmv.e.load)",
          "max(mmv.e.load)",
          "count(mmv.e.load)",
          "count(mmv.e.u)",
          "delta(mmv.e.bytes.total)",
          "delta(mmv.e.u)",
          "rate(mmv.e.bytes.total)",
          "rate(mmv.e.time.total)",
          "rate(mmv.e.count.total)",
          "delta(mmv.e.bytes.total) / delta(mmv.e.count.total)",
          "instant(mmv.e.bytes.total)",
          "defined(mmv.e.u) + defined(no.such)",
          "matchinst(/^sd/, mmv.e.reads)",
          "matchinst(!/^(sda)|(dm)/, mmv.e.reads)",
          "mmv.e.text",
          "mmv.e.names",
          "mmv.e.speed - mmv.e.mb / mmv.e.ms",
          "mmv.e.bytes.total * 2",
          "2 * mmv.e.bytes.total",
          "mmv.e.bytes.total / 2",
          "mmv.e.bytes.total + mmv.e.bytes.total",
          "mmv.e.events + 1",
          "1 + mmv.e.events",
          "mmv.e.bytes.total * mmv.e.bytes.total",
          "mmv.e.bytes.total + mmv.e.byte",
          "mmv.e.byte / mmv.e.bytes.total",
          "mmv.e.byte + mmv.e.sec",
          "mmv.e.reads + mmv.e.packets",
          "mmv.e.text + 1",
          "mmv.e.reads ? 1 : 2",
          "mmv.e.u ? 1 : 2.0",
          "",
          "1+",
          "+1",
          "(1",
          "1)",
          "mmv.e.u mmv.e.i",
          "rate()",
          "4rat(mmv.e.u)",
          "mmv.e.u & 1",
          "4294967296",
          "mkconst(5)",
          "mkconst(1.5, type=u32)",
          "mmv.e.reads[sda");

  private DerivedMetrics() {}

  private static int units(String text) {
    return Units.parse(text).word();
  }

  /** Writes the file that the expressions are about. */
  static void writeFile(Path directory) {
    MmvWriter app = new MmvWriter(3).cluster(8);
    MmvWriter.InDom disks =
        app.inDom(1).instance(1, "sda").instance(2, "sdb x").instance(3, "dm-0").instance(9, "x]y");
    MmvWriter.InDom nets = app.inDom(2).instance(1, "lo").instance(2, "eth0");
    int item = 1;
    for (Numeric one : NUMERIC) {
      MmvWriter.Metric metric = app.metric(one.name, item++, one.type);
      metric.semantics(one.semantics).units(units(one.units));
      if (one.type == ValueType.FLOAT || one.type == ValueType.DOUBLE) {
        metric.value(one.value);
      } else {
        metric.value((long) one.value);
      }
    }
    app.metric("text", item++, ValueType.STRING).text("some text").semantics(Semantics.DISCRETE);
    app.metric("reads", item++, ValueType.U32)
        .inDom(disks)
        .at(1, 10)
        .at(2, 20)
        .at(3, 30)
        .at(9, 0)
        .semantics(Semantics.INSTANT);
    app.metric("writes", item++, ValueType.U64)
        .inDom(disks)
        .at(1, 5)
        .at(3, 1L << 40)
        .semantics(Semantics.INSTANT);
    app.metric("load", item++, ValueType.DOUBLE)
        .inDom(disks)
        .at(3, 0.5)
        .at(2, -1.5)
        .semantics(Semantics.INSTANT);
    app.metric("packets", item++, ValueType.U64).inDom(nets).at(1, 7).at(2, 8);
    app.metric("names", item, ValueType.STRING).inDom(disks).textAt(1, "a").textAt(2, "b");
    app.write(directory, "e");
  }

  private record Numeric(String name, int type, double value, int semantics, String units) {}

  private static final List<Numeric> NUMERIC =
      List.of(
          new Numeric("i", ValueType.I32, -7, Semantics.INSTANT, ""),
          new Numeric("u", ValueType.U32, 3, Semantics.INSTANT, ""),
          new Numeric("l", ValueType.I64, -5e9, Semantics.INSTANT, ""),
          new Numeric("ul", ValueType.U64, 5e12, Semantics.INSTANT, ""),
          new Numeric("f", ValueType.FLOAT, 1.5, Semantics.INSTANT, ""),
          new Numeric("d", ValueType.DOUBLE, 0.25, Semantics.DISCRETE, ""),
          new Numeric("zero", ValueType.U64, 0, Semantics.INSTANT, ""),
          new Numeric("byte", ValueType.U64, 3e6, Semantics.INSTANT, "byte"),
          new Numeric("kb", ValueType.I64, 77, Semantics.INSTANT, "kbyte"),
          new Numeric("mb", ValueType.DOUBLE, 1.5, Semantics.INSTANT, "mbyte"),
          new Numeric("sec", ValueType.U64, 90, Semantics.INSTANT, "sec"),
          new Numeric("ms", ValueType.I64, 1200, Semantics.INSTANT, "ms"),
          new Numeric("hour", ValueType.FLOAT, 2, Semantics.DISCRETE, "hour"),
          new Numeric("bytes.total", ValueType.U64, 1e9, Semantics.COUNTER, "byte"),
          new Numeric("time.total", ValueType.U64, 5e6, Semantics.COUNTER, "us"),
          new Numeric("count.total", ValueType.U64, 1000, Semantics.COUNTER, "count"),
          new Numeric("events", ValueType.I64, 12, Semantics.INSTANT, "count"),
          new Numeric("speed", ValueType.DOUBLE, 2.5, Semantics.INSTANT, "mbyte/sec"));

  /** What an expression is, in one of the two programs. */
  private record Answer(boolean isDefined, String descriptor, JsonNode first, JsonNode second) {
    boolean isSame(Answer here) {
      return isDefined == here.isDefined
          && descriptor.equals(here.descriptor)
          && isSame(first, here.first)
          && isSame(second, here.second);
    }

    private static boolean isSame(JsonNode right, JsonNode here) {
      return areClose(right, here) || (right.equals(NO_VALUE) && here.isEmpty());
    }
  }

  /** What pmproxy answers if a singular metric has no value. */
  private static final JsonNode NO_VALUE =
      new LocalHttp.Reply(200, "[{\"instance\":null,\"value\":0}]").document();

  /** Returns whether values are the same, but for the last digits of numbers. */
  private static boolean areClose(JsonNode one, JsonNode other) {
    if (one.isNumber() && other.isNumber()) {
      double difference = Math.abs(one.asDouble() - other.asDouble());
      return one.equals(other) || difference <= 2e-7 * Math.abs(one.asDouble());
    }
    if (one.size() != other.size() || one.getNodeType() != other.getNodeType()) {
      return false;
    }
    return one.isContainerNode()
        ? one.isArray()
            ? IntStream.range(0, one.size()).allMatch(i -> areClose(one.get(i), other.get(i)))
            : one.properties().stream()
                .allMatch(member ->
                    other.has(member.getKey())
                        && areClose(member.getValue(), other.get(member.getKey())))
        : one.equals(other);
  }

  /** Returns what a program says of some expressions. */
  private static List<Answer> answers(
      Machine machine, List<String> expressions, int port, String hostspec) {
    String host = hostspec.isEmpty() ? "" : "&hostspec=" + URLEncoder.encode(hostspec, UTF_8);
    String context =
        LocalHttp.get(machine, port, "/pmapi/context?polltimeout=600" + host)
            .document()
            .get("context")
            .asText();
    List<String> requests = new ArrayList<>();
    for (int i = 0; i < expressions.size(); i++) {
      String end = "d" + i + "&context=" + context + host;
      requests.add(
          "/pmapi/derive?expr=" + URLEncoder.encode(expressions.get(i), UTF_8) + "&name=" + end);
      requests.add("/pmapi/metric?names=" + end);
      requests.add("/pmapi/fetch?names=" + end);
      requests.add("/pmapi/fetch?names=" + end);
    }
    List<LocalHttp.Reply> replies = LocalHttp.getAll(machine, port, requests);
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < replies.size(); i += 4) {
      JsonNode metric = replies.get(i + 1).document().at("/metrics/0");
      answers.add(
          new Answer(
              replies.get(i).status() == 200,
              Stream.of("type", "sem", "units", "indom")
                  .map(field -> metric.path(field).asText())
                  .toList()
                  .toString(),
              values(replies.get(i + 2)),
              values(replies.get(i + 3))));
    }
    return answers;
  }

  /** Returns the values of a reply, in which pmproxy writes numbers that JSON does not have. */
  private static JsonNode values(LocalHttp.Reply reply) {
    String body = reply.body().replaceAll("\"value\":-?(?:inf|nan)", "\"value\":null");
    return new LocalHttp.Reply(reply.status(), body).document().at("/values/0/instances");
  }

  /**
   * Returns the expressions that the two programs answer differently, with the answers.
   *
   * @param pmproxy the port of pmproxy
   * @param hostspec what it asks: a pmcd with jmmv over the same files, on TCP
   * @param jmmv the port of jmmv
   */
  static List<String> differences(
      Machine machine, List<String> expressions, int pmproxy, String hostspec, int jmmv) {
    List<Answer> right = answers(machine, expressions, pmproxy, hostspec);
    List<Answer> here = answers(machine, expressions, jmmv, "");
    return IntStream.range(0, expressions.size())
        .filter(i -> !right.get(i).isSame(here.get(i)))
        .mapToObj(i -> "%s\n  %s\n  %s".formatted(expressions.get(i), right.get(i), here.get(i)))
        .toList();
  }

  /** Returns how many expressions mean something for jmmv. */
  static long countDefined(Machine machine, List<String> expressions, int jmmv) {
    return answers(machine, expressions, jmmv, "").stream().filter(Answer::isDefined).count();
  }
}
