package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * {@code jmmv serve --http} answers the requests of PCP's web API as pmproxy does, which asks a
 * pmcd with jmmv over the same files. PmApiTest of web has the replies that pmproxy gives
 * otherwise.
 */
final class WebApiTest {
  @AutoClose private static final TemporaryPcp PCP = new TemporaryPcp();
  private static final ThisMachine MACHINE = new ThisMachine();
  private static PrivatePmcd pmcd;
  private static Pmproxy pmproxy;
  private static CollectorProcess jmmv;
  private static String there; // the context of pmproxy
  private static String here;

  @BeforeAll
  static void start() throws IOException {
    WebDocuments.writeFiles(PCP.mmv());
    pmcd = PCP.open(PrivatePmcd.start(PCP, AgentCommand.jmmv()));
    pmproxy = PCP.open(Pmproxy.start(MACHINE, PCP));
    jmmv =
        PCP.open(
            CollectorProcess.start(
                PCP, "--http", "127.0.0.1:0", "--http", "unix:" + PCP.file("http.socket")));
    there = context(pmproxy.get(pmcd.onTcp(), "context?polltimeout=600"));
    here = context(LocalHttp.get(MACHINE, jmmv.http().getPort(), "/pmapi/context?polltimeout=600"));
  }

  // ---------------------------------------------------------------- requests

  private static String context(LocalHttp.Reply reply) {
    return reply.document().get("context").asText();
  }

  private static LocalHttp.Reply there(String request) {
    return pmproxy.get(
        pmcd.onTcp(), request + (request.contains("?") ? "&" : "?") + "context=" + there);
  }

  private static LocalHttp.Reply here(String request) {
    return LocalHttp.get(MACHINE, jmmv.http().getPort(), "/pmapi/" + here + "/" + request);
  }

  private static ObjectNode withoutContext(LocalHttp.Reply reply) {
    return ((ObjectNode) reply.document()).without("context");
  }

  // ---------------------------------------------------------------- tests

  @Test
  void documentsAreTheSame() {
    assertEquals(
        "",
        WebDocuments.difference(
            MACHINE, pmproxy.port(), pmcd.onTcp().host(), jmmv.http().getPort()));
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
          MACHINE
              .run(
                  "curl",
                  "--silent",
                  "--unix-socket",
                  PCP.file("http.socket").toString(),
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
      LocalHttp.Reply right = LocalHttp.get(MACHINE, pmproxy.port(), "/pmapi/" + request);
      LocalHttp.Reply reply = LocalHttp.get(MACHINE, jmmv.http().getPort(), "/pmapi/" + request);
      assertEquals(right.status(), reply.status(), request);
      assertEquals(right.document().get("message"), reply.document().get("message"), request);
    }
  }

  @Test
  void aMetricHasItsOptionalLabels() { // as with pmproxy from PCP 7 on
    assertTrue(here("metric?name=mmv.notes.m").body().contains("\"note\":\"optional\""));
    ObjectNode without = (ObjectNode) here("metric?name=mmv.notes.m").document().at("/metrics/0");
    ObjectNode right = (ObjectNode) there("metric?name=mmv.notes.m").document().at("/metrics/0");
    assertEquals(right.get("series"), without.get("series"));
  }

  @Test
  void onlyTheNamesThatAreAskedForAreAnswered() {
    String request = "fetch?names=mmv.twin.shared";
    assertEquals(2, there(request).document().get("values").size());
    assertEquals(
        "[{\"pmid\":\"70.6.2\",\"name\":\"mmv.twin.shared\",\"instances\":[{\"instance\":null,\"value\":3}]}]",
        here(request).document().get("values").toString());
  }
}
