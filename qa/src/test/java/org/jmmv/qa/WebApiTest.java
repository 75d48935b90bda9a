package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * {@code jmmv serve --http} answers the requests of PCP's web API as pmproxy does, which asks a
 * pmcd with jmmv over the same files. Where pmproxy is wrong, the difference is intended.
 */
final class WebApiTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final ThisMachine machine = new ThisMachine();
  private PrivatePmcd pmcd;
  private Pmproxy pmproxy;
  private CollectorProcess jmmv;
  private String there; // the context of pmproxy
  private String here;

  @BeforeEach
  void start() throws IOException {
    WebDocuments.writeFiles(pcp.mmv());
    pmcd = pcp.open(PrivatePmcd.start(pcp, AgentCommand.jmmv()));
    pmproxy = pcp.open(Pmproxy.start(machine, pcp));
    jmmv =
        pcp.open(
            CollectorProcess.start(
                pcp, "--http", "127.0.0.1:0", "--http", "unix:" + pcp.file("http.socket")));
    there = context(pmproxy.get(pmcd.onTcp(), "context?polltimeout=600"));
    here = context(LocalHttp.get(machine, jmmv.http().getPort(), "/pmapi/context?polltimeout=600"));
  }

  // ---------------------------------------------------------------- requests

  private static String context(LocalHttp.Reply reply) {
    return reply.document().get("context").asText();
  }

  private LocalHttp.Reply there(String request) {
    return pmproxy.get(
        pmcd.onTcp(), request + (request.contains("?") ? "&" : "?") + "context=" + there);
  }

  private LocalHttp.Reply here(String request) {
    return LocalHttp.get(machine, jmmv.http().getPort(), "/pmapi/" + here + "/" + request);
  }

  private static boolean isJson(LocalHttp.Reply reply) {
    try {
      JSON.readTree(reply.body());
      return true;
    } catch (JsonProcessingException _) {
      return false;
    }
  }

  private static ObjectNode withoutContext(LocalHttp.Reply reply) {
    return ((ObjectNode) reply.document()).without("context");
  }

  private String values(LocalHttp.Reply reply) {
    return reply.document().get("values").toString();
  }

  // ---------------------------------------------------------------- tests

  @Test
  void documentsAreTheSame() {
    assertEquals(
        "",
        WebDocuments.difference(
            machine, pmproxy.port(), pmcd.onTcp().host(), jmmv.http().getPort()));
    assertEquals("", AgentLog.problems(pmcd.agentLog().replaceAll(".*twin: .*\n", "")));
  }

  @Test
  void aClientOfTheUnixDomainSocketMayStoreWhatAnyClientOfPmproxyMay() {
    Need.CURL.require();
    for (String request :
        List.of(
            "store?name=mmv.control.reload&value=x",
            "store?pmid=70.0.0&value=0",
            "store?name=mmv.control.reload&value=0")) {
      String reply =
          machine
              .run(
                  "curl",
                  "--silent",
                  "--unix-socket",
                  pcp.file("http.socket").toString(),
                  "http://localhost/pmapi/" + here + "/" + request)
              .outOfSuccess();
      assertEquals(
          withoutContext(there(request)), withoutContext(new LocalHttp.Reply(200, reply)), request);
      assertTrue(here(request).body().contains("No permission"), "over TCP: " + request);
    }
  }

  @Test
  void errorsOfContextsAreTheSame() {
    for (String request :
        List.of("context?context=1", "fetch?name=x&context=1", "1/fetch?name=x")) {
      LocalHttp.Reply right = LocalHttp.get(machine, pmproxy.port(), "/pmapi/" + request);
      LocalHttp.Reply reply = LocalHttp.get(machine, jmmv.http().getPort(), "/pmapi/" + request);
      assertEquals(right.status(), reply.status(), request);
      assertEquals(right.document().get("message"), reply.document().get("message"), request);
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
    assertEquals(2, there(request).document().get("values").size());
    assertEquals(
        "[{\"pmid\":\"70.6.2\",\"name\":\"mmv.twin.shared\",\"instances\":[{\"instance\":null,\"value\":3}]}]",
        values(here(request)));
  }

  @Test
  void aNameGivenTwiceIsAnsweredTwice() {
    String request = "fetch?names=mmv.app.i32,mmv.app.i32";
    assertFalse(isJson(there(request)));
    assertEquals(2, here(request).document().get("values").size());
  }

  @Test
  void instancesHaveTheirLabels() {
    there("metric?names=mmv.app.multi");
    String request = "indom?name=mmv.app.multi&instance=2";
    assertFalse(there(request).body().contains("\"own\":"));
    JsonNode labels = here(request).document().at("/instances/0/labels");
    assertEquals("instance \"q\"", labels.get("own").asText());
    assertEquals("indom", labels.get("of").asText());
    assertEquals("mmv", labels.get("agent").asText());
  }

  @Test
  void aMetricHasItsOptionalLabels() { // as with pmproxy from PCP 7 on
    assertTrue(here("metric?name=mmv.notes.m").body().contains("\"note\":\"optional\""));
    ObjectNode without = (ObjectNode) here("metric?name=mmv.notes.m").document().at("/metrics/0");
    ObjectNode right = (ObjectNode) there("metric?name=mmv.notes.m").document().at("/metrics/0");
    assertEquals(right.get("series"), without.get("series"));
  }

  @Test
  void aNestedLabelHasItsFullName() {
    String request = "metric?name=mmv.notes.nested";
    assertTrue(there(request).body().contains("\"a\":1,"), there(request).body());
    assertTrue(here(request).body().contains("\"map.a\":1,"), here(request).body());
  }

  @Test
  void aProfileContainsWhatIsNamed() {
    there("profile?expr=add&indom=70.10241&iname=none");
    here("profile?expr=add&indom=70.10241&iname=none");
    String request = "fetch?names=mmv.app.multi";
    assertEquals(5, there(request).document().at("/values/0/instances").size());
    assertEquals(0, here(request).document().at("/values/0/instances").size());
    here("profile?expr=add&indom=70.10241");
    here("profile?expr=del&indom=70.10241&iname=none");
    assertEquals(5, here(request).document().at("/values/0/instances").size());
  }

  @Test
  void everyErrorIsADocument() {
    for (String request : List.of("fetch", "indom", "profile", "store?value=1", "none")) {
      assertFalse(isJson(there(request)), request);
      assertFalse(here(request).document().get("success").asBoolean(), request);
    }
    assertFalse(isJson(LocalHttp.get(machine, pmproxy.port(), "/pmapi/fetch?name=x&context=x")));
    assertEquals(
        "{\"message\":\"invalid context identifier: x\",\"success\":false}",
        LocalHttp.get(machine, jmmv.http().getPort(), "/pmapi/fetch?name=x&context=x").body());
  }
}
