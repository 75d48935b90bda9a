package org.jmmv.example;

import io.pcp.parfait.dxm.IdentifierSourceSet;
import io.pcp.parfait.dxm.MetricName;
import io.pcp.parfait.dxm.PcpMmvWriter;
import io.pcp.parfait.dxm.PcpMmvWriter.MmvFlag;
import io.pcp.parfait.dxm.semantics.Semantics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import javax.measure.Unit;
import systems.uom.unicode.CLDR;
import tech.units.indriya.AbstractUnit;
import tech.units.indriya.unit.Units;

/**
 * The metrics of the shop, kept in a memory-mapped (MMV) file with the library Parfait. An update
 * is a plain write to memory; the application does not notice when or how often the file is read.
 *
 * <p>An application first declares all its metrics, then writes the file, and then updates values.
 * The file's name becomes part of the metrics' names: {@code orders.placed} in the file {@code
 * shop} is served as {@code mmv.shop.orders.placed}.
 */
final class ShopMetrics {

  /** A fixed cluster, 1 to 4095, keeps the metrics' PMIDs the same on every host. */
  private static final int CLUSTER = 1042;

  private static final Unit<?> COUNT = AbstractUnit.ONE;
  private static final Unit<?> BYTE = CLDR.BYTE;
  private static final Unit<?> KILOBYTE = CLDR.BYTE.multiply(1024);
  private static final Unit<?> MILLISECOND = Units.SECOND.divide(1000);

  /** The unit of text, and of numbers that are neither space nor time nor a count. */
  private static final Unit<?> NO_UNIT = null;

  private final PcpMmvWriter writer;
  private final Map<Page, Counter> requestsServed = new EnumMap<>(Page.class);
  private final Map<Page, Counter> requestsTime = new EnumMap<>(Page.class);
  private final Counter bytesSent;
  private final Counter ordersPlaced;
  private final MetricName ordersWaiting;
  private final MetricName cacheSize;
  private final MetricName cacheHitRatio;
  private final MetricName campaign;

  /**
   * Declares the metrics and writes the file.
   *
   * @param file the path of the file; a missing directory is created, and the file is deleted when
   *     the application exits
   */
  ShopMetrics(Path file) throws IOException {
    writer = new PcpMmvWriter(file.toFile(), IdentifierSourceSet.DEFAULT_SET);
    writer.setClusterIdentifier(CLUSTER);
    // PROCESS: the metrics are served only while this process runs. Without NOPREFIX, the metrics'
    // names begin with the file's name.
    writer.setFlags(EnumSet.of(MmvFlag.MMV_FLAG_PROCESS));

    // Parfait takes the name before the brackets as an instance domain, and the name in brackets
    // as an instance.
    for (Page page : Page.values()) {
      String requests = "requests[" + page.path() + "]";
      requestsServed.put(page, new Counter(requests + ".served", COUNT));
      requestsTime.put(page, new Counter(requests + ".time", MILLISECOND));
    }
    writer.setInstanceDomainHelpText(
        "requests", "Pages of the shop", "The pages of the shop, by their path in its URLs.");
    help(
        "requests.served",
        "Requests served, by page",
        "The number of requests for this page since the start of the shop.");
    help(
        "requests.time",
        "Time spent on requests, by page",
        "The total time of all requests for this page. Divided by the number of requests, it is"
            + " the mean response time. Its rate is the mean number of requests in progress.");

    bytesSent = new Counter("traffic.sent", BYTE);
    help("traffic.sent", "Bytes sent to customers", "The size of all replies, including headers.");

    ordersPlaced = new Counter("orders.placed", COUNT);
    help("orders.placed", "Orders placed", "The number of orders that customers have placed.");

    ordersWaiting = gauge("orders.waiting", COUNT, 0);
    help(
        "orders.waiting",
        "Orders waiting to be packed",
        "The number of orders that have been placed and not yet packed.");

    cacheSize = gauge("cache.size", KILOBYTE, 0L);
    help("cache.size", "Memory used by the page cache", "The size of all cached pages.");

    cacheHitRatio = gauge("cache.hit_ratio", NO_UNIT, 0.0);
    help(
        "cache.hit_ratio",
        "Share of requests served from the cache",
        "Mean over the last few seconds: 1 if all were served from the cache, 0 if none.");

    campaign = MetricName.parse("campaign");
    writer.addMetric(campaign, Semantics.DISCRETE, NO_UNIT, "none");
    help("campaign", "Offer on the front page", "The offer that is shown on the front page.");

    writer.start();
  }

  private MetricName gauge(String name, Unit<?> unit, Number initial) {
    MetricName metric = MetricName.parse(name);
    writer.addMetric(metric, Semantics.INSTANT, unit, initial);
    return metric;
  }

  private void help(String name, String oneLine, String text) {
    writer.setMetricHelpText(name, oneLine, text);
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
    writer.updateMetric(ordersWaiting, orders);
  }

  /**
   * Sets the state of the page cache.
   *
   * @param kilobytes its size in units of 1024 bytes
   * @param hitRatio 0 to 1
   */
  void cache(long kilobytes, double hitRatio) {
    writer.updateMetric(cacheSize, kilobytes);
    writer.updateMetric(cacheHitRatio, hitRatio);
  }

  /**
   * Sets the offer on the front page.
   *
   * @param offer ASCII, at most 255 characters
   */
  void campaign(String offer) {
    writer.updateMetric(campaign, offer);
  }

  /** A metric that only increases; clients show its rate. */
  private final class Counter {
    private final MetricName name;
    private long value;

    Counter(String name, Unit<?> unit) {
      this.name = MetricName.parse(name);
      writer.addMetric(this.name, Semantics.COUNTER, unit, value);
    }

    void add(long increment) {
      value += increment;
      writer.updateMetric(name, value);
    }
  }
}
