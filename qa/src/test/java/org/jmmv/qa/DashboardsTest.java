package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jmmv.pcp.ValueType;
import org.jmmv.qa.Application.Library;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules for Prometheus and the dashboards for Grafana that the packages have. */
final class DashboardsTest {
  private static final Path INSTALLED = AgentCommand.HOME;
  private static final Path RULES = INSTALLED.resolve("prometheus/jmmv.rules.yml");

  @AutoClose private static final TemporaryPcp PCP = new TemporaryPcp();
  private static final ThisMachine MACHINE = new ThisMachine();
  private static CollectorProcess jmmv;
  private static Prometheus prometheus;

  @BeforeAll
  static void start() throws IOException {
    Need.PROMETHEUS.require();
    PCP.open(Application.start(PCP, Library.LIBPCP_MMV, "shop", "plain"));
    MmvWriter faulty = new MmvWriter(2).cluster(11);
    faulty.metric("good", 1, ValueType.U32).value(1);
    faulty.metric("b?d", 2, ValueType.U32).value(1);
    faulty.write(PCP.mmv(), "faulty");
    Files.writeString(PCP.mmv().resolve("text"), "x".repeat(100));
    jmmv = PCP.open(CollectorProcess.withHttp(PCP, 0));
    String config =
        """
        rule_files: ["%s"]
        scrape_configs:
          - job_name: mmv
            static_configs: [{targets: ["127.0.0.1:%2$d"]}]
          - job_name: mmv-pcp
            params: {naming: [pcp]}
            static_configs: [{targets: ["127.0.0.1:%2$d"]}]
        """
            .formatted(RULES, jmmv.http().getPort());
    prometheus = PCP.open(Prometheus.start(MACHINE, PCP, config, ""));
  }

  private static List<String> expressions(String dashboard) throws IOException {
    List<String> expressions = new ArrayList<>();
    String text = Files.readString(INSTALLED.resolve("grafana").resolve(dashboard));
    for (JsonNode panel : new LocalHttp.Reply(200, text).document().get("panels")) {
      for (JsonNode target : panel.path("targets")) {
        expressions.add(target.get("expr").asText());
      }
    }
    return expressions;
  }

  @ParameterizedTest
  @CsvSource({"mmv, mmv_shop_requests_total", "mmv-pcp, mmv_shop_requests"})
  void eachExpressionForPrometheusHasDataWithEachNaming(String job, String counter)
      throws IOException {
    for (String expression : expressions("jmmv-prometheus.json")) {
      String query =
          expression
              .replace("instance=~\"$instance\"", "job=\"" + job + "\"")
              .replace("$__rate_interval", "1m")
              .replace("$counter", counter)
              .replace("$value", "mmv_shop_queue_depth");
      Await.until("data of " + query, () -> !prometheus.query(query).isEmpty());
    }
  }

  /** As the data source PCP Vector does: it defines what is no name, and fetches it. */
  @Test
  void eachExpressionForPcpHasData() throws IOException {
    int port = jmmv.http().getPort();
    String context =
        LocalHttp.get(MACHINE, port, "/pmapi/context?polltimeout=60")
            .document()
            .get("context")
            .asText();
    int number = 0;
    for (String panel : expressions("jmmv-pcp.json")) {
      String expression = panel.replace("$metric", "mmv.control.agent.values");
      String name = "derived_" + number++;
      String derive =
          "/pmapi/%s/derive?name=%s&expr=%s"
              .formatted(context, name, URLEncoder.encode(expression, UTF_8));
      assertEquals(200, LocalHttp.get(MACHINE, port, derive).status(), expression);
      String fetch = "/pmapi/%s/fetch?names=%s".formatted(context, name);
      JsonNode last = LocalHttp.getAll(MACHINE, port, List.of(fetch, fetch)).getLast().document();
      JsonNode instances = last.at("/values/0/instances");
      assertTrue(!instances.isEmpty() && instances.at("/0/value").isNumber(), expression + last);
    }
  }

  @Test
  void promtoolTestsTheRules() throws IOException {
    Path directory = Files.createDirectories(PCP.file("rules"));
    Path test = Path.of("src/test/resources/jmmv.rules.test.yml");
    Files.copy(RULES, directory.resolve("jmmv.rules.yml"));
    Files.copy(test, directory.resolve("test.yml"));
    for (List<String> command :
        List.of(
            List.of("promtool", "check", "rules", directory + "/jmmv.rules.yml"),
            List.of("promtool", "test", "rules", directory + "/test.yml"))) {
      Shell.Result result = Shell.run(Map.of(), command);
      assertEquals(0, result.status(), result::toString);
    }
  }

  @Test
  void faultyFilesMakeAlertsPending() {
    for (String alert : List.of("JmmvFilePartlyServed", "JmmvFileNotServed")) {
      Await.until(alert, () -> !prometheus.query("ALERTS{alertname=\"" + alert + "\"}").isEmpty());
    }
  }
}
