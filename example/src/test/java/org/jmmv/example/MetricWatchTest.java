package org.jmmv.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pcp.parfait.dxm.IdentifierSourceSet;
import io.pcp.parfait.dxm.MetricName;
import io.pcp.parfait.dxm.PcpMmvWriter;
import io.pcp.parfait.dxm.semantics.Semantics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jmmv.client.AgentConnection;
import org.jmmv.testkit.StockAgent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tech.units.indriya.AbstractUnit;

/** Runs with the stock agent of an installed PCP. */
@Timeout(120)
class MetricWatchTest {

  @TempDir Path dir;
  private ShopMetrics metrics;
  private AgentConnection agent;
  private MetricWatch watch;
  private long seconds = 1000;

  @BeforeEach
  void start() throws IOException {
    metrics = new ShopMetrics(dir.resolve("mmv/shop"));
    agent =
        AgentConnection.start(
            StockAgent.command("mmv", dir.resolve("agent.log")),
            Map.of("PCP_TMP_DIR", dir.toString()));
    watch = new MetricWatch(agent, () -> seconds * 1_000_000_000);
  }

  @AfterEach
  void stop() {
    agent.close();
  }

  private static Row find(List<Row> rows, String name, String instance) {
    return rows.stream()
        .filter(row -> row.name().equals("mmv." + name) && row.instance().equals(instance))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + "[" + instance + "] is not in " + rows));
  }

  @Test
  void showsEveryKindOfValue() throws IOException {
    metrics.served(Page.CART, 1234, 5678, 0);
    metrics.cache(4096, 0.925);
    metrics.campaign("half price");
    List<Row> rows = watch.sample();
    assertEquals(
        new Row(
            "mmv.shop.requests.served",
            "/cart",
            "1,234",
            false,
            "",
            "count",
            "Requests served, by page"),
        find(rows, "shop.requests.served", "/cart"));
    assertEquals("millisec", find(rows, "shop.requests.time", "/books").units());
    assertEquals("Kbyte", find(rows, "shop.cache.size", "").units());
    assertEquals("0.93", find(rows, "shop.cache.hit_ratio", "").value());
    assertEquals(
        new Row("mmv.shop.campaign", "", "\"half price\"", true, "", "", "Offer on the front page"),
        find(rows, "shop.campaign", ""));
    assertEquals(8, watch.size());
    assertEquals(14, rows.size());
  }

  @Test
  void countersHaveRatesFromTheSecondSampleOn() throws IOException {
    metrics.served(Page.BOOKS, 100, 100, 4096);
    metrics.ordersWaiting(5);
    watch.sample();
    metrics.served(Page.BOOKS, 30, 1500, 8192);
    metrics.ordersWaiting(6);
    seconds += 2;
    List<Row> rows = watch.sample();
    assertEquals("15.0 /s", find(rows, "shop.requests.served", "/books").rate());
    assertEquals("0.0 /s", find(rows, "shop.requests.served", "/cart").rate());
    assertEquals("75.0 %", find(rows, "shop.requests.time", "/books").rate());
    assertEquals("4.0 Kbyte/s", find(rows, "shop.traffic.sent", "").rate());
    assertEquals("", find(rows, "shop.orders.waiting", "").rate());
  }

  @Test
  void aCounterThatDecreasedHasNoRate() throws Exception {
    metrics.ordersPlaced(100);
    watch.sample();
    nextTick();
    // The application is restarted.
    metrics = new ShopMetrics(dir.resolve("mmv/shop"));
    metrics.ordersPlaced(3);
    seconds++;
    Row row = find(sampleUntil(rows -> value(rows).equals("3")), "shop.orders.placed", "");
    assertEquals("", row.rate());
  }

  private static String value(List<Row> rows) {
    return find(rows, "shop.orders.placed", "").value();
  }

  @Test
  void applicationsComeAndGo() throws Exception {
    watch.sample();
    nextTick();
    Path file = dir.resolve("mmv/other");
    PcpMmvWriter other = new PcpMmvWriter(file.toFile(), IdentifierSourceSet.DEFAULT_SET);
    other.addMetric(MetricName.parse("late"), Semantics.INSTANT, AbstractUnit.ONE, -7);
    other.start();
    List<Row> rows = sampleUntil(now -> now.size() > 14);
    assertEquals("-7", find(rows, "late", "").value());
    nextTick();
    Files.delete(file);
    sampleUntil(now -> now.size() == 14);
    assertEquals(8, watch.size());
  }

  /**
   * Waits until a new file gets another time than the directory of the MMV files has. Within one
   * tick of the kernel's clock the stock agent would not notice a second change of the directory.
   */
  private void nextTick() throws Exception {
    FileTime last = Files.getLastModifiedTime(dir.resolve("mmv"));
    Path probe = dir.resolve("probe");
    do {
      Thread.sleep(1);
      Files.deleteIfExists(probe);
      Files.createFile(probe);
    } while (Files.getLastModifiedTime(probe).compareTo(last) <= 0);
  }

  /** Takes samples until one is as wanted; the class's timeout limits it. */
  private List<Row> sampleUntil(Predicate<List<Row>> wanted) throws Exception {
    List<Row> rows = watch.sample();
    while (!wanted.test(rows)) {
      Thread.sleep(10);
      rows = watch.sample();
    }
    return rows;
  }

  @Test
  void noApplicationsAreNoRows() throws Exception {
    Files.delete(dir.resolve("mmv/shop"));
    assertEquals(List.of(), sampleUntil(List::isEmpty));
    nextTick();
    metrics = new ShopMetrics(dir.resolve("mmv/shop"));
    assertEquals(14, sampleUntil(rows -> !rows.isEmpty()).size());
  }

  @Test
  void controlCharactersDoNotReachTheTerminal() throws IOException {
    metrics.campaign("\033[2Jboo\007");
    assertEquals("\"?[2Jboo?\"", find(watch.sample(), "shop.campaign", "").value());
    assertEquals("??x", MetricWatch.printable("\u00c2\u0085\u00e2\u0080\u00aex"));
  }

  @Test
  void textIsUtf8() {
    assertEquals("K\u00f6ln", MetricWatch.printable("K\u00c3\u00b6ln"));
  }

  @Test
  void theSimulatedShopIsBusy() throws IOException {
    WebShop shop = new WebShop(metrics);
    for (int i = 0; i < 100; i++) {
      shop.step();
    }
    List<Row> rows = watch.sample();
    assertEquals(14, rows.size());
    for (Row row : rows) {
      assertTrue(row.text() || !row.value().equals("0"), row::toString);
    }
  }
}
