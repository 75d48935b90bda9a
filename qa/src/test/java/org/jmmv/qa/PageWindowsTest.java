package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Many windows of one browser, which share the six connections that it makes to a server of
 * HTTP/1.1: a page keeps none of them for itself.
 */
class PageWindowsTest {
  private static final int COUNT = new Units(0, 0, 1, 0, 0, 0).word();
  private static final int WINDOWS = 10;

  private final TemporaryPcp pcp = new TemporaryPcp();
  private CollectorProcess server;
  private Browser browser;
  private MetricsPage page;

  @BeforeEach
  void start() {
    Need.CHROMIUM.require();
    MmvWriter shop = new MmvWriter(2).cluster(11);
    MmvWriter.InDom payment = shop.inDom(1).instance(0, "card").instance(1, "invoice");
    shop.metric("placed", 1, ValueType.U64).units(COUNT).value(0);
    shop.metric("paid", 2, ValueType.U64).units(COUNT).inDom(payment).at(0, 0).at(1, 0);
    pcp.open(new CountingApplication(shop, shop.write(pcp.mmv(), "shop"), 2, 1, 1));
    server = pcp.open(CollectorProcess.withHttp(pcp, 0));
    browser = pcp.open(new Browser(pcp.file("profile"), 1000, 700));
    page = new MetricsPage(browser);
  }

  @AfterEach
  void stop() {
    pcp.close();
  }

  @Test
  void tenWindowsHaveLiveValues() {
    List<String> windows = new ArrayList<>();
    for (int i = 0; i < WINDOWS; i++) {
      windows.add(browser.openWindow(server.http() + "#metrics?line=mmv.shop.paid&search=shop"));
      page.awaitText("#status", "Live");
    }
    for (String window : windows) {
      browser.turnTo(window);
      assertEquals(false, browser.run("return document.hidden"));
      String first = page.cell("mmv.shop.placed", "value");
      Await.until(
          "another value",
          () -> browser.text("body"),
          () -> !page.cell("mmv.shop.placed", "value").equals(first));
      page.awaitText("#charts .legend", "invoice");
      page.cell("invoice", "value");
      assertEquals("Live", browser.text("#status"));
    }
  }
}
