package org.jmmv.example;

import java.util.EnumMap;
import java.util.Map;
import org.jmmv.writer.DoubleGauge;
import org.jmmv.writer.InDom;
import org.jmmv.writer.Instances;
import org.jmmv.writer.LongCounter;
import org.jmmv.writer.LongGauge;
import org.jmmv.writer.MetricBuilder;
import org.jmmv.writer.MmvApplication;
import org.jmmv.writer.Text;
import org.jmmv.writer.Units;

/**
 * The metrics of the shop, kept in a memory-mapped (MMV) file. An update is a plain write to
 * memory; the application does not notice when or how often the file is read.
 *
 * <p>The application's name becomes part of the metrics' names: {@code orders.placed} of the
 * application {@code shop} is served as {@code mmv.shop.orders.placed}.
 */
final class ShopMetrics {

  /** A fixed cluster, 1 to 4095, keeps the metrics' PMIDs the same on every host. */
  private static final int CLUSTER = 1042;

  private final MmvApplication application = MmvApplication.named("shop").cluster(CLUSTER).start();
  private final Map<Page, LongCounter> requestsServed = new EnumMap<>(Page.class);
  private final Map<Page, LongCounter> requestsTime = new EnumMap<>(Page.class);
  private final LongCounter bytesSent;
  private final LongCounter ordersPlaced;
  private final LongGauge ordersWaiting;
  private final LongGauge cacheSize;
  private final DoubleGauge cacheHitRatio;
  private final Text campaign;

  /** Describes the metrics. They are read from now on, and no longer when the process has ended. */
  ShopMetrics() {
    addRequests();
    bytesSent =
        metric(
                "traffic.sent",
                "Bytes sent to customers",
                "The size of all replies, including headers.")
            .units(Units.BYTES)
            .counter();
    ordersPlaced =
        metric("orders.placed", "Orders placed", "The number of orders that customers have placed.")
            .units(Units.COUNT)
            .counter();
    ordersWaiting =
        metric(
                "orders.waiting",
                "Orders waiting to be packed",
                "The number of orders that have been placed and not yet packed.")
            .units(Units.COUNT)
            .gauge();
    cacheSize =
        metric("cache.size", "Memory used by the page cache", "The size of all cached pages.")
            .units(Units.KILOBYTES)
            .gauge();
    cacheHitRatio =
        metric(
                "cache.hit_ratio",
                "Share of requests served from the cache",
                "Mean over the last few seconds: 1 if all were served from the cache, 0 if none.")
            .doubleGauge();
    campaign =
        metric("campaign", "Offer on the front page", "The offer that is shown on the front page.")
            .text();
    campaign.set("none");
  }

  /** Adds what is counted for each page: they are the instances of one domain. */
  private void addRequests() {
    InDom pages =
        application
            .inDom("requests")
            .help("Pages of the shop", "The pages of the shop, by their path in its URLs.")
            .add();
    Instances<LongCounter> served =
        metric(
                "requests.served",
                "Requests served, by page",
                "The number of requests for this page since the start of the shop.")
            .units(Units.COUNT)
            .counters(pages);
    Instances<LongCounter> time =
        metric(
                "requests.time",
                "Time spent on requests, by page",
                "The total time of all requests for this page. Divided by the number of requests,"
                    + " it is the mean response time. Its rate is the mean number of requests in"
                    + " progress.")
            .units(Units.MILLISECONDS)
            .counters(pages);
    for (Page page : Page.values()) {
      requestsServed.put(page, served.of(page.path()));
      requestsTime.put(page, time.of(page.path()));
    }
  }

  private MetricBuilder metric(String name, String oneLine, String text) {
    return application.metric(name).help(oneLine, text);
  }

  /**
   * Records requests that have been served.
   *
   * @param page the requested page
   * @param requests the number of requests
   * @param milliseconds their total time
   * @param bytes the total size of the replies
   */
  void served(Page page, int requests, long milliseconds, long bytes) {
    requestsServed.get(page).add(requests);
    requestsTime.get(page).add(milliseconds);
    bytesSent.add(bytes);
  }

  /** Records new orders. */
  void ordersPlaced(int orders) {
    ordersPlaced.add(orders);
  }

  /** Sets the number of orders waiting to be packed. */
  void ordersWaiting(int orders) {
    ordersWaiting.set(orders);
  }

  /**
   * Sets the state of the page cache.
   *
   * @param kilobytes its size in units of 1024 bytes
   * @param hitRatio 0 to 1
   */
  void cache(long kilobytes, double hitRatio) {
    cacheSize.set(kilobytes);
    cacheHitRatio.set(hitRatio);
  }

  /** Sets the offer on the front page. */
  void campaign(String offer) {
    campaign.set(offer);
  }
}
