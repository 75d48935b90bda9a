package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Charts that begin with what the server has kept, and are filled in with what the page has missed.
 */
class PageHistoryTest {
  private static final int COUNT = new Units(0, 0, 1, 0, 0, 0).word();
  private static final int KEPT = 10; // values

  private final TemporaryPcp pcp = new TemporaryPcp();
  private CountingApplication application;
  private CollectorProcess server;
  private Browser browser;
  private MetricsPage page;

  @BeforeEach
  void start() {
    Need.CHROMIUM.require();
    MmvWriter shop = shop();
    Path file = shop.write(pcp.mmv(), "shop");
    application = pcp.open(new CountingApplication(shop, file, 2));
    server = pcp.open(CollectorProcess.withHttp(pcp, 0));
    browser = pcp.open(new Browser(pcp.file("profile"), 1400, 860));
    page = new MetricsPage(browser);
    browser.open(server.http() + "#overview");
    page.awaitText("#overview", "shop");
  }

  private static MmvWriter shop() {
    MmvWriter shop = new MmvWriter(2).cluster(11);
    shop.metric("placed", 1, ValueType.U64).units(COUNT).value(0);
    return shop;
  }

  @AfterEach
  void stop() {
    pcp.close();
  }

  /** Waits until the server has kept some values. */
  private void awaitKept() {
    String kept =
        """
        return fetch('api/v1/history?series=70.11.1').then(response => response.json())
          .then(history => history.values[0]?.filter(value => value !== null).length ?? 0);
        """;
    Await.until("values that are kept", () -> (long) browser.run(kept) >= KEPT);
  }

  /** Opens a chart in a page that has none. */
  private void open() {
    browser.open("about:blank");
    browser.open(server.http() + "#charts?line=mmv.shop.placed");
    page.awaitText("#status", "Live");
  }

  /** Returns the times of the first chart in milliseconds, the newest first. */
  private List<Long> times() {
    page.table();
    return ((List<?>)
            browser.run(
                "return [...document.querySelectorAll('.table time')].map(time => Date.parse(time.dateTime))"))
        .stream().map(Long.class::cast).toList();
  }

  /** Waits until no second is missing, from a time before the page began. */
  private void awaitComplete(long before) {
    Await.until(
        "all values",
        () -> times().toString(),
        () -> {
          List<Long> times = times();
          return !times.isEmpty() && times.getLast() < before && longestPause(times) < 3000;
        });
  }

  private static long longestPause(List<Long> times) {
    long longest = 0;
    for (int i = 1; i < times.size(); i++) {
      long pause = times.get(i - 1) - times.get(i);
      assertTrue(pause >= 500, "no value twice: " + times);
      longest = Math.max(longest, pause);
    }
    return longest;
  }

  /** Asserts that each value but the first one has a rate. */
  private void assertRates() {
    List<?> rows = page.table();
    for (Object row : rows.subList(0, rows.size() - 1)) {
      assertTrue(row.toString().matches("[\\d:]+\\s+[\\d.]+ /s"), rows.toString());
    }
  }

  @Test
  void aChartBeginsWithWhatTheServerHasKept() {
    awaitKept();
    open();
    awaitComplete((long) browser.run("return Math.round(performance.timeOrigin) - 5000"));
    assertRates();
    browser.photograph("history");
    assertEquals(List.of(), browser.console());
  }

  @Test
  void whatAHiddenPageHasMissedIsFilledIn() {
    open();
    Await.until("a line", () -> page.table().size() > 2);
    long before = (long) browser.run("return Date.now()");
    page.setHidden(true);
    page.awaitText("#status", "Paused");
    page.awaitAbsence();
    page.setHidden(false);
    awaitComplete(before);
    assertRates();
  }

  @Test
  void whatWasMissedWithoutAConnectionIsFilledIn() {
    open();
    Await.until("a line", () -> page.table().size() > 2);
    long before = (long) browser.run("return Date.now()");
    browser.run(
        """
        window.absentSince = Date.now();
        window.connected = window.fetch;
        window.fetch = () => Promise.reject(new TypeError('no connection'));
        """);
    page.awaitText("#status", "No connection");
    page.awaitAbsence();
    browser.run("window.fetch = window.connected");
    page.awaitText("#status", "Live");
    awaitComplete(before);
    assertRates();
  }

  @Test
  void aRestartBeforeThePageWasOpenedIsMarked() {
    awaitKept();
    application.close();
    shop().write(pcp.mmv(), "shop"); // counts from 0
    String kept =
        """
        return fetch('api/v1/history?series=70.11.1').then(response => response.json())
          .then(history => (history.values[0] ?? []).at(-1) === '0');
        """;
    Await.until("the new value", () -> (boolean) browser.run(kept));
    open();
    page.awaitText("#charts .note", "Restarted at ");
    browser.photograph("history-restart");
  }
}
