package org.jmmv.qa;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;

/** Prints how quick the page is, and what it takes, in Chromium: {@code qa/page-times}. */
final class PageTimes {
  private static final int FILES = 20;
  private static final int METRICS = 1_000; // of a file
  private static final int MOVING = 50; // of a file
  private static final int LOADS = 9;
  private static final List<String> SEARCHES =
      List.of("many7 metric99", "metric5", "file:many3 type:counter", "nothing has this");
  private static final String CHARTS =
      "#metrics?line=mmv.many6.group0.metric0&line=mmv.many14.group0.metric0";
  private static final Pattern PRIVATE = Pattern.compile("Private_(?:Clean|Dirty): +(\\d+) kB");

  /** Notes when the list is on screen for the first time. */
  private static final String WATCH_LIST =
      """
      const look = () => {
        if (document.querySelector('.rows .row .value:not(:empty)')) {
          requestAnimationFrame(() => setTimeout(() => { window.listTime = performance.now(); }));
        } else {
          requestAnimationFrame(look);
        }
      };
      requestAnimationFrame(look);
      """;

  /** Notes how long each letter of the search takes, from the key until the next frame is over. */
  private static final String WATCH_LETTERS =
      """
      window.letters = [];
      document.getElementById('search').addEventListener('input', event => {
        requestAnimationFrame(() => setTimeout(() => {
          letters.push(performance.now() - event.timeStamp);
        }));
      });
      """;

  private PageTimes() {}

  /**
   * Measures.
   *
   * @param args after how many minutes the memory is measured
   */
  public static void main(String[] args) {
    Duration time = Duration.ofMinutes(Integer.parseInt(args[0]));
    try (TemporaryPcp pcp = new TemporaryPcp();
        ScheduledExecutorService applications = Executors.newSingleThreadScheduledExecutor()) {
      start(pcp, applications);
      CollectorProcess server = pcp.open(CollectorProcess.withHttp(pcp, 0));
      Browser browser = pcp.open(Browser.withoutLogs(pcp.file("profile"), 1400, 860));
      browser.beforeEachPage(WATCH_LIST);
      List<Double> loads = new ArrayList<>();
      for (int i = 0; i < LOADS; i++) {
        loads.add(load(browser, server.http() + "#metrics"));
      }
      List<Double> letters = letters(browser);
      long[] bytes = memory(browser, server.http(), time);
      applications.shutdownNow();
      System.out.printf(
          Locale.ROOT,
          "%.2f s; %.0f ms, %.0f ms; %d MB, %d MB%n",
          median(loads) / 1000,
          median(letters),
          letters.stream().mapToDouble(letter -> letter).max().orElseThrow(),
          bytes[0] / 1_000_000,
          bytes[1] / 1_000_000);
    }
  }

  private static void start(TemporaryPcp pcp, ScheduledExecutorService applications) {
    long[] second = {0};
    List<Runnable> stores = new ArrayList<>();
    for (int f = 0; f < FILES; f++) {
      MmvWriter many = new MmvWriter(2).cluster(100 + f);
      for (int item = 0; item < METRICS; item++) {
        many.metric("group" + item / 100 + ".metric" + item, item, ValueType.U64)
            .semantics(item % 2 == 0 ? Semantics.COUNTER : Semantics.INSTANT)
            .help("What the metric is for, in a line of some sixty characters", null)
            .value(item);
      }
      Path file = many.write(pcp.mmv(), "many" + f);
      stores.add(() -> {
        for (int item = 0; item < MOVING; item++) {
          int index = item * (METRICS / MOVING);
          MmvWriter.storeLong(file, many.valueAt(index), index + second[0] * (item + 1));
        }
      });
    }
    applications.scheduleAtFixedRate(
        () -> {
          second[0]++;
          stores.forEach(Runnable::run);
        },
        0,
        1,
        TimeUnit.SECONDS);
  }

  /** Loads the page, and returns after how many milliseconds the list is on screen. */
  private static double load(Browser browser, String address) {
    browser.open("about:blank"); // so that the page is loaded again
    browser.open(address);
    String isThere = "return document.querySelector('#found').innerText.startsWith('20,0')";
    Await.until("all metrics", () -> (boolean) browser.run(isThere));
    Await.until("the list", () -> browser.run("return window.listTime") != null);
    return ((Number) browser.run("return window.listTime")).doubleValue();
  }

  /** Types some searches, and returns how many milliseconds each letter takes. */
  private static List<Double> letters(Browser browser) {
    browser.run(WATCH_LETTERS);
    int typed = 0;
    for (String search : SEARCHES) {
      browser.run("document.getElementById('search').value = ''");
      browser.click("#search");
      for (int i = 0; i < search.length(); i++) {
        browser.press(search.substring(i, i + 1));
        int expected = ++typed;
        Await.until(
            "a frame",
            () -> (boolean) browser.run("return letters.length >= arguments[0]", expected));
      }
    }
    List<?> all = (List<?>) browser.run("return letters");
    return all.stream().map(one -> ((Number) one).doubleValue()).toList();
  }

  /**
   * Has the page show all names, and two charts of values that move. Returns the private memory of
   * its process, and the bytes of its scripts, after a time.
   */
  private static long[] memory(Browser browser, Object address, Duration time) {
    load(browser, address + CHARTS);
    browser.click("#unfold");
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      Await.briefly();
    }
    long scripts = browser.scriptBytes();
    long kilobytes =
        ProcessHandle.current()
            .descendants()
            .filter(process -> ofProcess(process, "cmdline").contains("--type=renderer"))
            .mapToLong(PageTimes::privateKilobytes)
            .max()
            .orElseThrow();
    return new long[] {kilobytes * 1024, scripts};
  }

  private static long privateKilobytes(ProcessHandle process) {
    return PRIVATE
        .matcher(ofProcess(process, "smaps_rollup"))
        .results()
        .mapToLong(line -> Long.parseLong(line.group(1)))
        .sum();
  }

  private static String ofProcess(ProcessHandle process, String file) {
    return TemporaryPcp.text(Path.of("/proc", Long.toString(process.pid()), file));
  }

  private static double median(List<Double> numbers) {
    return numbers.stream().sorted().toList().get(numbers.size() / 2);
  }
}
