package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page behind an nginx that has the location of docs/web.md. */
final class PageProxyTest {
  @ParameterizedTest
  @ValueSource(strings = {"/", "/jmmv/"})
  void pageAndStreamWorkBehindNginxAtAnyPath(String path) {
    Need.CHROMIUM.require();
    Need.NGINX.require();
    MmvWriter app = new MmvWriter(2).cluster(11);
    app.metric("size", 1, ValueType.U64).semantics(Semantics.INSTANT).value(7);
    try (TemporaryPcp pcp = new TemporaryPcp()) {
      Path file = app.write(pcp.mmv(), "app");
      CollectorProcess server = CollectorProcess.withHttp(pcp, 0);
      int port = server.http().getPort();
      try (Proxy nginx = new Proxy(pcp, Proxy.Kind.NGINX, path, port, false);
          Browser browser = new Browser(pcp.file("profile"), 1400, 860)) {
        MetricsPage page = new MetricsPage(browser);
        browser.open(nginx.address(path) + "#metrics");
        page.awaitCell("mmv.app.size", "value", "7");
        awaitLive(browser);
        MmvWriter.storeLong(file, app.valueAt(0), 8);
        page.awaitCell("mmv.app.size", "value", "8");
        page.click("mmv.app.size");
        page.awaitLegend("value", "8");

        browser.click("nav a[href='#overview']");
        page.awaitText("#overview", "1 metric");
        browser.click("nav a[href='#prometheus']");
        page.awaitText("#prometheus pre", nginx.address("").replace("http://", ""));
        assertEquals(
            !path.equals("/"),
            browser.text("#prometheus pre").contains("metrics_path: " + path + "metrics\n"));
        Object metrics =
            browser.run(
                "return fetch(document.querySelector('#prometheus a').href).then(r => r.text())");
        assertTrue(metrics.toString().contains("mmv_app_size 8"), metrics::toString);
        browser.photograph("proxy" + path.replace('/', '-'));
        assertEquals(List.of(), browser.console());
        assertEquals(Set.of(URI.create(nginx.address("/")).getAuthority()), browser.hosts());

        browser.click("nav a[href='#metrics']");
        Await.until("a line", () -> page.paintedColours() > 0);
        server.close();
        page.awaitText("#status", "No connection");
        MetricsPage.awaitVisibleTime();
        server = CollectorProcess.withHttp(pcp, port);
        awaitLive(browser);
        MmvWriter.storeLong(file, app.valueAt(0), 9);
        page.awaitCell("mmv.app.size", "value", "9");
        page.awaitLegend("value", "9");
        page.awaitGap();
      } finally {
        server.close();
      }
    }
  }

  private static void awaitLive(Browser browser) {
    Await.until(
        "values",
        () -> browser.text("body"),
        () -> "live".equals(browser.run("return document.querySelector('#status').dataset.state")));
  }
}
