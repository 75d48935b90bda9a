package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jmmv.client.CollectorConnection;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.TextType;
import org.jmmv.protocol.DescIds;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.TextReq;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;

/**
 * Each type of request of PCP's protocol and of HTTP, with all that a single one can multiply: a
 * PDU has up to 64 KiB, the line of an HTTP request up to 8 KiB. Requests of HTTP are templates, in
 * which words in braces stand for what is in question in a {@link WorstCatalogue}; "*" repeats such
 * a word, with a number in place of "#", until the line is full. Spaces keep an expression below
 * the 500 terms that it may have.
 */
@SuppressWarnings("ImmutableEnumChecker") // the lists are unmodifiable, the functions have no state
enum WorstRequest implements Labelled {
  FETCH(files -> List.of(Fetch.of(0, 0, files.pmids(Math.min(16_300, fit(files)))))),
  FETCH_ONE(files -> List.of(Fetch.of(0, 0, files.pmids(1)))),
  FETCH_TOO_MUCH(files -> List.of(Fetch.of(0, 0, files.pmids(16_300)))),
  FETCH_HIGH_RES(files -> List.of(Fetch.highRes(0, 0, files.pmids(Math.min(16_300, fit(files)))))),
  FETCH_WITH_PROFILE(files ->
      List.of(
          profile(new InDomProfile(files.inDom(), true, instances(16_000))),
          Fetch.of(0, 0, files.pmids(16_300)))),
  FETCH_WITH_IN_DOMS(files ->
      List.of(
          profile(
              IntStream.range(0, 3_270)
                  .mapToObj(i -> new InDomProfile(i, false, 1))
                  .toArray(InDomProfile[]::new)),
          Fetch.of(0, 0, files.pmids(Math.min(1_000, fit(files)))))),
  DESC(files -> List.of(new DescReq(0, files.pmids()[0]))),
  DESC_IDS(files -> List.of(new DescIds(0, boxed(files.pmids(16_300))))),
  INSTANCE_ALL(files -> List.of(new InstanceReq(0, files.inDom(), Instance.NULL, ""))),
  INSTANCE_BY_NAME(
      files -> List.of(new InstanceReq(0, files.inDom(), Instance.NULL, files.instance(900)))),
  INSTANCE_BY_NUMBER(files -> List.of(new InstanceReq(0, files.inDom(), 900, ""))),
  TEXT(files -> List.of(new TextReq(0, files.pmids()[0], TextType.PMID | TextType.HELP))),
  TEXT_OF_IN_DOM(files -> List.of(new TextReq(0, files.inDom(), TextType.INDOM | TextType.HELP))),
  PMNS_NAMES(files ->
      List.of(
          new PmnsNames(
              0,
              IntStream.range(0, 60_000 / (files.name(0).length() + 8))
                  .mapToObj(files::name)
                  .toList(),
              List.of()))),
  PMNS_IDS(files -> List.of(new PmnsIds(0, 0, boxed(files.pmids(1))))),
  PMNS_CHILD(files -> List.of(new PmnsChild(0, true, files.parent()))),
  PMNS_TRAVERSE(_ -> List.of(new PmnsTraverse(0, ""))),
  LABELS_OF_CONTEXT(files -> List.of(label(files, LabelType.CONTEXT))),
  LABELS_OF_DOMAIN(files -> List.of(label(files, LabelType.DOMAIN))),
  LABELS_OF_CLUSTER(files -> List.of(label(files, LabelType.CLUSTER))),
  LABELS_OF_IN_DOM(files -> List.of(label(files, LabelType.INDOM))),
  LABELS_OF_ITEM(files -> List.of(label(files, LabelType.ITEM))),
  LABELS_OF_INSTANCES(files -> List.of(label(files, LabelType.INSTANCES))),
  STORE(files ->
      List.of(
          new Result(
              0,
              0,
              0,
              Arrays.stream(files.pmids(2_000))
                  .mapToObj(pmid ->
                      ValueSet.of(
                          pmid, List.of(new InstanceValue(Instance.NULL, new Value.Word(1)))))
                  .toList()))),
  API_ABOUT("/api/v1/about"),
  API_METRICS("/api/v1/metrics?limit=100000"),
  API_METRICS_SEARCH("/api/v1/metrics?limit=100000&search=xxxxxxxxxx*x"),
  API_METRIC("/api/v1/metric?pmid={pmid}"),
  API_INSTANCES("/api/v1/instances?pmid={pmid}"),
  API_INSTANCES_LAST("/api/v1/instances?offset=189000&pmid={pmid}"),
  API_INSTANCES_SEARCH("/api/v1/instances?pmid={pmid}" + Words.IN_VAIN),
  API_INSTANCES_FOUND("/api/v1/instances?pmid={pmid}&word=x"),
  API_SEARCH("/api/v1/search?limit=100000" + Words.IN_VAIN),
  API_SEARCH_FOUND("/api/v1/search?limit=100000&word=x"),
  API_VALUES("/api/v1/values?*&series={pmid}:{i}"),
  API_VALUES_RANGE("/api/v1/values?series={pmid}:0-999"),
  API_STREAM("/api/v1/stream?interval=200*&series={pmid}:{i}"),
  API_STREAM_RANGE("/api/v1/stream?interval=200&series={pmid}:0-999"),
  API_HISTORY("/api/v1/history?*&series={pmid}:{i}"),
  API_HISTORY_RANGE("/api/v1/history?series={pmid}:0-999"),
  API_TOP("/api/v1/top?by=value&limit=1000"),
  API_TOP_SEARCH("/api/v1/top?by=value&limit=1000" + Words.IN_VAIN),
  API_TOP_OF_FILES("/api/v1/top?by=value&limit=1*&file={i}"),
  API_FILES("/api/v1/files?limit=1000"),
  API_FILES_LAST("/api/v1/files?limit=1000&offset=19000"),
  API_FILES_UNHEALTHY("/api/v1/files?limit=1000&health=unhealthy"),
  PMAPI_CONTEXT("/pmapi/context"),
  PMAPI_METRIC("/pmapi/metric"),
  PMAPI_METRIC_NAMES("/pmapi/metric?names={name}*,{name}"),
  PMAPI_METRIC_PREFIXES("/pmapi/metric?prefix=mmv*,mmv"),
  PMAPI_METRIC_PMIDS("/pmapi/metric?pmids={pmid}*,{pmid}"),
  PMAPI_FETCH_NAMES("/pmapi/fetch?names={first}*,{first}"),
  PMAPI_FETCH_ALL_NAMES("/pmapi/fetch?names={name}*,{name}"),
  PMAPI_FETCH_PMIDS("/pmapi/fetch?pmids={pmid}*,{pmid}"),
  PMAPI_FETCH_ONE("/pmapi/fetch?pmids={pmid}"),
  PMAPI_INDOM("/pmapi/indom?indom={indom}"),
  PMAPI_INDOM_NAMES("/pmapi/indom?indom={indom}&iname={instance}*,{instance}"),
  PMAPI_INDOM_PATTERNS(
      "/pmapi/indom?indom={indom}&match=glob&iname=x*,%2Axxxxxxxxxxxxxxxxxxx%2Axxxxxxxxxxxxxxxxx%2Az"),
  PMAPI_INDOM_EXPRESSIONS("/pmapi/indom?indom={indom}&match=regex&iname=(.%2B)%7B99%7Dz"),
  PMAPI_INDOM_NUMBERS("/pmapi/indom?indom={indom}&instance={i}*,{i}"),
  PMAPI_CHILDREN("/pmapi/children?prefix={parent}"),
  PMAPI_PROFILE_ALL("/pmapi/profile?expr=del&indom={indom}"),
  PMAPI_PROFILE_NAMES("/pmapi/profile?expr=add&indom={indom}&iname={instance}*,{instance}"),
  PMAPI_PROFILE_PATTERNS(
      "/pmapi/profile?expr=add&indom={indom}&match=glob&iname=%2A*,%2Axxxxxxxxxxxxxxxxxxx%2Axxxxxxxxxxxxxxxxx%2Az"),
  PMAPI_PROFILE_EXPRESSIONS(
      "/pmapi/profile?expr=add&indom={indom}&match=regex&iname=(.%2B)%7B99%7Dz"),
  PMAPI_PROFILE_NUMBERS("/pmapi/profile?expr=del&indom={indom}&instance={i}*,{i}"),
  PMAPI_PROFILED_NAMES(
      "/pmapi/profile?expr=del&indom={indom}&match=glob&iname=%2A",
      "/pmapi/profile?expr=add&indom={indom}&instance=0", "/pmapi/fetch?names={first}*,{first}"),
  PMAPI_DERIVE("/pmapi/derive?expr={first}&name=x*x"),
  PMAPI_DERIVED(
      "/pmapi/derive?name=x&expr=rate({first})*%2Brate({first})" + "%20".repeat(8),
      "/pmapi/fetch?names=x",
      "/pmapi/fetch?names=x*,x"),
  PMAPI_DERIVED_DESCRIPTORS(
      "/pmapi/derive?name=x&expr={name}*%2B{name}" + "%20".repeat(8), "/pmapi/metric?names=x*,x"),
  PMAPI_DERIVED_INSTANCE(
      "/pmapi/derive?name=x&expr={first}[{instance}]", "/pmapi/fetch?names=x*,x"),
  PMAPI_DERIVED_MATCHING(
      "/pmapi/derive?name=x&expr=matchinst(/(.%2B)%7B99%7Dz/,{first})", "/pmapi/fetch?names=x*,x"),
  METRICS_TEXT("/metrics"),
  METRICS_TEXT_PCP("/metrics?naming=pcp"),
  METRICS_OPEN("/metrics#application/openmetrics-text"),
  METRICS_OPEN_PCP("/metrics?naming=pcp#application/openmetrics-text"),
  METRICS_PROTOBUF("/metrics" + Accept.PROTOBUF),
  METRICS_PROTOBUF_PCP("/metrics?naming=pcp" + Accept.PROTOBUF),
  METRICS_OF_NAMES("/metrics?naming=pcp*&name[]={series}"),
  METRICS_OF_PATTERNS(
      "/metrics?*&match=%2Axxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx{i}%2Axxxxxxxxxxxxxxxx%2Az"),
  METRICS_OF_FILES(
      "/metrics?*&files=%2Axxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx{i}%2Axxxxxxxxxxxxxxxx%2Az"),
  METRICS_GZIP("/metrics#*/*\r\nAccept-Encoding: gzip"),
  METRICS_LONG_HEAD("/metrics#" + "text/plain;a=b,".repeat(1_000)),
  API_PROMETHEUS("/api/v1/prometheus"),
  API_PROMETHEUS_PCP("/api/v1/prometheus?naming=pcp"),
  PMAPI_STORE("/pmapi/store?value=1&name=mmv.control.reload"),
  RELOAD(_ ->
      List.of(
          new Result(
              0,
              0,
              0,
              List.of(
                  ValueSet.of(
                      Pmid.build(WorstCatalogue.DOMAIN, 0, 0),
                      List.of(new InstanceValue(Instance.NULL, new Value.Word(1))))))));

  private static final int VALUES_OF_A_REPLY = 3_000_000; // 20 bytes each, in 64 MiB
  private static final int LINE = 8_150; // and the rest of the line
  private static final Pattern WORD = Pattern.compile("\\{(\\w+)}");

  private final Function<WorstCatalogue, List<Pdu>> pdus; // null: it is one of HTTP
  private final List<String> paths;

  /** What a client of HTTP accepts, as a suffix of a path. */
  private static final class Accept {
    static final String PROTOBUF =
        "#application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";
  }

  /** Words of a search. */
  private static final class Words {
    /** Two that are compared at each place of labels and names with many x, as far as possible. */
    static final String IN_VAIN = "&word=" + "x".repeat(106) + "y&word=" + "x".repeat(30) + "y";
  }

  WorstRequest(Function<WorstCatalogue, List<Pdu>> pdus) {
    this.pdus = pdus;
    paths = List.of();
  }

  WorstRequest(String... paths) {
    pdus = null;
    this.paths = List.of(paths);
  }

  boolean isHttp() {
    return pdus == null;
  }

  boolean needsContext() {
    return isHttp() && paths.getFirst().startsWith("/pmapi/");
  }

  /** Returns the PDUs of a request; none: it is one of HTTP. */
  List<Pdu> pdus(WorstCatalogue files) {
    return isHttp() ? List.of() : pdus.apply(files);
  }

  /** Returns the paths and queries of a request of HTTP, with what the same client asks before. */
  List<String> paths() {
    return paths;
  }

  /** Returns the bytes of a request that is not one of HTTP. */
  byte[] encoded(WorstCatalogue files) {
    return CollectorConnection.encoded(pdus(files).toArray(Pdu[]::new));
  }

  /**
   * Returns the bytes of a request of HTTP, with what the same client asks before. The server
   * closes the connection after the last response.
   *
   * @param context the number of a context of PCP's web API, or empty
   */
  byte[] http(WorstCatalogue files, String context) {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < paths.size(); i++) {
      String[] path = paths.get(i).split("#", 2);
      requests.append(
          HttpConnection.request(
              line(
                  path[0].replace(
                      "/pmapi/", context.isEmpty() ? "/pmapi/" : "/pmapi/" + context + "/"),
                  files),
              path.length == 1 ? "" : "Accept: " + path[1] + "\r\n",
              i < paths.size() - 1 ? "" : "Connection: close\r\n"));
    }
    return requests.toString().getBytes(ISO_8859_1);
  }

  private static String line(String template, WorstCatalogue files) {
    String[] parts = template.split("\\*", 2);
    StringBuilder line = new StringBuilder(filled(parts[0], files, 0));
    for (int i = 1; parts.length == 2; i++) {
      String next = filled(parts[1], files, i);
      if (line.length() + next.length() > LINE) {
        break;
      }
      line.append(next);
    }
    return line.toString();
  }

  private static String filled(String template, WorstCatalogue files, int i) {
    return WORD.matcher(template)
        .replaceAll(word -> Matcher.quoteReplacement(value(word.group(1), files).apply(i)));
  }

  private static IntFunction<String> value(String word, WorstCatalogue files) {
    int[] pmids = files.pmids();
    return switch (word) {
      case "i" -> Integer::toString;
      case "name" -> files::name;
      case "first" -> _ -> files.name(0);
      case "series" -> i -> files.name(i).replace('.', '_');
      case "pmid" -> i -> Pmid.toString(pmids[i % pmids.length]);
      case "indom" -> _ -> InDom.toString(files.inDom());
      case "instance" -> files::instance;
      case "parent" -> _ -> files.parent();
      default -> throw new IllegalArgumentException(word);
    };
  }

  /** Returns the number of metrics whose values fit into a reply. */
  private static int fit(WorstCatalogue files) {
    return VALUES_OF_A_REPLY / files.valuesOfEach();
  }

  private static Profile profile(InDomProfile... inDoms) {
    return new Profile(0, 0, true, List.of(inDoms));
  }

  private static int[] instances(int count) {
    return IntStream.range(0, count).toArray();
  }

  private static List<Integer> boxed(int... numbers) {
    return Arrays.stream(numbers).boxed().toList();
  }

  private static LabelReq label(WorstCatalogue files, int type) {
    int pmid = files.pmids()[0];
    int ident =
        switch (type) {
          case LabelType.ITEM -> pmid;
          case LabelType.CLUSTER -> Pmid.build(Pmid.domain(pmid), Pmid.cluster(pmid), 0);
          case LabelType.INDOM, LabelType.INSTANCES -> files.inDom();
          default -> Pmid.domain(pmid);
        };
    return new LabelReq(0, ident, type);
  }
}
