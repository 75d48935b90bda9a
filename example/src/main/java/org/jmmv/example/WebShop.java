package org.jmmv.example;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The simulation of an instrumented web shop. It generates traffic from random numbers with a fixed
 * seed and records it in {@link ShopMetrics}. Traffic rises and falls with a period of 30 seconds,
 * orders queue up and are packed, and the offer on the front page changes every 7 seconds.
 */
public final class WebShop {

  private static final int STEPS_PER_SECOND = 5;

  /** The period of the traffic. */
  private static final double SECONDS_PER_DAY = 30;

  private static final int SECONDS_PER_OFFER = 7;
  private static final List<String> OFFERS =
      List.of(
          "20 % off all novels",
          "three for two: crime", "free shipping today", "signed copies are in");

  private static final double ORDERS_PER_CHECKOUT = 0.8;
  private static final double PACKED_PER_SECOND = 2.4;
  private static final long CACHE_KILOBYTES = 48_000;

  private final ShopMetrics metrics;
  private final SplittableRandom random = new SplittableRandom(42);
  private double ordersWaiting;
  private long step;

  WebShop(ShopMetrics metrics) {
    this.metrics = metrics;
  }

  /** Simulates the next fifth of a second. */
  void step() {
    double seconds = (double) step++ / STEPS_PER_SECOND;
    double traffic = 1 + 0.6 * Math.sin(2 * Math.PI * seconds / SECONDS_PER_DAY);
    int checkouts = 0;
    for (Page page : Page.values()) {
      int requests = about(page.requestsPerSecond() * traffic / STEPS_PER_SECOND);
      // The response time grows with the traffic.
      double milliseconds = requests * page.milliseconds() * traffic;
      metrics.served(page, requests, about(milliseconds), about(requests * page.bytes()));
      if (page == Page.CHECKOUT) {
        checkouts = requests;
      }
    }
    int placed = about(checkouts * ORDERS_PER_CHECKOUT);
    ordersWaiting = Math.max(0, ordersWaiting + placed - PACKED_PER_SECOND / STEPS_PER_SECOND);
    metrics.ordersPlaced(placed);
    metrics.ordersWaiting((int) Math.ceil(ordersWaiting));
    double filled = 1 - Math.exp(-seconds / SECONDS_PER_DAY);
    metrics.cache((long) (CACHE_KILOBYTES * filled), filled * random.nextDouble(0.9, 0.95));
    metrics.campaign(OFFERS.get((int) (seconds / SECONDS_PER_OFFER) % OFFERS.size()));
  }

  /**
   * Returns a random integer whose mean is {@code mean}, from half to one and a half times as
   * large.
   */
  private int about(double mean) {
    return (int) (mean * random.nextDouble(0.5, 1.5) + random.nextDouble());
  }

  /** Runs until the process is killed. The metrics are in {@code $PCP_TMP_DIR/mmv/shop}. */
  public static void main(String[] args) throws InterruptedException {
    WebShop shop = new WebShop(new ShopMetrics());
    while (true) {
      shop.step();
      Thread.sleep(1000 / STEPS_PER_SECOND);
    }
  }
}
