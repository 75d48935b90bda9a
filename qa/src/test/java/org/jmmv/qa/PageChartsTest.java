package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

/** The charts of the page, in Chromium. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageChartsTest {
  private static final int COUNT = new Units(0, 0, 1, 0, 0, 0).word();
  private static final int KBYTES = new Units(1, 0, 0, 1, 0, 0).word();
  private static final int SECONDS = new Units(0, 1, 0, 0, 3, 0).word();
  private static final int WIDTH = 1400;
  private static final int HEIGHT = 860;
  private static final int WORKERS = 20;
  private static final String FORMULA = "=HYPERLINK(\"http://example.com\")";

  private final TemporaryPcp pcp = new TemporaryPcp();
  private CollectorProcess server;
  private Browser browser;
  private MetricsPage page;
  private final MmvWriter texts = new MmvWriter(2).cluster(12);
  private Path textsFile;

  @BeforeAll
  void start() {
    Need.CHROMIUM.require();
    writeShop();
    writeTexts();
    server = pcp.open(CollectorProcess.withHttp(pcp, 0));
    browser = pcp.open(new Browser(pcp.file("profile"), WIDTH, HEIGHT));
    page = new MetricsPage(browser);
  }

  /** An application that counts: 20 orders a second. */
  private void writeShop() {
    MmvWriter shop = new MmvWriter(2).cluster(11);
    MmvWriter.InDom payment = shop.inDom(1).instance(0, "card").instance(1, "cash, coins");
    MmvWriter.InDom worker = shop.inDom(2);
    IntStream.range(0, WORKERS).forEach(i -> worker.instance(i, "worker " + i));
    shop.metric("placed", 1, ValueType.U64).units(COUNT).help("Orders", null).value(0);
    shop.metric("paid", 2, ValueType.U64).units(COUNT).inDom(payment).at(0, 0).at(1, 0);
    shop.metric("waiting", 3, ValueType.U32).semantics(Semantics.INSTANT).units(COUNT).value(7);
    shop.metric("heap", 4, ValueType.U64).semantics(Semantics.INSTANT).units(KBYTES).value(2048);
    shop.metric("age", 5, ValueType.U64).semantics(Semantics.INSTANT).units(SECONDS).value(5);
    MmvWriter.Metric busy =
        shop.metric("busy", 6, ValueType.U32).semantics(Semantics.INSTANT).inDom(worker);
    IntStream.range(0, WORKERS).forEach(i -> busy.at(i, i));
    Path file = shop.write(pcp.mmv(), "shop");
    pcp.open(new CountingApplication(shop, file, 2, 1, 2));
  }

  private void writeTexts() {
    texts.metric("state", 1, ValueType.STRING).semantics(Semantics.DISCRETE).text("idle");
    textsFile = texts.write(pcp.mmv(), "texts");
  }

  /** Stores another text. */
  private void store(String text) throws IOException {
    try (FileChannel channel = FileChannel.open(textsFile, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap((text + '\0').getBytes(UTF_8)), texts.stringAt("idle"));
    }
  }

  @AfterAll
  void stop() {
    pcp.close();
  }

  @BeforeEach
  void resize() {
    browser.resize(WIDTH, HEIGHT);
  }

  /** Opens the page with charts, and waits for points of all of them. */
  private void open(String address) {
    browser.open("about:blank"); // so that the page is loaded again
    browser.open(server.http() + address);
    page.awaitText("#status", "Live");
  }

  private String hash() {
    return (String) browser.run("return location.hash");
  }

  private long charts() {
    return (long) browser.run("return document.querySelectorAll('#charts .card').length");
  }

  /** Waits until the first chart has points of some seconds. */
  private void awaitPoints() {
    Await.until("points", () -> page.table().size() >= 5);
  }

  // ---------------------------------------------------------------- view

  @Test
  void theViewOfChartsHasTheSameChartsOnTheWholeWidth() {
    open("#metrics?line=mmv.shop.placed&line=mmv.shop.paid&line=mmv.shop.waiting");
    Await.until("charts", () -> charts() == 3);
    assertEquals("3", browser.text("#chart-count"));
    browser.run("document.querySelector('#charts .card').mark = 'the same'");
    browser.click("nav a[href='#charts']");
    Await.until("three columns", () -> columns() == 3);
    assertEquals("the same", browser.run("return document.querySelector('#charts .card').mark"));
    assertEquals(false, browser.run("return document.querySelector('.list').checkVisibility()"));
    page.choose("#charts select", "2");
    assertEquals(2, columns());
    open(hash());
    Await.until("charts", () -> charts() == 3);
    assertEquals(2, columns(), "after a reload");
    page.choose("#charts select", "");
    browser.resize(390, 844);
    Await.until("one column", () -> columns() == 1);
    browser.click("nav a[href='#metrics']");
    Await.until("the list", () -> !browser.text("#grid").isEmpty());
  }

  private long columns() {
    return (long)
        browser.run(
            """
            const cards = [...document.querySelectorAll('#charts .card')];
            return new Set(cards.map(card => card.getBoundingClientRect().left)).size;
            """);
  }

  @Test
  void noViewAndNoSizeKeepsPeopleOut() {
    open(
        "#charts?line=mmv.shop.placed&with=mmv.shop.heap&line=mmv.shop.paid&as=stacked&line=mmv.texts.state");
    Await.until("charts", () -> charts() == 3);
    awaitPoints();
    browser.run(
        "document.querySelectorAll('#charts details').forEach(one => { one.open = true; })");
    page.awaitText("#charts .details", "mmv_shop_placed_total");
    for (boolean isDark : new boolean[] {false, true}) {
      browser.setDark(isDark);
      for (int[] size : new int[][] {{WIDTH, HEIGHT}, {700, 430}, {390, 844}}) {
        browser.resize(size[0], size[1]);
        for (String view : List.of("charts", "metrics")) {
          browser.click("nav a[href='#" + view + "']");
          browser.photograph("charts-" + view + "-" + size[0] + (isDark ? "-dark" : ""));
          assertEquals(List.of(), browser.obstacles(), view + " " + size[0]);
          assertEquals(
              true, browser.run("return document.documentElement.scrollWidth <= innerWidth"));
        }
      }
    }
    browser.setDark(false);
    browser.press("?");
    page.awaitText("#keys", "Chart that has the focus");
    browser.photograph("keys");
    assertEquals(List.of(), browser.obstacles());
    browser.press(Keys.ESCAPE);
    assertEquals(false, browser.run("return document.getElementById('keys').open"));
    assertEquals(List.of(), browser.console());
  }

  @Test
  void halfOfASmallScreenIsForTheListOrForAChart() {
    open("#metrics?line=mmv.shop.placed&line=mmv.shop.paid");
    Await.until("charts", () -> charts() == 2);
    for (int[] size : new int[][] {{390, 844}, {720, 450}}) {
      browser.resize(size[0], size[1]);
      browser.click("nav a[href='#metrics']");
      assertTrue(2 * height("#grid") >= size[1], "list at " + size[0] + ": " + height("#grid"));
      browser.click("nav a[href='#charts']");
      assertTrue(2 * height("#charts .card") >= size[1], "chart at " + size[0]);
    }
  }

  private double height(String selector) {
    Object height =
        browser.run(
            """
            const box = document.querySelector(arguments[0]).getBoundingClientRect();
            return Math.min(box.bottom, innerHeight) - Math.max(box.top, 0);
            """,
            selector);
    return ((Number) height).doubleValue();
  }

  // ---------------------------------------------------------------- time

  @Test
  void allChartsHaveOneCursor() {
    open("#charts?line=mmv.shop.placed&line=mmv.shop.waiting");
    awaitPoints();
    Await.until(
        "a cursor in the other chart",
        () -> {
          browser.hover("#charts .u-over", 300, 30);
          return !browser.text(".card:last-child .time").isEmpty();
        });
    assertEquals(
        true,
        browser.run(
            """
            const [one, other] = [...document.querySelectorAll('.u-cursor-x')].map(cursor => cursor.style.transform);
            return Math.abs(parseFloat(one.match(/[\\d.]+/)) - parseFloat(other.match(/[\\d.]+/))) < 3;
            """));
    browser.hover("h1", 1, 1);
    Await.until("no cursor", () -> browser.text(".card:last-child .time").isEmpty());
  }

  @Test
  void aDragZoomsAllChartsAndADoubleClickEndsIt() {
    open("#charts?line=mmv.shop.placed&line=mmv.shop.waiting");
    awaitPoints();
    browser.drag("#charts .u-over", 300, 400, 30);
    page.awaitText("#charts .toolbar", " to ");
    long shown = page.seconds(2);
    assertTrue(shown < 30, "seconds shown by the other chart: " + shown);
    browser.doubleClick("#charts .u-over", 300, 30);
    Await.until("the whole window", () -> page.seconds(2) >= 60);
    assertFalse(browser.text("#charts .toolbar").contains(" to "));
    browser.drag("#charts .u-over", 300, 400, 30);
    page.press("Zoom out");
    Await.until("the whole window", () -> page.seconds(2) >= 60);
  }

  @Test
  void whatIsPausedStandsStillAndGoesOn() {
    open("#charts?line=mmv.shop.placed&as=raw");
    awaitPoints();
    page.press("Pause");
    page.awaitText("#charts .toolbar", "Paused at ");
    String shown = page.legend("value");
    int points = page.table().size();
    String passed = "return performance.now() - window.pausedSince > 4000";
    browser.run("window.pausedSince = performance.now()");
    Await.until("time for more values", () -> (boolean) browser.run(passed));
    assertEquals(shown, page.legend("value"));
    assertEquals(points, page.table().size());
    page.press("Resume");
    Await.until("the values since then", () -> page.table().size() >= points + 3);
    assertNotEquals(shown, page.legend("value"));
  }

  @Test
  void theWindowIsInTheAddress() {
    open("#charts?line=mmv.shop.placed");
    awaitPoints();
    browser.run("document.querySelector('input[name=window][value=\"15\"]').click()");
    assertEquals("#charts?line=mmv.shop.placed&window=15", hash());
    open(hash());
    assertEquals(
        "15", browser.run("return document.querySelector('input[name=window]:checked').value"));
  }

  @Test
  void keysWorkAfterAWindowWasChosen() {
    open("#charts?line=mmv.shop.placed&line=mmv.shop.waiting");
    Await.until("charts", () -> charts() == 2);
    browser.click("#charts .close");
    browser.run("document.querySelector('input[name=window][value=\"1\"]').focus()");
    browser.pressWith(Keys.CONTROL, "z");
    assertEquals(2, charts());
    browser.press("?");
    assertEquals(true, browser.run("return document.getElementById('keys').open"));
    browser.press(Keys.ESCAPE);
  }

  // ---------------------------------------------------------------- address

  private static final String LINES =
      "return [...document.querySelectorAll('#charts .card:first-child .legend li')]"
          + ".map(line => line.dataset.key)";

  @Test
  void linesHaveTheOrderOfTheAddress() {
    String address =
        "#charts?line=mmv.shop.busy[worker 7]&with=mmv.shop.waiting"
            + "&with=mmv.shop.busy[worker 2]&with=mmv.shop.busy[worker 5]";
    open(address);
    List<String> keys =
        List.of(
            "mmv.shop.busy[worker 7]",
            "mmv.shop.waiting",
            "mmv.shop.busy[worker 2]",
            "mmv.shop.busy[worker 5]");
    Await.until(
        "lines " + keys, () -> browser.text("#charts"), () -> keys.equals(browser.run(LINES)));
    assertEquals(address.replace("worker ", "worker+"), hash());
    assertEquals(
        "var(--line-1)",
        browser.run("return document.querySelector('.legend .mark').style.stroke"));
  }

  @Test
  void anAddressHasUpToTwelveCharts() {
    String lines =
        IntStream.range(0, 14)
            .mapToObj(i -> "line=mmv.shop.busy[worker " + i + "]")
            .collect(Collectors.joining("&"));
    open("#charts?" + lines);
    page.awaitText("#notice", "The address has 14 charts. The first 12 are shown");
    Await.until("charts", () -> charts() == 12);
    browser.click("#charts .close");
    browser.click("nav a[href='#metrics']");
    page.search("placed");
    page.click("mmv.shop.placed");
    Await.until("another one", () -> charts() == 12);
    browser.run("document.querySelector('#grid').focus()");
    browser.pressWith(Keys.CONTROL, "z");
    page.awaitText("#notice", "There are 12 charts, which is the limit.");
    assertEquals(12, charts());
  }

  // ---------------------------------------------------------------- lines

  @Test
  void aCounterHasItsRateOrItsValue() {
    open("#charts?line=mmv.shop.placed");
    page.awaitText(".legend", " /s");
    page.awaitText(".axes", "/s");
    page.press("Raw");
    page.awaitText(".axes", "count");
    Await.until("a value", () -> page.legend("value").matches("[\\d,]+ count"));
    assertEquals("#charts?line=mmv.shop.placed&as=raw", hash());
    page.press("Log");
    page.press("Stacked");
    assertEquals("#charts?line=mmv.shop.placed&as=raw,log,stacked", hash());
    open(hash());
    page.awaitText(".axes", "count");
    assertEquals(
        "RawLogStacked",
        browser.run(
            "return [...document.querySelectorAll('.tools [aria-pressed=true]')].map(one => one.innerText).join('')"));
    awaitPoints();
    assertTrue(page.paintedColours() > 0);
    assertEquals(List.of(), browser.console());
  }

  @Test
  void shiftAddsToAChartThatHasTwoAxesAtMost() {
    open("#metrics");
    page.click("mmv.shop.waiting");
    page.awaitText("#charts h3", "mmv.shop.waiting");
    page.shiftClick("mmv.shop.heap");
    page.awaitText("#charts h3", "mmv.shop.waiting, mmv.shop.heap");
    assertEquals(1, charts());
    Await.until(
        "both units",
        () -> browser.text(".axes"),
        () -> browser.text(".axes").replaceAll("\\s+", " ").equals("count Mbyte"));
    page.awaitLegend("heap", "2 Mbyte");
    page.awaitLegend("waiting", "7 count");
    page.shiftClick("mmv.shop.age");
    page.awaitText(
        "#notice", "A chart has two axes, here count and byte: sec needs a chart of its own.");
    browser.run("document.querySelector('#grid').focus()");
    browser.pressWith(Keys.SHIFT, Keys.ENTER); // on the row that was selected last
    assertEquals(1, charts());
    assertEquals("#metrics?line=mmv.shop.waiting&with=mmv.shop.heap", hash());
    open(hash());
    page.awaitLegend("heap", "2 Mbyte");
    page.awaitLegend("waiting", "7 count");
  }

  @Test
  void addHereIsShiftForFingers() {
    open("#metrics?line=mmv.shop.waiting&line=mmv.shop.heap");
    Await.until("charts", () -> charts() == 2);
    page.press("Add here");
    page.click("mmv.shop.placed");
    page.awaitText("#charts h3", "mmv.shop.waiting, mmv.shop.placed");
    page.press("Add here");
    page.click("mmv.shop.age");
    Await.until("a chart of its own", () -> charts() == 3);
  }

  @Test
  void aChartHasUpToEightLines() {
    open("#metrics");
    page.search("busy");
    page.click("mmv.shop.busy");
    page.awaitText("#charts .note", "8 of 20 instances");
    assertEquals("#metrics?line=mmv.shop.busy&search=busy", hash());
    page.click("mmv.shop.busy"); // selected again, it stays
    browser.run("document.querySelector('[data-key=\"mmv.shop.busy[worker 3]\"] .remove').click()");
    page.awaitText("#notice", "mmv.shop.busy[worker 3] was removed");
    assertEquals("", page.legend("worker 3"));
    page.press("Undo");
    page.awaitLegend("worker 3", "3");
    assertEquals("#metrics?line=mmv.shop.busy&search=busy", hash());
  }

  @Test
  void eightLinesAreToldApartWithoutTheirColours() {
    open("#charts?line=mmv.shop.busy");
    awaitPoints();
    assertEquals(
        8L,
        browser.run(
            """
            return new Set([...document.querySelectorAll('.mark line')]
              .map(line => line.getAttribute('stroke-dasharray'))).size;
            """));
    browser.setVision("deuteranopia"); // for the picture
    browser.photograph("charts-deuteranopia");
    browser.setVision("none");
  }

  @Test
  void aMetricIsDividedByAnother() {
    open("#metrics?line=mmv.shop.paid");
    awaitPoints();
    page.press("\u00f7 \u2026");
    browser.press("placed", Keys.ENTER);
    page.awaitText(".card:last-child h3", "mmv.shop.paid/mmv.shop.placed");
    assertEquals("#metrics?line=mmv.shop.paid&line=mmv.shop.paid/mmv.shop.placed", hash());
    open("#charts?line=mmv.shop.paid/mmv.shop.placed");
    awaitPoints();
    awaitRatio("card", "0\\.[45]\\d*");
    awaitRatio("cash, coins", "0\\.9\\d*|1|1\\.0\\d*");
    long opened = (long) browser.run("return Math.round(performance.timeOrigin)");
    Await.until(
        "what the server has kept",
        () -> {
          page.table();
          Object first =
              browser.run(
                  "return Date.parse([...document.querySelectorAll('.table time')].at(-1).dateTime)");
          return (long) first < opened;
        });
    browser.run("document.querySelector('.more details').open = true");
    page.awaitText(".details", "rate(mmv.shop.paid) / rate(mmv.shop.placed)");
    page.awaitText(
        ".details",
        "rate(mmv_shop_paid_total{instname=~\"card|cash, coins\"}[5m]) / rate(mmv_shop_placed_total[5m])");
    assertEquals(List.of(), browser.obstacles());
    browser.photograph("ratio");
    open("#charts?line=mmv.shop.paid/mmv.shop.placed[card]&line=mmv.shop.heap/mmv.shop.age");
    awaitRatio("card", "0\\.[45]\\d*");
    page.awaitText(".card:last-child .legend", "409.6 Kbyte / sec");
    assertEquals(List.of(), browser.console());
  }

  private void awaitRatio(String line, String pattern) {
    Await.until(
        line + " is " + pattern,
        () -> browser.text("#charts"),
        () -> page.legend(line).matches(pattern));
  }

  @Test
  void aDivisorIsChosenWithTheKeyboard() {
    open("#charts?line=mmv.shop.heap");
    awaitPoints();
    page.press("\u00f7 \u2026");
    assertEquals(
        List.of(),
        browser.run(
            "return [...document.querySelectorAll('#divisors option')].map(one => one.value)"
                + ".filter(name => /busy|paid|texts/.test(name))"),
        "it has no instances, and is no text");
    assertEquals(List.of(), browser.obstacles());
    browser.press(Keys.ESCAPE);
    assertEquals(0L, browser.run("return document.querySelectorAll('.ratio').length"));
    page.press("\u00f7 \u2026");
    browser.press("shop.wait", Keys.ENTER);
    page.awaitText(".card:last-child h3", "mmv.shop.heap/mmv.shop.waiting");
    page.awaitText(".card:last-child .legend", "292.57 Kbyte");
  }

  @Test
  void aLineIsHiddenAndHasADashOfItsOwn() {
    open("#charts?line=mmv.shop.paid");
    awaitPoints();
    Await.until("two lines", () -> page.paintedColours() == 2);
    assertEquals(
        2L,
        browser.run(
            """
            return new Set([...document.querySelectorAll('.mark line')]
              .map(line => line.getAttribute('stroke-dasharray'))).size;
            """));
    browser.click(".legend .line");
    Await.until("one line", () -> page.paintedColours() == 1);
    assertEquals(
        "false",
        browser.run("return document.querySelector('.legend .line').getAttribute('aria-pressed')"));
    browser.hover("h1", 1, 1);
    browser.press(Keys.ENTER); // it has kept the focus, and so brings out its line
    Await.until("the other line is pale", () -> page.paintedColours() == 1);
    browser.run("document.activeElement.blur()");
    Await.until("two lines", () -> page.paintedColours() == 2);
  }

  @Test
  void aCursorIsMovedWithTheKeyboard() {
    open("#charts?line=mmv.shop.paid&line=mmv.shop.waiting");
    awaitPoints();
    browser.run("document.querySelector('.plot').focus()");
    browser.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_LEFT);
    String text = cursor();
    assertTrue(text.matches("\\d\\d:\\d\\d:\\d\\d: card [\\d.]+ /s, cash, coins [\\d.]+ /s"), text);
    assertEquals(text.substring(0, 8), browser.text(".card:last-child .time"));
    browser.press(Keys.ARROW_RIGHT);
    assertNotEquals(text, cursor());
    browser.press(Keys.ESCAPE);
    assertEquals("now", cursor());
    assertEquals("", browser.text(".card:last-child .time"));
    browser.press(Keys.SPACE);
    page.awaitText("#charts .toolbar", "Paused at ");
    browser.press("+");
    page.awaitText("#charts .toolbar", " to ");
    browser.press(Keys.ESCAPE, Keys.SPACE);
    assertFalse(browser.text("#charts .toolbar").contains("Paused"));
    browser.press(Keys.DELETE);
    Await.until("one chart", () -> charts() == 1);
  }

  @Test
  void theValueUnderTheCursorOfTheKeyboardStays() {
    open("#charts?line=mmv.shop.placed&as=raw");
    awaitPoints();
    browser.run("document.querySelector('.plot').focus()");
    browser.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_LEFT);
    String text = cursor();
    int points = page.table().size();
    Await.until("more values", () -> page.table().size() >= points + 3);
    assertEquals(text, cursor());
    assertEquals(text.replaceAll(".* value ", ""), page.legend("value"));
  }

  private String cursor() {
    return (String)
        browser.run("return document.querySelector('.plot').getAttribute('aria-valuetext')");
  }

  @Test
  void ratesAreReadBackWithFourDigits() {
    open("#files");
    assertEquals(
        List.of(),
        browser.run(
            """
            return import('./page/format.js').then(({formatRate, formatReading, formatTicks, quantityOf}) => {
              const larger = ['Kbyte/s', 'Mbyte/s', 'Gbyte/s'];
              const metrics = [{units: 'count', rate: {factor: 1, units: '/s'}},
                {units: 'byte', rate: {factor: 1, units: 'byte/s', larger}}];
              const read = text => {
                const [, number, prefix, units] = text.match(/^([-\\d.,e]+)([KMGTPEZY]?) (.*)$/);
                return Number(number.replaceAll(',', '')) * 1000 ** ' KMGTPEZY'.indexOf(prefix || ' ')
                  * 1024 ** (larger.indexOf(units) + 1);
              };
              const wrong = [];
              for (let exponent = -12; exponent < 24; exponent++) {
                for (let i = 0; i < 50; i++) {
                  const rate = (1 + 9 * Math.random()) * 10 ** exponent;
                  for (const metric of metrics) {
                    const [shown, inLegend] = [formatRate(metric, rate), formatReading(metric, true, rate, '1')];
                    const {texts, units} = formatTicks(quantityOf(metric, true), [rate]);
                    const atAxis = read(`${texts[0]} ${units}`);
                    if (shown !== inLegend || Math.abs(read(shown) / rate - 1) > 0.0005
                        || Math.abs(atAxis / rate - 1) > 0.0005) {
                      wrong.push(`${rate}: ${shown}, ${inLegend}, ${texts[0]} ${units}`);
                    }
                  }
                }
              }
              return wrong.slice(0, 5);
            });
            """));
  }

  @Test
  void aLegendHasInfinityAsTheListHasIt() {
    open("#files");
    assertEquals(
        "Infinity byte",
        browser.run(
            """
            return import('./page/format.js').then(({formatReading}) =>
              formatReading({type: 'double', units: 'byte'}, false, null, 'Infinity'));
            """));
  }

  @Test
  void aSlowCounterHasTheRateOfSomeSeconds() {
    open("#files");
    assertEquals(
        List.of("null", "0", "0", "0.6", "1.2"),
        browser.run(
            """
            return import('./page/series.js').then(({Series}) => {
              const series = new Series();
              const rates = []; // of a counter that counts 3 every third second
              for (let time = 0; time < 20; time++) {
                series.add({semantics: 'counter'}, [{time, text: String(time - time % 3)}]);
                rates.push(series.rate);
              }
              const later = rates.slice(5);
              return [...rates.slice(0, 3), Math.min(...later), Math.max(...later)].map(String);
            });
            """));
  }

  // ---------------------------------------------------------------- removing

  @Test
  void whatIsSelectedAgainStaysAndWhatIsRemovedCanBePutBack() {
    open("#metrics");
    page.click("mmv.shop.placed");
    page.click("mmv.shop.waiting");
    Await.until("charts", () -> charts() == 2);
    awaitPoints();
    int points = page.table().size();
    page.click("mmv.shop.placed");
    assertEquals(2, charts());
    browser.click("#charts .close");
    assertEquals("mmv.shop.waiting", browser.text("#charts h3"));
    page.awaitText("#notice", "The chart of mmv.shop.placed was removed.");
    assertEquals("#metrics?line=mmv.shop.waiting", hash());
    page.press("Undo");
    assertEquals("mmv.shop.placed", browser.text("#charts h3"));
    assertTrue(page.table().size() >= points, "its points were kept");
    assertEquals("#metrics?line=mmv.shop.placed&line=mmv.shop.waiting", hash());
    page.awaitText(".legend", " /s");
    browser.run("document.querySelector('#grid').focus()");
    browser.press(Keys.DELETE); // of the row that was selected last
    assertEquals("mmv.shop.waiting", browser.text("#charts h3"));
    browser.pressWith(Keys.CONTROL, "z");
    assertEquals("mmv.shop.placed", browser.text("#charts h3"));
  }

  @Test
  void allThatWasRemovedCanBePutBack() {
    String all = "#charts?line=mmv.shop.placed&line=mmv.shop.waiting&line=mmv.shop.paid";
    open(all);
    Await.until("charts", () -> charts() == 3);
    page.awaitText(".card:last-child .legend", "cash");
    browser.run("document.querySelector('.card:last-child .remove').click()");
    assertEquals(all + "[cash,+coins]", hash());
    browser.click("#charts .close");
    browser.click("#charts .close");
    browser.run("document.querySelectorAll('.more details')[2].open = true");
    page.press("Copy link");
    Await.until("another notice", () -> !browser.text("#notice").contains("removed"));
    browser.pressWith(Keys.CONTROL, "z");
    assertEquals("mmv.shop.waiting", browser.text("#charts h3"));
    page.awaitText("#notice", "The chart of mmv.shop.placed was removed.");
    page.press("Undo");
    assertEquals(all + "[cash,+coins]", hash());
    browser.pressWith(Keys.CONTROL, "z");
    assertEquals(all, hash());
    assertEquals(true, browser.run("return document.getElementById('notice').hidden"));
  }

  @Test
  void deleteInTheListRemovesTheLinesOfARow() {
    open("#metrics?line=mmv.shop.placed&with=mmv.shop.paid");
    page.awaitText("#charts h3", "mmv.shop.placed, mmv.shop.paid");
    page.click("mmv.shop.paid"); // is shown where it is
    browser.run("document.querySelector('#grid').focus()");
    browser.press(Keys.DELETE);
    assertEquals("mmv.shop.placed", browser.text("#charts h3"));
    page.awaitText("#notice", "mmv.shop.paid was removed.");
    page.press("Undo");
    assertEquals("mmv.shop.placed, mmv.shop.paid", browser.text("#charts h3"));
    assertEquals("#metrics?line=mmv.shop.placed&with=mmv.shop.paid", hash());
    page.awaitText(".legend", "paid[card]");
  }

  // ---------------------------------------------------------------- restarts and texts

  private void write(String name, long value) {
    MmvWriter file = new MmvWriter(2).cluster(13);
    file.metric("done", 1, ValueType.U64).units(COUNT).value(value);
    file.write(pcp.mmv(), name);
  }

  @Test
  void restartsAreMarked() throws IOException {
    write("job", 1000);
    open("#charts?line=mmv.job.done&as=raw");
    page.awaitLegend("value", "1,000 count");
    write("job", 10); // by rename(2): the metric is never gone
    page.awaitText("#charts .note", "Restarted at ");
    page.awaitLegend("value", "10 count");
    assertTrue(page.table().toString().contains("restarted"));
    browser.photograph("restarted");
    page.setClockAhead();
    Files.delete(pcp.mmv().resolve("job"));
    page.awaitText("#charts .note", "Ended at ");
    assertEquals(
        true,
        browser.run(
            """
            const [time] = document.querySelector('.note').textContent.match(/(?<=Ended at )[\\d:]+/);
            const {ariaValueMin: from, ariaValueMax: to} = document.querySelector('.plot');
            return Array.from({length: to - from + 3}, (_, index) =>
              new Date((from - 1 + index) * 1000).toLocaleTimeString('en-GB')).includes(time);
            """),
        "at a time of the chart");
    write("job", 20); // more than before, but it was gone
    page.awaitLegend("value", "20 count");
    Await.until(
        "both restarts",
        () ->
            page.table().stream().filter(row -> row.toString().contains("restarted")).count() == 2);
  }

  @Test
  void textsAreBands() throws IOException {
    open("#charts?line=mmv.texts.state");
    page.awaitLegend("value", "idle");
    awaitPoints();
    store("working");
    page.awaitLegend("value", "working");
    assertTrue(page.table().toString().matches("(?s).*working.*idle.*"));
    browser.photograph("texts");
    store(FORMULA);
    page.awaitLegend("value", FORMULA);
    awaitSaved("CSV", "\"'=HYPERLINK(\"\"http://example.com\"\")\"");
  }

  // ---------------------------------------------------------------- to take along

  /** Presses a button of the first chart until it saves a text with some part. */
  private String awaitSaved(String button, String part) {
    browser.run(
        """
        window.saved = '';
        URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text; }); return '#saved'; };
        HTMLAnchorElement.prototype.click = () => {};
        document.querySelectorAll('.more details')[2].open = true;
        """);
    Await.until(
        part + " in " + button,
        () -> (String) browser.run("return window.saved"),
        () -> {
          page.press(button);
          return ((String) browser.run("return window.saved")).contains(part);
        });
    return (String) browser.run("return window.saved");
  }

  @Test
  void aChartIsSavedAsCsvJsonAndPicture() {
    open("#charts?line=mmv.shop.paid&with=mmv.shop.waiting");
    awaitPoints();
    String csv = awaitSaved("CSV", "Z,");
    String[] lines = csv.lines().toArray(String[]::new);
    assertEquals(
        "time,mmv.shop.paid[card] (/s),\"mmv.shop.paid[cash, coins] (/s)\",mmv.shop.waiting (count),restarted",
        lines[0]);
    assertTrue(
        lines[lines.length - 1].matches("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z,[\\d.]+,[\\d.]+,7,"),
        lines[lines.length - 1]);
    String json = awaitSaved("JSON", "\"instance\": \"cash, coins\"");
    assertTrue(json.contains("\"rateUnits\": \"/s\""), json);
    assertTrue(json.contains("\"value\": \"7\""), json);
    assertTrue(awaitSaved("PNG", "PNG").contains("IHDR"));
    assertEquals(List.of(), browser.console());
  }

  @Test
  void aPictureHasTheColoursOfItsChart() {
    open("#charts?line=mmv.shop.paid&line=mmv.shop.waiting&with=mmv.shop.paid[card]");
    page.awaitText(".card:last-child .legend", "paid[card]");
    browser.run(
        """
        window.strokes = new Set();
        CanvasRenderingContext2D.prototype.stroke = function () {
          if (!this.canvas.isConnected) window.strokes.add(this.strokeStyle);
        };
        HTMLAnchorElement.prototype.click = () => {};
        [...document.querySelectorAll('.card:last-child .more button')].find(one => one.textContent === 'PNG').click();
        """);
    Await.until(
        "two colours",
        () -> browser.run("return [...window.strokes].join()").toString(),
        () -> (long) browser.run("return window.strokes.size") == 2);
  }

  @Test
  void whatToAskOtherToolsIsCopied() {
    open("#charts?line=mmv.shop.paid[card]");
    awaitPoints();
    browser.run("document.querySelector('.more details').open = true");
    page.awaitText(".details", "mmv_shop_paid_total");
    String details = browser.text(".details");
    assertTrue(details.contains("rate(mmv_shop_paid_total{instname=\"card\"}[5m])"), details);
    assertTrue(details.contains("pmrep -t 1 -i card mmv.shop.paid"), details);
    String curl =
        details.lines().filter(line -> line.startsWith("curl ")).findFirst().orElseThrow();
    String answer = Shell.run(Map.of(), List.of("sh", "-c", curl)).outOfSuccess();
    assertTrue(answer.contains("\"name\":\"mmv.shop.paid\""), answer);
    browser.run(
        """
        Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { window.copied = text; }}});
        document.querySelectorAll('.more details')[2].open = true;
        """);
    page.press("Copy");
    Await.until("the name", () -> "mmv.shop.paid".equals(browser.run("return window.copied")));
    page.press("Copy link");
    page.awaitText("#notice", "The link was copied.");
    assertEquals(
        server.http() + "#charts?line=mmv.shop.paid[card]", browser.run("return window.copied"));
  }
}
