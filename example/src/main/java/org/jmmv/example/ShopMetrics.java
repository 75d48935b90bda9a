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
 * What the shop tells about itself: metrics in a file that is mapped into memory. Once the file is
 * there, an update is a plain store to memory, and what reads it, when and how often, does not
 * concern the application.
 *
 * <p>First all metrics are declared, then the file is written, then values change. The file's name
 * becomes part of the metrics' names: {@code orders.placed} of the file {@code shop} is {@code
 * mmv.shop.orders.placed}.
 */
final class ShopMetrics {

  /** Keeps the metrics' numbers the same, whatever other applications run. 1 to 4095. */
  private static final int CLUSTER = 1042;

  private static final Unit<?> COUNT = AbstractUnit.ONE;
  private static final Unit<?> BYTE = CLDR.BYTE;
  private static final Unit<?> KILOBYTE = CLDR.BYTE.multiply(1024);
  private static final Unit<?> MILLISECOND = Units.SECOND.divide(1000);

  /** For text, and for numbers that are neither space nor time nor a count. */
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
   * Writes the file.
   *
   * @param file in a directory that may still be missing; removed when the application exits
   */
  ShopMetrics(Path file) throws IOException {
    writer = new PcpMmvWriter(file.toFile(), IdentifierSourceSet.DEFAULT_SET);
    writer.setClusterIdentifier(CLUSTER);
    // The metrics are there for as long as this process is. Without NOPREFIX, the default, their
    // names begin with the file's.
    writer.setFlags(EnumSet.of(MmvFlag.MMV_FLAG_PROCESS));

    // An instance domain: what stands before the brackets is its name, and in them is an instance.
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
        "How many requests for this page were answered since the shop has started.");
    help(
        "requests.time",
        "Time spent on requests, by page",
        "The sum of the times that requests for this page took. Divided by the number of requests,"
            + " it is the mean response time; its rate is the number of requests that are being"
            + " served on average.");

    bytesSent = new Counter("traffic.sent", BYTE);
    help("traffic.sent", "Bytes sent to customers", "What all answers took, headers included.");

    ordersPlaced = new Counter("orders.placed", COUNT);
    help("orders.placed", "Orders placed", "How many orders customers have sent.");

    ordersWaiting = gauge("orders.waiting", COUNT, 0);
    help(
        "orders.waiting",
        "Orders that wait to be packed",
        "The length of the queue between the shop and the people who pack.");

    cacheSize = gauge("cache.size", KILOBYTE, 0L);
    help("cache.size", "Memory taken by the page cache", "What the cached pages take in memory.");

    cacheHitRatio = gauge("cache.hit_ratio", NO_UNIT, 0.0);
    help(
        "cache.hit_ratio",
        "Share of requests served from the cache",
        "Over the last few seconds: 1 if all came from the cache, 0 if none.");

    campaign = MetricName.parse("campaign");
    writer.addMetric(campaign, Semantics.DISCRETE, NO_UNIT, "none");
    help("campaign", "What is on the front page", "The offer that visitors see on the front page.");

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
   * Requests for a page have been served.
   *
   * @param milliseconds what they took together
   * @param bytes what was sent
   */
  void served(Page page, int requests, long milliseconds, long bytes) {
    requestsServed.get(page).add(requests);
    requestsTime.get(page).add(milliseconds);
    bytesSent.add(bytes);
  }

  void ordersPlaced(int orders) {
    ordersPlaced.add(orders);
  }

  void ordersWaiting(int orders) {
    writer.updateMetric(ordersWaiting, orders);
  }

  void cache(long kilobytes, double hitRatio) {
    writer.updateMetric(cacheSize, kilobytes);
    writer.updateMetric(cacheHitRatio, hitRatio);
  }

  /**
   * There is a new offer.
   *
   * @param offer ASCII, at most 255 characters
   */
  void campaign(String offer) {
    writer.updateMetric(campaign, offer);
  }

  /** A number that only grows: readers make a rate of it. */
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
