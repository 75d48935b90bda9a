package org.jmmv.qa;

import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The page in other engines than that of Chromium. */
class PageEnginesTest {
  private static final int PER_SECOND = 20;

  private final TemporaryPcp pcp = new TemporaryPcp();
  private final ScheduledExecutorService application = Executors.newSingleThreadScheduledExecutor();
  private Tab tab;

  @AfterEach
  void stop() {
    application.shutdownNow();
    pcp.close();
  }

  private void await(String script, String part) {
    Await.until(
        part,
        () -> tab.run("return document.body.innerText"),
        () -> tab.run("return " + script).contains(part));
  }

  @Test
  void allViewsAreLiveInFirefox() {
    Need.FIREFOX.require();
    tab = FirefoxTab.start(pcp);
    assertAllViewsAreLive();
  }

  @Test
  void allViewsAreLiveInWebKit() {
    Need.WEBKIT.require();
    tab = WebKitTab.start(pcp);
    assertAllViewsAreLive();
  }

  private void assertAllViewsAreLive() {
    MmvWriter shop = new MmvWriter(2).cluster(11);
    shop.metric("orders", 1, ValueType.U64).value(0);
    Path file = shop.write(pcp.mmv(), "shop");
    long[] value = {1000};
    application.scheduleAtFixedRate(
        () -> MmvWriter.storeLong(file, shop.valueAt(0), ++value[0]),
        0,
        1000 / PER_SECOND,
        TimeUnit.MILLISECONDS);
    CollectorProcess server = pcp.open(CollectorProcess.withHttp(pcp, 0));

    tab.open(server.http() + "#overview");
    await("document.querySelector('#overview').innerText", "/s");
    await("document.querySelector('#status').innerText", "Live");
    tab.run("location.hash = '#metrics?search=orders'");
    await("document.querySelector('.rows').innerText", "/s");
    tab.run("location.hash = '#charts?line=mmv.shop.orders'");
    await("document.querySelector('#charts .legend').innerText", "/s");
    String pixels =
        """
        const canvas = document.querySelector('#charts canvas');
        const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size;
        """;
    Await.until("a line", () -> Integer.parseInt(tab.run(pixels)) > 2);
    tab.run("location.hash = '#prometheus'");
    await("document.body.innerText", "mmv_shop_orders_total");
  }
}
