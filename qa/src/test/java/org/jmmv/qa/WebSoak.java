package org.jmmv.qa;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jmmv.client.CollectorConnection;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.testkit.MmvWriter;

/**
 * Has {@code jmmv serve} answer 100 pages in browsers, 10 scrapers and 50 clients of PCP for some
 * time, while files come and go. Every answer is checked: a wrong one or a lost connection ends the
 * run.
 */
final class WebSoak {
  private static final int STREAMS = 100;
  private static final int SCRAPERS = 10;
  private static final int CLIENTS = 50;
  private static final int FILES = 20; // that come and go
  private static final String EVENTS =
      HttpConnection.request("/api/v1/stream?interval=1000&series=70.5.1:0&series=70.5.1:1");
  private static final String SCRAPE = "/metrics";
  private static final String OPENMETRICS = "Accept: application/openmetrics-text\r\n";

  private final TemporaryPcp pcp;
  private final ClientSite site;
  private final long end; // as of System.nanoTime
  private final AtomicLong events = new AtomicLong();
  private final RequestTimes scrapes = new RequestTimes();
  private final RequestTimes fetches = new RequestTimes();
  private long changes;

  private WebSoak(TemporaryPcp pcp, ClientSite site, Duration time) {
    this.pcp = pcp;
    this.site = site;
    end = System.nanoTime() + time.toNanos();
  }

  /**
   * The figures of a run in which every answer was right.
   *
   * @param changes files that have come or gone
   * @param before kilobytes of memory (RssAnon) after a tenth of the time
   * @param after the same at the end
   */
  record Outcome(
      long events,
      RequestTimes scrapes,
      RequestTimes fetches,
      long changes,
      long before,
      long after) {

    /** Returns the figures, one a line. */
    String figures() {
      return """
      files that came or went  %d
      events                   %d
      scrapes                  %d, median %.1f ms, longest %d ms
      fetches of PCP's clients %d, median %.1f ms, 99 %% within %.1f ms, longest %d ms
      RssAnon after a tenth    %d kB
      RssAnon at the end       %d kB
      """
          .formatted(
              changes,
              events,
              scrapes.count(),
              scrapes.medianMillis(),
              scrapes.longestMillis(),
              fetches.count(),
              fetches.medianMillis(),
              fetches.percentileMillis(99),
              fetches.longestMillis(),
              before,
              after);
    }
  }

  /** Runs it. */
  static Outcome run(Duration time) throws IOException {
    try (TemporaryPcp pcp = new TemporaryPcp();
        ClientSite site = siteWithFiles(pcp);
        CollectorProcess collector = site.start();
        MemoryWatch memory = new MemoryWatch(collector.pid())) {
      return new WebSoak(pcp, site, time).run(time, memory);
    }
  }

  private static ClientSite siteWithFiles(TemporaryPcp pcp) throws IOException {
    ClientSite site = new ClientSite(pcp, true);
    site.write(WorstCatalogue.NAMES, 14); // five files of 1,000 metrics
    return site;
  }

  private Outcome run(Duration time, MemoryWatch memory) throws IOException {
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (HttpConnection browser : site.httpClients(STREAMS)) {
        all.add(submit(threads, () -> stream(browser)));
      }
      for (HttpConnection scraper : site.httpClients(SCRAPERS)) {
        all.add(submit(threads, () -> scrape(scraper)));
      }
      for (CollectorConnection client : site.clients(CLIENTS)) {
        all.add(submit(threads, () -> fetch(client)));
      }
      all.add(submit(threads, this::change));
      sleep(time.dividedBy(10).toMillis());
      long before = memory.kilobytes();
      for (Future<?> each : all) {
        each.get();
      }
      return new Outcome(events.get(), scrapes, fetches, changes, before, memory.kilobytes());
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      all.forEach(each -> each.cancel(true));
    }
  }

  private static Future<?> submit(ExecutorService threads, ClientSite.Action action) {
    return threads.submit(() -> {
      action.run();
      return null;
    });
  }

  private boolean goesOn() {
    return System.nanoTime() - end < 0;
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void stream(HttpConnection browser) throws IOException {
    browser.send(EVENTS);
    check(browser.receiveHead().status() == 200, "no stream");
    while (goesOn()) {
      String event = browser.receiveChunk();
      check(event.startsWith("data: ") && event.contains("[\"41\",\"42\"]"), event);
      events.incrementAndGet();
    }
  }

  private void scrape(HttpConnection scraper) throws IOException {
    while (goesOn()) {
      RequestTimes time = new RequestTimes();
      time.take(() -> {
        String page = scraper.get(SCRAPE, OPENMETRICS).body();
        check(
            page.contains("mmv_good_good_total{instname=\"right\",instid=\"1\"} 42\n"),
            "no metric");
        check(page.endsWith("\n# EOF\n"), "a page is cut off");
      });
      add(time, scrapes);
      sleep(2_000);
    }
  }

  private void fetch(CollectorConnection client) throws IOException {
    while (goesOn()) {
      RequestTimes time = new RequestTimes();
      time.take(() -> {
        List<InstanceValue> values =
            client.fetch(ClientSite.GOOD).result().sets().getFirst().values();
        check(values.size() == 2 && values.get(1).value().asText().equals("42"), values);
      });
      add(time, fetches);
      sleep(200);
    }
  }

  private static synchronized void add(RequestTimes time, RequestTimes all) {
    all.add(time);
  }

  private void change() throws IOException {
    while (goesOn()) {
      String name = "comes" + changes / 2 % FILES;
      if (changes % 2 == 0) {
        MmvWriter file = new MmvWriter(3).cluster(200 + (int) (changes / 2 % FILES));
        file.metric("count." + changes, 1, ValueType.U64).value(changes);
        file.write(pcp.mmv(), name);
      } else {
        Files.delete(pcp.mmv().resolve(name));
      }
      changes++;
      sleep(100);
    }
  }

  private static void check(boolean isRight, Object answer) {
    if (!isRight) {
      throw new AssertionError("wrong answer: " + answer);
    }
  }
}
