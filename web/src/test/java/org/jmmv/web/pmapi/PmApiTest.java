package org.jmmv.web.pmapi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import at.favre.lib.crypto.bcrypt.BCrypt;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.serving.ThisHost;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PmApiTest {
  private static final String HOST = ThisHost.labels().json().replaceFirst("}$", "");

  private static final String HASH = BCrypt.withDefaults().hashToString(4, "secret".toCharArray());
  private static final String PASSWORD =
      "Basic " + Base64.getEncoder().encodeToString("ann:secret".getBytes(UTF_8));

  @TempDir Path root;
  private ServedDirectory served;

  @BeforeEach
  void serve() throws IOException, InterruptedException {
    MmvWriter file = new MmvWriter(3).cluster(5);
    MmvWriter.InDom disks =
        file.inDom(1)
            .help("disks", null)
            .instance(1, "sda")
            .instance(2, "sd b")
            .instance(7, "n\u00c3\u00a4\u00ff");
    file.metric("u", 1, ValueType.U64)
        .value(-1L)
        .semantics(Semantics.INSTANT)
        .units(new Units(1, -1, 0, 1, 3, 0).word())
        .help("one \"line\"", "<script>\n\u00ff");
    file.metric("i", 2, ValueType.I32).value(Integer.MIN_VALUE);
    file.metric("nan", 3, ValueType.DOUBLE).value(Double.NaN);
    file.metric("s", 4, ValueType.STRING).text("\u00c3\u00a4 \u00ff \"</script>");
    file.metric("reads", 5, ValueType.U32).inDom(disks).at(1, 10).at(2, 20).at(7, 70);
    file.metric("none", 6, ValueType.U32);
    file.metric("a.b", 7, ValueType.FLOAT).value(0.1);
    file.label(8, 5, -1, "{\"tier\":\"web\"}").label(16 | 128, 5, -1, "{\"note\":{\"x\":1}}");
    file.label(4, 1, -1, "{\"bus\":\"s\"}").label(32, 1, 2, "{\"bus\":\"t\"}");
    file.write(root, "app");
    served = new ServedDirectory(root, Map.of("ann", HASH), "Authorization", PASSWORD);
  }

  @AfterEach
  void close() {
    served.close();
  }

  private HttpResponse<String> get(String request) throws IOException, InterruptedException {
    return served.get(request);
  }

  private String ask(String request, String... headers) throws IOException, InterruptedException {
    return served.ask(request, headers);
  }

  private static String error(String message) {
    return "{\"message\":\"" + message + "\",\"success\":false}";
  }

  private static final String DONE = "{\"success\":true}";

  @Test
  void aContextIsThatOfTheHost() throws IOException, InterruptedException {
    String document = ask("context?client=%22me%22");
    assertTrue(
        document.matches("\\{\"client\":\"\\\\\"me\\\\\"\",\"source\":\"[0-9a-f]{40}\",.*"),
        document);
    String end = ",\"hostspec\":\"%s\",\"labels\":%s}}".formatted(ThisHost.hostname(), HOST);
    assertTrue(document.endsWith(end), document);
  }

  @Test
  void aContextIsCreatedWhereNoneIsNamed() throws IOException, InterruptedException {
    String document = get("fetch?names=mmv.app.i&hostspec=pcp://127.0.0.1").body();
    assertTrue(
        document.matches("\\{\"context\":\\d+,\"timestamp\":[^ ]*-2147483648}]}]}"), document);
  }

  @ParameterizedTest
  @CsvSource({
    "context?context=1, unknown context identifier: 1",
    "99999999999/fetch?name=x, unknown context identifier: 99999999999",
    "context?context=x, invalid context identifier: x",
    "context?polltimeout=x, invalid timeout requested in polltime",
    "context?polltimeout=-1, invalid timeout requested in polltime",
    "context?hostspec=other, cannot connect to PMCD: other is not this host",
    "context?hostspec=127.0.0.1?container=x, cannot connect to PMCD: 127.0.0.1?container=x is not this host",
    "metric?name=no.such, no.such traversal failed - Unknown metric name",
    "metric?pmid=1.2.3, 1.2.3 - failed to lookup PMID",
    "fetch?name=no.such, bad parameters passed",
    "fetch?pmid=1.2.3, bad parameters passed",
    "fetch?names=, bad parameters passed",
    "fetch, no metric is given",
    "indom, neither indom nor name is given",
    "indom?indom=x, failed to lookup indom x",
    "indom?name=no.such, no.such - failed to lookup metric",
    "indom?name=no.such;x, no.such;x - failed to lookup metric",
    "indom?name=no.such&name=mmv.app.reads, no.such - failed to lookup metric",
    "indom?name=mmv.app.i, mmv.app.i - metric has null indom",
    "indom?name=mmv.app.reads&match=x, x - invalid 'match' parameter value",
    "indom?name=mmv.app.reads&match=regex&iname=%28, missing closing ): (",
    "indom?name=mmv.app.reads&match=glob&iname=%5B, a [ without ]",
    "indom?name=mmv.app.reads&instance=x, an instance is not a number",
    "children?prefix=no, child traversal failed - Unknown metric name",
    "profile?expr=x, x - invalid 'expr' parameter value",
    "profile?expr=add&iname=x, invalid profile parameters",
    "profile?expr=add&indom=x, invalid profile parameters",
    "profile, invalid profile parameters",
    "store?name=mmv.app.i, no value is given",
    "store?value=1, no metric is given",
    "store?name=no&value=1, no - failed to lookup metric",
    "derive?name=x, invalid derive parameters",
    "derive?name=x&expr=a%2Bb, 'x: Semantic Error: no metric has the name a, at char 1 of a+b'",
    "derive?name=x&expr=mmv.app.i%2B, 'x: Syntax Error: an operand is missing at the end, at char 11 of mmv.app.i+'",
    "derive?name=x&expr=mmv.app.i%2B%C3%A9, 'x: Syntax Error: unexpected \u00e9, at char 11 of mmv.app.i+\u00e9'",
    "derive?name=mmv.app.i&expr=1, mmv.app.i is the name of a metric",
  })
  void anErrorIsADocument(String request, String message) throws IOException, InterruptedException {
    HttpResponse<String> response = get(request);
    assertEquals(400, response.statusCode());
    String document = response.body().replaceFirst("\"context\":\\d+,", "");
    assertEquals(error(message), document);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "pcp://127.0.0.1",
        "pcps://LOCALHOST:44321/",
        "[::1]:1",
        "local:"
      })
  void aHostMayBeNamedIfItIsThisOne(String host) throws IOException, InterruptedException {
    assertEquals(200, get("context?hostspec=" + URLEncoder.encode(host, UTF_8)).statusCode());
    assertEquals(200, get("context?hostname=" + ThisHost.hostname()).statusCode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ping", "1", "instance", "fetch/x"})
  void whatPcpDoesNotHaveIsNotFound(String request) throws IOException, InterruptedException {
    HttpResponse<String> response = get(request);
    assertEquals(404, response.statusCode());
    assertEquals(error("PCP's web API has no such request"), response.body());
  }

  @Test
  void aMetricHasItsDescriptorLabelsAndHelp() throws IOException, InterruptedException {
    String labels = HOST.replace("{", "{\"agent\":\"mmv\",") + ",\"tier\":\"web\"}";
    String document = ask("metric?names=mmv.app.u").replaceFirst("[0-9a-f]{40}", "SHA1");
    assertEquals(
        "{\"metrics\":[{\"name\":\"mmv.app.u\",\"series\":\"SHA1\",\"pmid\":\"70.5.1\",\"type\":\"u64\","
            + "\"sem\":\"instant\",\"units\":\"Kbyte / sec\",\"labels\":%s,".formatted(labels)
            + "\"text-oneline\":\"one \\\"line\\\"\",\"text-help\":\"<script>\\n\ufffd\"}]}",
        document);
    String reads = ask("metric?pmids=70.5.5");
    assertTrue(reads.contains("\"indom\":\"70.10241\""), reads);
    assertTrue(reads.contains("\"note.x\":1"), reads);
    assertTrue(reads.contains("\"bus\":\"s\""), reads);
  }

  @Test
  void anUnknownMetricDoesNotAffectOthers() throws IOException, InterruptedException {
    String document = ask("metric?names=mmv.app.i,no.such,mmv.app.a");
    assertTrue(document.contains("\"name\":\"mmv.app.i\""), document);
    assertTrue(document.contains("\"name\":\"mmv.app.a.b\""), document);
    String unknown = "{\"name\":\"no.such\",\"message\":\"Unknown metric name\",\"success\":false}";
    assertTrue(document.contains(unknown), document);
    assertEquals(
        "{\"values\":[{\"pmid\":\"70.5.2\",\"name\":\"mmv.app.i\",\"instances\":[{\"instance\":null,\"value\":-2147483648}]}]}",
        ask("fetch?names=no.such,mmv.app.i,mmv.app"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mmv.app.u|{\"instance\":null,\"value\":18446744073709551615}",
        "mmv.app.nan|{\"instance\":null,\"value\":null}",
        "mmv.app.s|{\"instance\":null,\"value\":\"\u00e4 \ufffd \\\"</script>\"}",
        "mmv.app.a.b|{\"instance\":null,\"value\":0.1}",
        "mmv.app.none|''",
        "mmv.app.reads|{\"instance\":1,\"value\":10},{\"instance\":2,\"value\":20},{\"instance\":7,\"value\":70}",
      })
  void valuesAreThoseOfTheFile(String name, String values)
      throws IOException, InterruptedException {
    String document = ask("fetch?names=" + name);
    assertEquals(
        "[" + values + "]}]}",
        document.substring(document.indexOf("[", document.indexOf("\"instances\""))));
  }

  @Test
  void aNameGivenTwiceIsAnsweredTwice() throws IOException, InterruptedException {
    String set =
        "{\"pmid\":\"70.5.2\",\"name\":\"mmv.app.i\",\"instances\":[{\"instance\":null,\"value\":-2147483648}]}";
    assertEquals("{\"values\":[" + set + "," + set + "]}", ask("fetch?names=mmv.app.i,mmv.app.i"));
    assertEquals("{\"values\":[" + set + "]}", ask("fetch?pmids=70.5.2,x"));
  }

  @Test
  void anInstanceDomainHasItsInstancesAndLabels() throws IOException, InterruptedException {
    String labels = HOST.replace("{", "{\"agent\":\"mmv\",\"bus\":\"s\",") + "}";
    String own = labels.replace("\"s\"", "\"t\"");
    assertEquals(
        "{\"indom\":\"70.10241\",\"labels\":%s,\"text-oneline\":\"disks\",\"text-help\":\"disks\",\"instances\":["
                .formatted(labels)
            + "{\"instance\":1,\"name\":\"sda\",\"labels\":%s},".formatted(labels)
            + "{\"instance\":2,\"name\":\"sd b\",\"labels\":%s},".formatted(own)
            + "{\"instance\":7,\"name\":\"n\u00e4\ufffd\",\"labels\":%s}]}".formatted(labels),
        ask("indom?name=mmv.app.reads"));
  }

  @ParameterizedTest
  @CsvSource({
    "'iname=sda,sd', sda",
    "'iname=sd%20b', sd b",
    "'iname=sd*', ''",
    "'iname=sd*&match=glob', sda sd b",
    "'instance=1,2,3', sda sd b",
  })
  void aRequestMayNameInstances(String instances, String names)
      throws IOException, InterruptedException {
    String document = ask("indom?indom=293611521&" + instances);
    assertEquals(
        names,
        String.join(
            " ",
            Pattern.compile("\"name\":\"([^\"]*)\"")
                .matcher(document)
                .results()
                .map(name -> name.group(1))
                .toList()));
  }

  @Test
  void aProfileSelectsInstances() throws IOException, InterruptedException {
    assertProfile("expr=del&name=mmv.app.reads&instance=2", "1 7");
    assertProfile("expr=add&name=mmv.app.reads&iname=none", "1 7");
    assertProfile("expr=del", "");
    assertProfile("expr=add&indom=70.10241&iname=none", "");
    assertProfile("expr=add&indom=70.10241&iname=sda,sd%20b", "1 2");
    assertProfile("expr=del&indom=70.10241&iname=*%20*&match=glob", "1");
    assertProfile("expr=add&indom=70.10241", "1 2 7");
    assertProfile("expr=del&indom=70.10241", "");
    assertProfile("expr=add", "1 2 7");
    assertProfile("expr=add&indom=70.10241&iname=none", "1 2 7");
    assertProfile("expr=del", "");
    assertProfile("expr=del&indom=70.10241&instance=2", "");
  }

  private void assertProfile(String change, String instances)
      throws IOException, InterruptedException {
    assertEquals(DONE, ask("profile?" + change));
    String document = ask("fetch?names=mmv.app.reads");
    assertEquals(
        instances,
        String.join(
            " ",
            Pattern.compile("\"instance\":(\\d+)")
                .matcher(document)
                .results()
                .map(number -> number.group(1))
                .toList()),
        change);
  }

  @Test
  void childrenAreLeavesAndOthers() throws IOException, InterruptedException {
    assertEquals(
        "{\"name\":\"mmv.app\",\"leaf\":[\"i\",\"nan\",\"none\",\"reads\",\"s\",\"u\"],\"nonleaf\":[\"a\"]}",
        ask("children?prefix=mmv.app"));
    assertEquals("{\"name\":\"\",\"leaf\":[],\"nonleaf\":[\"mmv\"]}", ask("children"));
  }

  private static String derive(String name, String expression) {
    return "derive?name=%s&expr=%s".formatted(name, URLEncoder.encode(expression, UTF_8));
  }

  @Test
  void aDerivedMetricIsThatOfItsContext() throws IOException, InterruptedException {
    assertEquals(DONE, ask(derive("derived_1", "2*mmv.app.reads")));
    assertEquals(DONE, ask(derive("derived_2", "mmv.app.reads[sd b]")));
    String metric = ask("metric?names=derived_1");
    assertTrue(
        metric.contains(
            "\"pmid\":\"511.2047.1023\",\"indom\":\"70.10241\",\"type\":\"u32\",\"sem\":\"counter\""),
        metric);
    String values =
        "\"name\":\"derived_1\",\"instances\":[{\"instance\":1,\"value\":20},"
            + "{\"instance\":2,\"value\":40},{\"instance\":7,\"value\":140}]}";
    assertTrue(ask("fetch?names=derived_1").contains(values), ask("fetch?names=derived_1"));
    assertTrue(ask("fetch?pmids=511.2047.1023").contains(values));
    assertTrue(
        ask("fetch?pmid=511.2047.1022")
            .endsWith("\"name\":\"derived_2\",\"instances\":[{\"instance\":2,\"value\":20}]}]}"));
    assertTrue(ask("indom?name=derived_1").contains("\"indom\":\"70.10241\""));
    assertTrue(get("metric?names=derived_1").body().contains("Unknown metric name"));
    assertEquals(DONE, ask(derive("derived_1", "count(mmv.app.reads)")));
    assertTrue(ask("fetch?names=derived_1,mmv.app.i,derived_1").contains("\"value\":3}]}"));
  }

  @Test
  void aDerivedMetricIsDescribedByTheMetricsThatThereAreNow()
      throws IOException, InterruptedException {
    MmvWriter before = new MmvWriter(2).cluster(8);
    before.metric("m", 1, ValueType.U32).value(3);
    Path file = before.write(root, "other");
    assertEquals(DONE, ask(derive("d", "2*mmv.other.m")));
    assertTrue(ask("metric?names=d").contains("\"type\":\"u32\""));
    MmvWriter after = new MmvWriter(2).cluster(8).generation(2);
    after.metric("m", 1, ValueType.DOUBLE).value(0.5);
    after.rewrite(file);
    assertTrue(ask("metric?names=d").contains("\"type\":\"double\""));
    Files.delete(file);
  }

  @Test
  void aDerivedMetricHasTheSelectedInstances() throws IOException, InterruptedException {
    ask(derive("sum", "sum(mmv.app.reads)"));
    ask("profile?expr=del&name=mmv.app.reads&iname=sda");
    assertTrue(ask("fetch?names=sum").contains("\"value\":90}"), ask("fetch?names=sum"));
  }

  @Test
  void aRateIsThatSinceTheLastFetchOfTheContext() throws IOException, InterruptedException {
    ask(derive("rate", "rate(mmv.app.reads)"));
    assertTrue(ask("fetch?names=rate").endsWith("\"name\":\"rate\",\"instances\":[]}]}"));
    String twice = ask("fetch?names=rate,rate");
    assertEquals(2, twice.split("\\{\"instance\":1,\"value\":0.0}", -1).length - 1, twice);
  }

  @Test
  void aUserMayStoreWhatCanBeStored() throws IOException, InterruptedException {
    String value = "fetch?names=mmv.control.debug";
    assertEquals(DONE, ask("store?name=mmv.control.debug&value=pdu"));
    assertTrue(ask(value).contains("\"value\":\"pdu\"}"), ask(value));
    assertEquals(DONE, ask("store?pmid=70.0.1&value=0", "Sec-Fetch-Site", "same-origin"));
    assertTrue(ask(value).contains("\"value\":\"\"}"), ask(value));
    String failed = "failed to store value to metric %s: %s";
    assertEquals(
        error(failed.formatted("mmv.control.debug", "Impossible value or scale conversion")),
        ask("store?name=mmv.control.debug&value=x"));
    assertEquals(
        error(failed.formatted("mmv.control.reload", "Unknown or illegal metric type")),
        ask("store?name=mmv.control.reload&value=x"));
    assertEquals(
        error(failed.formatted("mmv.app.i", "No permission to perform requested operation")),
        ask("store?name=mmv.app.i&value=1"));
  }

  private static final String NO_PERMISSION =
      error(
          "failed to store value to metric mmv.control.debug: No permission to perform requested operation");

  @Test
  void aLoopbackAddressAloneDoesNotPermitAStore() throws IOException, InterruptedException {
    try (ServedDirectory open = new ServedDirectory(root, Map.of())) {
      // as nginx passes the request of any host on
      assertEquals(NO_PERMISSION, open.ask("store?name=mmv.control.debug&value=pdu"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Sec-Fetch-Site, cross-site",
    "Sec-Fetch-Site, same-site",
    "Sec-Fetch-Site, none",
    "Origin, http://evil.example",
    "Referer, http://evil.example/",
    "User-Agent, Mozilla/5.0",
    "X-Forwarded-For, 192.0.2.1",
    "Forwarded, for=192.0.2.1",
    "Via, 1.1 proxy",
  })
  void aPageOfAnotherSiteOrAnotherHostMayNotStore(String header, String value)
      throws IOException, InterruptedException {
    assertEquals(NO_PERMISSION, ask("store?name=mmv.control.debug&value=pdu", header, value));
    assertTrue(ask("fetch?names=mmv.control.debug").contains("\"value\":\"\"}"));
  }

  @Test
  void namesOfAnyFormAreAnsweredWithADocument() throws IOException, InterruptedException {
    for (String name :
        List.of("\"", "\u00e4", "\0", "mmv..app", ".", "mmv.", "%", "\ud83d\ude00")) {
      String encoded = URLEncoder.encode(name, UTF_8);
      for (String request :
          List.of(
              "metric?names=x,",
              "children?name=",
              "store?value=1&name=",
              "fetch?name=",
              "indom?name=")) {
        assertTrue(ask(request + encoded).endsWith("}"), name);
      }
    }
  }

  @Test
  void tooManyValuesAreRefused() throws IOException, InterruptedException {
    MmvWriter large = new MmvWriter(2).cluster(6);
    MmvWriter.InDom many = large.inDom(1);
    MmvWriter.Metric metric = large.metric("m", 1, ValueType.U32).inDom(many);
    for (int i = 0; i < 20_000; i++) {
      many.instance(i, "instance " + i);
      metric.at(i, i);
    }
    large.write(root, "large");
    while (get("metric?name=mmv.large.m").statusCode() != 200) { // it is being read
      Thread.onSpinWait();
    }
    for (int i = 0; i < 100; i++) { // values of their own
      assertEquals(DONE, ask(derive("d" + i, "mmv.large.m*" + i)));
    }
    String names = IntStream.range(0, 100).mapToObj(i -> "d" + i).collect(Collectors.joining(","));
    assertEquals(error("too many values for one request"), ask("fetch?names=" + names));
    String twice = ask("fetch?names=mmv.large.m,d1,mmv.large.m"); // which is read once
    assertTrue(twice.endsWith("{\"instance\":19999,\"value\":19999}]}]}"));
    assertTrue(
        ask("indom?name=mmv.large.m").contains("{\"instance\":19999,\"name\":\"instance 19999\","));
  }
}
