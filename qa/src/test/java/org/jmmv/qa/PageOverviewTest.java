package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The overview of the page, in Chromium: a card for each application. */
class PageOverviewTest {
  private static final int COUNT = new Units(0, 0, 1, 0, 0, 0).word();

  private final TemporaryPcp pcp = new TemporaryPcp();
  private final ScheduledExecutorService application = Executors.newSingleThreadScheduledExecutor();
  private final MmvWriter shop = shop();
  private volatile Path file;
  private Browser browser;
  private MetricsPage page;

  @BeforeEach
  void start() throws IOException {
    Need.CHROMIUM.require();
    file = shop.write(pcp.mmv(), "shop");
    MmvWriter quiet = new MmvWriter(2).cluster(12);
    quiet.metric("constant", 1, ValueType.U64).value(3);
    quiet.write(pcp.mmv(), "quiet");
    Files.writeString(pcp.mmv().resolve("notes.txt"), "a text that is longer than a header of MMV");
    long[] value = {0};
    application.scheduleAtFixedRate(
        () -> {
          value[0]++;
          MmvWriter.storeLong(file, shop.valueAt(0), value[0]);
          MmvWriter.storeLong(file, shop.valueAt(1), value[0] % 7);
          MmvWriter.storeLong(file, shop.valueAt(2), 3 * value[0]);
        },
        0,
        100,
        TimeUnit.MILLISECONDS);
    CollectorProcess server = pcp.open(CollectorProcess.withHttp(pcp, 0));
    browser = pcp.open(new Browser(pcp.file("profile"), 1400, 860));
    page = new MetricsPage(browser);
    browser.open(server.http().toString());
  }

  private static MmvWriter shop() {
    MmvWriter shop = new MmvWriter(2).cluster(11);
    MmvWriter.InDom payment = shop.inDom(1).instance(0, "card").instance(1, "invoice");
    shop.metric("placed", 1, ValueType.U64).units(COUNT).value(0);
    shop.metric("queue", 2, ValueType.U64).semantics(Semantics.INSTANT).value(0);
    shop.metric("paid", 3, ValueType.U64).units(COUNT).inDom(payment).at(0, 0).at(1, 0);
    shop.metric("size", 4, ValueType.U64).semantics(Semantics.DISCRETE).value(5);
    return shop;
  }

  @AfterEach
  void stop() {
    application.shutdownNow();
    pcp.close();
  }

  /** Returns the text of the card of a file. */
  private String card(String name) {
    String script =
        """
        return [...document.querySelectorAll('.file')]
          .find(card => card.querySelector('h3').innerText === arguments[0])?.innerText ?? '';
        """;
    return (String) browser.run(script, name);
  }

  private void awaitCard(String name, String part) {
    Await.until(
        part + " in the card " + name,
        () -> browser.text("#overview"),
        () -> card(name).contains(part));
  }

  @Test
  void eachApplicationHasItsStateAndWhatChangesMost() {
    awaitCard("shop", "queue");
    awaitCard("shop", "4 metrics");
    awaitCard("shop", "paid[card]");
    awaitCard("shop", " /s");
    assertFalse(card("shop").contains("size"), "it does not change");
    awaitCard("quiet", "1 metric");
    assertFalse(card("quiet").contains("constant"));
    awaitCard("notes.txt", "Not served");
    awaitCard("notes.txt", "remove it from the directory");
    Await.until(
        "lines",
        () ->
            (long)
                    browser.run(
                        "return [...document.querySelectorAll('.spark path')]"
                            + ".filter(path => path.getAttribute('d').includes('L')).length")
                == 3);
    assertEquals(List.of(), browser.obstacles());
    browser.photograph("overview");
    browser.setDark(true);
    assertEquals(List.of(), browser.obstacles());
    browser.photograph("overview-dark");
    browser.resize(390, 844);
    assertEquals(List.of(), browser.obstacles());
    browser.photograph("overview-phone");
    assertEquals(List.of(), browser.console());
  }

  @Test
  void anApplicationThatWasStartedAgainSaysSo() throws IOException {
    awaitCard("shop", "queue");
    assertFalse(card("shop").contains("Started again"));
    page.setClockAhead();
    MmvWriter next = shop().generation(System.currentTimeMillis() / 1000);
    file = next.write(pcp.mmv(), "shop");
    awaitCard("shop", "Started again at ");
    Files.delete(file);
    Await.until("the card has gone", () -> card("shop").isEmpty());
    shop().generation(System.currentTimeMillis() / 1000).write(pcp.mmv(), "shop");
    awaitCard("shop", "Started again at ");
  }

  @Test
  void theFocusStaysWhenFilesComeAndGo() throws IOException {
    awaitCard("shop", "paid[card]");
    browser.run("document.querySelector('.lively button').focus()");
    MmvWriter other = new MmvWriter(2).cluster(13);
    other.metric("one", 1, ValueType.U64).value(3);
    Path written = other.write(pcp.mmv(), "another");
    awaitCard("another", "1 metric");
    String focused = "return document.activeElement.title";
    assertEquals("Chart mmv.shop.paid[card]", browser.run(focused));
    Files.delete(written);
    Await.until("the card has gone", () -> card("another").isEmpty());
    assertEquals("Chart mmv.shop.paid[card]", browser.run(focused));
  }

  @Test
  void aSeriesIsCharted() {
    awaitCard("shop", "paid[card]");
    browser.run("document.querySelector('.lively button').click()");
    page.awaitText("#charts h3", "mmv.shop.p");
    Await.until(
        "the address of the chart",
        () -> browser.run("return location.hash").toString().startsWith("#charts?line=mmv.shop.p"));
    browser.run("history.back()");
    Await.until(
        "the overview",
        () -> (boolean) browser.run("return !document.getElementById('view-overview').hidden"));
  }

  /** Returns the names of the rows of the list. */
  private Object rows() {
    return browser.run(
        "return [...document.querySelectorAll('.rows .name')].map(name => name.innerText)");
  }

  private void awaitRows(String order, String... names) {
    String script =
        """
        const order = document.getElementById('order');
        order.value = arguments[0];
        order.dispatchEvent(new Event('change'));
        """;
    Await.until(
        "values by " + order,
        () -> rows().toString(),
        () -> {
          browser.run(script, order);
          return rows().equals(List.of(names));
        });
  }

  @Test
  void theListHasWhatMovesFirst() {
    browser.click("nav a[href='#metrics']");
    awaitRows("changes", "mmv.shop.paid[card]", "mmv.shop.placed", "mmv.shop.queue");
    awaitRows("rate", "mmv.shop.paid[card]", "mmv.shop.placed");
    browser.click("#search");
    browser.press("plac");
    awaitRows("value", "mmv.shop.placed");
    browser.press(Keys.ENTER, Keys.ENTER);
    page.awaitText("#charts h3", "mmv.shop.placed");
    assertEquals(List.of(), browser.obstacles());
    browser.photograph("order");
    page.awaitText("#found", "1 value");
    assertEquals(
        "#metrics?line=mmv.shop.placed&search=plac&order=value",
        browser.run("return location.hash"));
    assertEquals(List.of(), browser.console());
  }
}
