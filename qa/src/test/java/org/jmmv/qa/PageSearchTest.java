package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.Keys;

/** What the search of the page finds, in Chromium, among 100,000 instances. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageSearchTest {
  private static final int COUNT = new Units(0, 0, 1, 0, 0, 0).word();
  private static final int MILLIS = new Units(0, 1, 0, 0, 2, 0).word();
  private static final int MANY = 100_000;

  private final TemporaryPcp pcp = new TemporaryPcp();
  private CollectorProcess server;
  private Browser browser;
  private MetricsPage page;

  @BeforeAll
  void start() {
    Need.CHROMIUM.require();
    writeShop();
    writeMany();
    server = pcp.open(CollectorProcess.withHttp(pcp, 0));
    browser = pcp.open(new Browser(pcp.file("profile"), 1400, 860));
    page = new MetricsPage(browser);
  }

  private void writeShop() {
    MmvWriter shop = new MmvWriter(3).cluster(11);
    MmvWriter.InDom payment = shop.inDom(1).instance(0, "Card").instance(1, "voucher");
    shop.metric("paid", 1, ValueType.U64).units(COUNT).inDom(payment).at(0, 0).at(1, 0);
    shop.metric("refunds", 2, ValueType.U64).units(COUNT).inDom(payment).at(0, 0).at(1, 5);
    shop.metric("time", 3, ValueType.U64).units(MILLIS).value(0);
    shop.metric("cards", 4, ValueType.U32).semantics(Semantics.INSTANT).units(COUNT).value(7);
    shop.label(LabelType.INSTANCES, 1, 1, "{\"issuer\":\"Acme\"}");
    shop.label(LabelType.ITEM, 3, 0, "{\"team\":\"payments\"}");
    pcp.open(new CountingApplication(shop, shop.write(pcp.mmv(), "shop"), 2));
  }

  private void writeMany() {
    MmvWriter many = new MmvWriter(2).packed().cluster(12);
    MmvWriter.InDom inDom = many.inDom(1);
    MmvWriter.Metric metric =
        many.metric("each", 1, ValueType.U32).semantics(Semantics.INSTANT).inDom(inDom);
    IntStream.range(0, MANY)
        .forEach(i -> {
          inDom.instance(i, "client-" + i);
          metric.at(i, i);
        });
    many.write(pcp.mmv(), "many");
  }

  @AfterAll
  void stop() {
    pcp.close();
  }

  @BeforeEach
  void open() {
    browser.open("about:blank"); // so that the page is loaded again
    browser.open(server.http() + "#metrics");
    page.awaitText("#status", "Live");
    page.cell("mmv", "name");
  }

  /** Returns the names in the list, without those of which others are a part. */
  private Object names() {
    return browser.run(
        """
        return [...document.querySelectorAll('.rows .row:not(.part) .name')]
          .map(name => name.title.replace(/^mmv\\./, ''));
        """);
  }

  private void awaitNames(String... names) {
    Await.until("names", () -> names().toString(), () -> names().equals(List.of(names)));
  }

  private Object search() {
    return browser.run("return document.getElementById('search').value");
  }

  @Test
  void aMetricIsFoundByAnInstanceAndShowsOnlyThat() {
    page.search("shop card");
    awaitNames("shop.cards", "shop.paid", "Card", "shop.refunds", "Card");
    page.awaitText("#found", "3 of");
    page.awaitCell("Card", "units", "count");
    page.search("shop cards"); // which no instance has
    awaitNames("shop.cards");
    page.search("paid"); // which has all its instances
    awaitNames("shop.paid", "Card", "voucher");
    page.search("client-77777");
    awaitNames("many.each", "client-77777");
    page.awaitCell("client-77777", "value", "77,777");
    page.click("client-77777");
    page.awaitText("#charts h3", "mmv.many");
    assertEquals(List.of(), browser.obstacles());
    assertEquals(List.of(), browser.console());
  }

  @Test
  void aMetricIsFoundByValuesOfLabels() {
    page.search("acme");
    awaitNames("shop.paid", "voucher", "shop.refunds", "voucher");
    page.search("payments");
    awaitNames("shop.time");
  }

  @Test
  void ofManyInstancesOnlyThoseOnScreenAreAskedFor() {
    page.search("client-");
    page.awaitText("#found", "1 of");
    browser.press(Keys.ENTER, Keys.END, Keys.ARROW_RIGHT, Keys.END);
    page.awaitCell("client-99999", "value", "99,999");
    String loaded =
        """
        return performance.getEntriesByType('resource').filter(({name}) => name.includes('/api/v1/'))
          .reduce((sum, {decodedBodySize}) => sum + decodedBodySize, 0);
        """;
    assertTrue((long) browser.run(loaded) < 20L * MANY, "all names take 20 bytes each");
  }

  @Test
  void facetsAreWordsOfTheSearchAndOfTheAddress() {
    page.search("file:shop type:counter unit:ms");
    awaitNames("shop.time");
    page.search("file:shop unit:cou card type:u32");
    awaitNames("shop.cards");
    page.search("time file:shop");
    awaitNames("shop.time");
    browser.run("document.querySelector('.rows .row:not(.part) .units').click()");
    assertEquals("time file:shop unit:millisec", search());
    awaitNames("shop.time");
    assertEquals(0L, browser.run("return document.querySelectorAll('#charts .card').length"));
    browser.open("about:blank");
    browser.open(server.http() + "#metrics?search=file:shop+type:instant");
    awaitNames("shop.cards");
    page.click("mmv.shop.cards");
    page.awaitText("#charts h3", "mmv.shop.cards");
    browser.run("document.querySelector('#charts details').open = true");
    page.awaitText("#charts .details", "instant");
    browser.click("#charts [data-only='unit:count']");
    assertEquals("file:shop type:instant unit:count", search());
    assertEquals(List.of(), browser.obstacles());
    browser.photograph("facets");
  }

  @Test
  void theMetricsOfAnApplicationAreOneClickFromItsCard() {
    browser.click("nav a[href='#overview']");
    page.awaitText("#overview", "shop");
    browser.click("#overview [data-only='file:shop']");
    assertEquals("file:shop", search());
    page.awaitText("#found", "4 of");
    assertEquals("#metrics?search=file:shop", browser.run("return location.hash"));
    page.choose("#order", "rate");
    Await.until("what increases", () -> names().equals(List.of("shop.paid[Card]")));
    assertEquals(List.of(), browser.obstacles());
  }

  @Test
  void aSearchThatFindsNothingHasNoRowsInEachOrder() {
    page.choose("#order", "value");
    page.search("voucher");
    awaitNames("shop.refunds[voucher]");
    browser.run(
        """
        const search = document.getElementById('search');
        search.value = 'x'.repeat(3000);
        search.dispatchEvent(new Event('input'));
        """);
    page.awaitText("#found", "0 values");
    awaitNames();
    page.awaitText("#status", "Live");
  }

  @Test
  void anInstanceIsFoundInEachOrder() {
    page.search("voucher");
    page.choose("#order", "value");
    awaitNames("shop.refunds[voucher]");
    page.search("acme refunds"); // a label of the instance, and a word of the name
    awaitNames("shop.refunds[voucher]");
    page.search("shop cards");
    awaitNames("shop.cards");
    browser.open("about:blank");
    browser.open(server.http() + "#metrics?search=" + "shop+".repeat(40) + "cards");
    page.choose("#order", "value");
    awaitNames("shop.cards");
    page.awaitText("#status", "Live");
  }
}
