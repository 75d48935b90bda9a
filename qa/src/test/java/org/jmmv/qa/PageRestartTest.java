package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page while applications and jmmv are restarted: right values under right names. */
final class PageRestartTest {
  private static final int MILLISECONDS = 0x0100_2000; // as pmUnits
  private static final int SECONDS = 0x0100_3000;
  private static final int STARTS = 5;
  private static final int OTHERS = 5; // files between two starts
  private static final int FILES = 1300; // more than a document of the web API has

  @AutoClose private static final TemporaryPcp OF_BROWSER = new TemporaryPcp();
  private static Browser browser;
  private static MetricsPage page;

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private CollectorProcess server;

  @BeforeAll
  static void startBrowser() {
    Need.CHROMIUM.require();
    browser = OF_BROWSER.open(new Browser(OF_BROWSER.file("profile"), 1400, 860));
    page = new MetricsPage(browser);
  }

  @BeforeEach
  void start() {
    server = pcp.open(CollectorProcess.withHttp(pcp, 0));
  }

  private void write(String application, long value) {
    MmvWriter file = new MmvWriter(2).cluster(11);
    file.metric("one", 1, ValueType.U32).semantics(Semantics.INSTANT).value(value);
    file.write(pcp.mmv(), application);
  }

  /** Writes a file whose instances card and cash have some numbers and values. */
  private Path write(int card, long ofCard, int cash, long ofCash) {
    return shop(card, ofCard, cash, ofCash).write(pcp.mmv(), "shop");
  }

  private static MmvWriter shop(int card, long ofCard, int cash, long ofCash) {
    MmvWriter file = new MmvWriter(2).cluster(11);
    MmvWriter.InDom payment = file.inDom(1).instance(card, "card").instance(cash, "cash");
    file.metric("paid", 1, ValueType.U32)
        .semantics(Semantics.INSTANT)
        .inDom(payment)
        .at(card, ofCard)
        .at(cash, ofCash);
    return file;
  }

  /** Has jmmv started anew without the numbers that it has assigned, as in a container. */
  private void restart(Runnable whileStopped) throws IOException {
    int port = server.http().getPort();
    server.close();
    Trees.delete(pcp.file("state"));
    whileStopped.run();
    server = pcp.open(CollectorProcess.withHttp(pcp, port));
  }

  private void remove(String application) {
    try {
      Files.delete(pcp.mmv().resolve(application));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void valuesOfAnotherProcessAreNotShownUnderNamesOfTheOneBefore() throws IOException {
    write("alpha", 7);
    browser.open(server.http() + "#metrics");
    page.awaitCell("mmv.alpha.one", "value", "7");
    page.click("mmv.alpha.one");
    page.awaitLegend("value", "7");
    Await.until("a line", () -> page.paintedColours() > 0);
    restart(() -> {
      remove("alpha");
      write("beta", 1000);
    });
    Await.until(
        "the other names",
        () -> browser.text("body"),
        () -> {
          String shown = browser.text("#explorer");
          int value = shown.indexOf("1,000");
          assertTrue(value < 0 || value > shown.indexOf("beta"), shown);
          return value >= 0 && shown.contains("Ended at ");
        });
    page.awaitCell("mmv.beta.one", "value", "1,000");
    assertFalse(browser.text("#grid").contains("alpha"));
    assertEquals("no value", page.legend("value"));
    browser.photograph("ended");
    browser.setDark(true);
    browser.photograph("ended-dark");
    assertEquals(List.of(), browser.obstacles());
    browser.setDark(false);
    page.awaitLegendAt(200, 50, "value", "7"); // what was drawn is still there
    browser.hover("h1", 1, 1);

    restart(() -> {
      write("alpha", 8);
      MetricsPage.awaitVisibleTime();
    });
    page.awaitLegend("value", "8");
    assertFalse(browser.text("#charts").contains("Ended at "));
    page.awaitGap();
    browser.photograph("returned");
  }

  @Test
  void aRestartIsMarkedAlsoWhenThePageIsLoadedAgain() {
    write("alpha", 7);
    browser.open(server.http() + "#metrics");
    page.click("mmv.alpha.one");
    page.awaitLegend("value", "7");
    MetricsPage.awaitVisibleTime();
    remove("alpha");
    page.awaitText("#charts", "Ended at ");
    MetricsPage.awaitVisibleTime();
    write("alpha", 7);
    page.awaitText("#charts .note", "Restarted at ");
    browser.open("about:blank");
    browser.open(server.http() + "#metrics");
    page.click("mmv.alpha.one");
    page.awaitText("#charts .note", "Restarted at ");
  }

  @Test
  void aChartGoesOnWhenItsApplicationIsStartedAnewWithOtherInstanceNumbers() throws IOException {
    Path file = write(1, 10, 2, 20);
    browser.open(server.http() + "#metrics");
    page.click("mmv.shop.paid");
    page.awaitLegend("card", "10");
    page.awaitLegend("cash", "20");
    Await.until("two lines", () -> page.paintedColours() > 1);
    Files.delete(file);
    page.awaitText("#charts", "Ended at ");
    assertEquals("no value", page.legend("card"));
    browser.photograph("application-ended");
    MetricsPage.awaitVisibleTime();
    write(5, 11, 1, 21);
    page.awaitLegend("card", "11");
    page.awaitLegend("cash", "21");
    page.awaitGap();
    browser.photograph("application-returned");
    write(1, 12, 5, 22); // by rename(2): the metric is never gone
    Await.until(
        "the values of the third start",
        () -> browser.text("#charts"),
        () -> {
          assertTrue(Set.of("11", "12").contains(page.legend("card")), page.legend("card"));
          assertTrue(Set.of("21", "22").contains(page.legend("cash")), page.legend("cash"));
          return page.legend("card").equals("12") && page.legend("cash").equals("22");
        });
  }

  /** Instances have each other's numbers after each start, while files come and go. */
  @ParameterizedTest
  @ValueSource(strings = {"#overview", "#charts?line=mmv.shop.paid"})
  void anInstanceNeverHasTheValueOfAnother(String view) throws Exception {
    write(1, 1000, 2, 5000);
    browser.open("about:blank");
    browser.open(server.http() + view);
    browser.run(
        """
        window.wrong = [];
        setInterval(() => {
          for (const line of document.querySelectorAll('.lively li, .legend li')) {
            const text = line.innerText.replaceAll(',', '');
            if (/card[^]*5\\d{3}|cash[^]*1\\d{3}/.test(text)) wrong.push(text);
          }
        }, 20);
        """);
    for (int start = 1; start < STARTS; start++) {
      boolean isOdd = start % 2 == 1;
      MmvWriter shop = shop(isOdd ? 2 : 1, 1000, isOdd ? 1 : 2, 5000);
      Path file = shop.write(pcp.mmv(), "shop");
      for (int i = 1; i <= OTHERS; i++) {
        new MmvWriter(1).cluster(12).write(pcp.mmv(), "other");
        MmvWriter.storeLong(file, shop.valueAt(0), 1000 + OTHERS * start + i);
        MmvWriter.storeLong(file, shop.valueAt(1), 5000 + OTHERS * start + i);
        TimeUnit.MILLISECONDS.sleep(300);
      }
      String value = "1,%03d".formatted(OTHERS * start + OTHERS);
      Await.until(
          value,
          () -> browser.text("body"),
          () ->
              browser.text("#overview").contains(value) || browser.text(".legend").contains(value));
    }
    assertEquals(List.of(), browser.run("return wrong"));
  }

  /** Writes a file with some instances of one metric. */
  private void writeWorkers(int from, int to) {
    MmvWriter file = new MmvWriter(2).cluster(11);
    MmvWriter.InDom worker = file.inDom(1);
    MmvWriter.Metric busy =
        file.metric("busy", 1, ValueType.U32).semantics(Semantics.INSTANT).inDom(worker);
    for (int i = from; i < to; i++) {
      worker.instance(i, "w" + i);
      busy.at(i, i);
    }
    file.write(pcp.mmv(), "pool");
  }

  private void awaitLines(String... names) {
    String script =
        "return [...document.querySelectorAll('#charts .legend .name')].map(name => name.innerText)";
    Await.until(
        "lines " + List.of(names),
        () -> browser.text("#charts"),
        () -> List.of(names).equals(browser.run(script)));
  }

  @Test
  void aChartOfAWholeMetricHasItsNewInstances() {
    writeWorkers(0, 2);
    browser.open(server.http() + "#charts?line=mmv.pool.busy");
    awaitLines("w0", "w1");
    writeWorkers(0, 4);
    awaitLines("w0", "w1", "w2", "w3");
    writeWorkers(2, 9); // two are gone, for which there is room for one
    awaitLines("w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8");
    writeWorkers(2, 20);
    page.awaitText("#charts .note", "8 of 18 instances");
    assertEquals("#charts?line=mmv.pool.busy", browser.run("return location.hash"));
  }

  @Test
  void aChartOfTheAddressAppearsWhenItsApplicationHasStarted() throws IOException {
    MmvWriter other = new MmvWriter(2).cluster(12);
    other.metric("one", 1, ValueType.U32).value(1);
    other.write(pcp.mmv(), "other");
    String address = "#metrics?line=mmv.shop.paid[cash]&line=mmv.other.one";
    browser.open(server.http() + address);
    page.awaitText("#charts", "mmv.other.one");
    assertEquals(address, browser.run("return location.hash"), "what is awaited keeps its place");
    write(1, 10, 2, 20);
    page.awaitText("#charts .card:first-child .legend", "cash");
    page.awaitText("#charts .card:last-child", "mmv.other.one");
    assertFalse(browser.text("#charts").contains("card"));
    assertEquals(address, browser.run("return location.hash"));
  }

  @Test
  void anInstanceThatHasNoValueAfterARestartIsFoundWhenItHasOne() throws IOException {
    MmvWriter file = new MmvWriter(3).cluster(11).flags(MmvWriter.SENTINEL);
    MmvWriter.InDom payment = file.inDom(1).instance(1, "card").instance(2, "cash");
    file.metric("paid", 1, ValueType.U64)
        .semantics(Semantics.INSTANT)
        .inDom(payment)
        .at(1, 10)
        .at(2, 20);
    Path written = file.write(pcp.mmv(), "shop");
    browser.open(server.http() + "#metrics");
    page.click("mmv.shop.paid");
    page.awaitLegend("cash", "20");
    restart(() -> MmvWriter.storeLong(written, file.valueAt(1), -1));
    page.awaitLegend("cash", "no value");
    page.awaitLegend("card", "10");
    MmvWriter.storeLong(written, file.valueAt(1), 21);
    page.awaitLegend("cash", "21");
  }

  @Test
  void aGaugeHasAGapWhereThePageWasHiddenIfTheServerKeepsNoHistory() throws IOException {
    Path settings = Files.writeString(pcp.file("jmmv.toml"), "[http]\nhistory = 0\n");
    server.close();
    server =
        pcp.open(
            CollectorProcess.start(
                pcp, "--http", "127.0.0.1:0", "--settings", settings.toString()));
    write("alpha", 7);
    browser.open(server.http() + "#metrics");
    page.click("mmv.alpha.one");
    Await.until("a line", () -> page.paintedColours() > 0);
    page.setHidden(true);
    page.awaitText("#status", "Paused");
    page.awaitAbsence();
    page.setHidden(false);
    page.awaitText("#status", "Live");
    page.awaitGap();
  }

  /** Writes a metric of one value. */
  private void write(int type, int units, double value) {
    MmvWriter file = new MmvWriter(2).cluster(11);
    MmvWriter.Metric metric =
        file.metric("load", 1, type).semantics(Semantics.INSTANT).units(units);
    if (type == ValueType.DOUBLE) {
      metric.value(value);
    } else {
      metric.value((long) value);
    }
    file.write(pcp.mmv(), "app");
  }

  @Test
  void aMetricOfAnotherTypeOrOtherUnitsBeginsAnew() {
    write(ValueType.DOUBLE, MILLISECONDS, 1.5);
    browser.open(server.http() + "#metrics");
    page.awaitCell("mmv.app.load", "value", "1.5");
    page.click("mmv.app.load");
    Await.until("a line", () -> page.paintedColours() > 0);
    write(ValueType.U64, MILLISECONDS, 0);
    page.awaitLegend("value", "0 millisec");
    page.awaitCell("mmv.app.load", "value", "0");
    Await.until("a line at 0", () -> page.paintedColours() > 0);
    write(ValueType.U64, SECONDS, 3);
    page.awaitCell("mmv.app.load", "value", "3");
    Await.until(
        "nothing under the pointer that was there before",
        () -> browser.text("#charts"),
        () -> {
          browser.hover("#charts .u-over", 200, 50);
          return !browser.text("#charts .legend").matches("(?s).*(0|millisec).*");
        });
    page.awaitText("#status", "Live");
    assertEquals(List.of(), browser.console());
  }

  @Test
  void theListHasAllMetricsIfTheServerNoLongerOrdersThem() throws IOException {
    write("alpha", 7);
    browser.open(server.http() + "#metrics?order=value");
    page.awaitText("#found", "value");
    assertEquals("value", browser.run("return document.getElementById('order').value"));
    Path settings = Files.writeString(pcp.file("jmmv.toml"), "[http]\nhistory = 0\n");
    int port = server.http().getPort();
    server.close();
    server =
        pcp.open(
            CollectorProcess.start(
                pcp, "--http", "127.0.0.1:" + port, "--settings", settings.toString()));
    page.awaitText("#found", " metric");
    page.awaitCell("mmv.alpha.one", "value", "7");
    assertEquals(true, browser.run("return document.getElementById('order').hidden"));
  }

  @Test
  void namesInPrometheusComeAndGoWhileTheyAreShown() {
    write("alpha", 7);
    browser.open(server.http() + "#prometheus");
    page.awaitText("#prometheus table", "mmv.alpha.one");
    write("beta", 8);
    page.awaitText("#prometheus table", "mmv.beta.one");
    remove("alpha");
    Await.until("one less", () -> !browser.text("#prometheus table").contains("mmv.alpha.one"));
  }

  private void signal(String name) {
    Shell.run(Map.of(), List.of("kill", "-s", name, "" + server.pid())).outOfSuccess();
  }

  @Test
  void aServerThatHangsIsNotLive() {
    write("alpha", 7);
    browser.open(server.http() + "#metrics");
    page.awaitCell("mmv.alpha.one", "value", "7");
    signal("STOP");
    try {
      page.awaitText("#status", "No connection");
    } finally {
      signal("CONT");
    }
    page.awaitText("#status", "Live");
  }

  @Test
  void instancesThatGetTheirFirstValueAppearInAnUnfoldedMetric() throws IOException {
    MmvWriter file = new MmvWriter(3).cluster(11).flags(MmvWriter.SENTINEL);
    MmvWriter.InDom payment = file.inDom(1).instance(1, "card").instance(2, "cash");
    file.metric("paid", 1, ValueType.U64).inDom(payment).at(1, 10).at(2, -1);
    Path written = file.write(pcp.mmv(), "shop");
    browser.open(server.http() + "#metrics");
    page.awaitCell("card", "value", "10");
    MmvWriter.storeLong(written, file.valueAt(1), 21);
    page.awaitCell("cash", "value", "21");
  }

  @Test
  void allFilesCanBeShown() {
    for (int i = 0; i < FILES; i++) {
      new MmvWriter(1).cluster(5).write(pcp.mmv(), "app" + i);
    }
    browser.open(server.http() + "#overview");
    Await.until(
        "all files",
        () -> "shown: " + browser.run("return document.querySelectorAll('.file').length"),
        () -> {
          browser.run("document.querySelector('#overview > button').click()");
          return (long) browser.run("return document.querySelectorAll('.file').length") == FILES;
        });
    browser.run("document.querySelector('.skip').click()");
    assertEquals(true, browser.run("return document.querySelector('#view-metrics').hidden"));
  }
}
