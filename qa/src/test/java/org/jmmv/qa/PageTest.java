package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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

/** The page for people, in Chromium, over files that try to break it, and 20,000 metrics. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageTest {
  private static final String SCRIPT = "<script>window.hacked = 1</script>";
  private static final String IMAGE = "\"><img src=x onerror=\"window.hacked = 1\">";
  private static final int COUNT = new Units(0, 0, 1, 0, 0, 0).word();
  private static final int BYTES = new Units(1, 0, 0, 0, 0, 0).word();
  private static final int WIDTH = 1400;
  private static final int HEIGHT = 860;
  private static final int PHONE = 390;
  private static final int FILES = 20;
  private static final int METRICS = 1000;

  private final TemporaryPcp pcp = new TemporaryPcp();
  private final ScheduledExecutorService application = Executors.newSingleThreadScheduledExecutor();
  private WebProcess server;
  private Browser browser;

  @BeforeAll
  void start() throws IOException {
    Need.CHROMIUM.require();
    writeShop();
    writeHostile();
    Files.writeString(pcp.mmv().resolve("notes.txt"), "a text that is longer than a header of MMV");
    for (int i = 0; i < FILES; i++) {
      MmvWriter many = new MmvWriter(2).cluster(100 + i);
      for (int item = 0; item < METRICS; item++) {
        many.metric("group" + item / 100 + ".metric" + item, item, ValueType.U32).value(item);
      }
      many.write(pcp.mmv(), "many" + i);
    }
    server = new WebProcess(pcp);
    browser = new Browser(pcp.file("profile"), WIDTH, HEIGHT);
  }

  /** An application that counts: 20 orders and 40 KB a second. */
  private void writeShop() {
    MmvWriter shop = new MmvWriter(2).cluster(11);
    MmvWriter.InDom payment =
        shop.inDom(1).instance(0, "card").instance(1, "invoice").instance(2, "voucher");
    shop.metric("orders.placed", 1, ValueType.U64)
        .units(COUNT)
        .help("Orders that customers have placed", "Counted when they are confirmed.")
        .value(0);
    shop.metric("orders.paid", 2, ValueType.U64)
        .units(COUNT)
        .inDom(payment)
        .help("Orders by way of payment", null)
        .at(0, 0)
        .at(1, 0)
        .at(2, 0);
    shop.metric("traffic.sent", 3, ValueType.U64)
        .units(BYTES)
        .help("Bytes sent to browsers", null)
        .value(0);
    shop.metric("version", 4, ValueType.STRING)
        .semantics(Semantics.DISCRETE)
        .help("What is deployed", null)
        .text("4.11.2");
    Path file = shop.write(pcp.mmv(), "shop");
    int[] steps = {2, 1, 2, 3, 4000};
    long[] values = new long[steps.length];
    application.scheduleAtFixedRate(
        () -> {
          for (int i = 0; i < steps.length; i++) {
            values[i] += steps[i];
            MmvWriter.storeLong(file, shop.valueAt(i), values[i]);
          }
        },
        0,
        100,
        TimeUnit.MILLISECONDS);
  }

  private void writeHostile() {
    MmvWriter hostile = new MmvWriter(2).cluster(12);
    MmvWriter.InDom inDom =
        hostile
            .inDom(1)
            .instance(0, IMAGE)
            .instance(1, "\u00d7\u00a9 \u00e2\u0080\u00aeoverride")
            .instance(2, "invalid \u00ff\u00fe")
            .instance(3, SCRIPT);
    hostile.metric("help", 1, ValueType.U32).help(SCRIPT, IMAGE).value(5);
    hostile.metric("instances", 2, ValueType.U32).inDom(inDom).at(0, 1).at(1, 2).at(2, 3).at(3, 4);
    hostile.metric(SCRIPT, 3, ValueType.U32).value(5);
    hostile.metric("text", 4, ValueType.STRING).semantics(Semantics.DISCRETE).text(IMAGE);
    hostile.write(pcp.mmv(), "hostile");
    new MmvWriter(1).write(pcp.mmv(), "<b>file");
  }

  @AfterAll
  void stop() {
    application.shutdownNow();
    if (browser != null) {
      browser.close();
    }
    if (server != null) {
      server.close();
    }
    pcp.close();
  }

  @BeforeEach
  void open() {
    browser.resize(WIDTH, HEIGHT);
    browser.setDark(false);
    browser.open("about:blank"); // so that the page is loaded again
    browser.open(server.address());
    awaitText("#found", "20,0");
    awaitText("#status", "Live");
    cell("mmv", "name");
  }

  private void awaitText(String selector, String part) {
    Await.until(
        part + " in " + selector,
        () -> browser.text("body") + browser.console(),
        () -> browser.text(selector).contains(part));
  }

  /** Waits for a row, and returns the text of one of its cells. */
  private String cell(String name, String cell) {
    String script =
        """
        for (const row of document.querySelectorAll('.rows .row')) {
          const [name] = row.children;
          if (name.title === arguments[0] || name.innerText === arguments[0]) {
            return row.querySelector('.' + arguments[1]).innerText;
          }
        }
        return null;
        """;
    Await.until(
        "a row " + name,
        () -> browser.text("#grid"),
        () -> browser.run(script, name, cell) != null);
    return (String) browser.run(script, name, cell);
  }

  /** Waits for the text of a cell. */
  private void awaitCell(String name, String cell, String text) {
    Await.until(
        text + " at " + name, () -> browser.text("#grid"), () -> cell(name, cell).equals(text));
  }

  private void click(String name) {
    cell(name, "name");
    browser.run(
        """
        for (const row of document.querySelectorAll('.rows .row')) {
          if (row.firstChild.title === arguments[0]) row.querySelector('.label').click();
        }
        """,
        name);
  }

  private void search(String text) {
    browser.type("#search", text);
  }

  /** Asserts what holds whatever was shown, and takes a picture. */
  private void assertSound(String picture) {
    browser.photograph(picture);
    assertNull(browser.run("return window.hacked"));
    assertEquals(
        0L,
        browser.run("return document.querySelectorAll('main script, main img, main b').length"));
    assertEquals(List.of(), browser.console());
    assertEquals(List.of(), browser.obstacles());
    assertEquals(
        Set.of(server.address().replaceAll("^http://|/$", "")), browser.hosts(), "hosts asked");
  }

  // ---------------------------------------------------------------- metrics

  @Test
  void valuesAndRatesAreLive() {
    search("shop");
    String first = cell("mmv.shop.orders.placed", "value");
    Await.until("another value", () -> !cell("mmv.shop.orders.placed", "value").equals(first));
    Await.until(
        "a rate of about 20",
        () -> cell("mmv.shop.orders.placed", "rate"),
        () -> cell("mmv.shop.orders.placed", "rate").matches("[12]\\d\\.\\d /s"));
    Await.until("a scaled rate", () -> cell("mmv.shop.traffic.sent", "rate").endsWith(" Kbyte/s"));
    awaitCell("mmv.shop.version", "value", "4.11.2");
    assertEquals("count", cell("mmv.shop.orders.placed", "units"));
    assertEquals("Orders that customers have placed", cell("mmv.shop.orders.placed", "help"));
    assertSound("metrics");
  }

  @Test
  void aSearchFindsNamesAndHelpAmong20000Metrics() {
    assertTrue((long) browser.run("return document.querySelectorAll('.rows .row').length") < 100);
    search("many7 metric999");
    awaitText("#found", "1 of 20,");
    awaitCell("mmv.many7.group9.metric999", "value", "999");
    search("CUSTOMERS");
    cell("mmv.shop.orders.placed", "value");
    search("nothing has this");
    awaitText("#found", "0 of 20,");
    assertSound("search");
  }

  @Test
  void onlyWhatIsOnScreenIsDrawnAndSubscribedTo() {
    browser.click("#unfold");
    browser.run("document.querySelector('#grid').scrollTop = 300000");
    Await.until(
        "values far below",
        () -> browser.text("#grid"),
        () -> browser.text(".rows .row:nth-child(12) .value").matches("\\d+"));
    assertTrue((long) browser.run("return document.querySelectorAll('.rows .row').length") < 100);
    assertSound("many");
  }

  @Test
  void aChartHasALineForEachInstance() {
    search("shop");
    click("mmv.shop.orders.paid");
    click("mmv.shop.traffic.sent");
    Await.until(
        "a legend with rates",
        () -> browser.text("#charts"),
        () ->
            browser.text("#charts").matches("(?s).*card\\s+\\d+\\.\\d /s.*voucher\\s+\\d.* /s.*"));
    Await.until("colours on the canvas", () -> paintedColours() >= 3);
    browser.click("#charts summary");
    awaitText("#charts .details", "70.11.2");
    assertSound("charts");
    browser.setDark(true);
    Await.until("colours on the canvas", () -> paintedColours() >= 3);
    assertSound("charts-dark");
    browser.click("#charts .close");
    assertEquals("mmv.shop.traffic.sent", browser.text("#charts h3"));
  }

  /** Returns the number of strong colours of the first chart. */
  private long paintedColours() {
    return (long)
        browser.run(
            """
            const canvas = document.querySelector('#charts canvas');
            if (!canvas) return 0;
            const {width, height} = canvas;
            const copy = new OffscreenCanvas(width, height).getContext('2d', {willReadFrequently: true});
            copy.drawImage(canvas, 0, 0);
            const {data} = copy.getImageData(0, 0, width, height);
            const hues = new Set();
            for (let i = 0; i < data.length; i += 4) {
              const [r, g, b, alpha] = data.slice(i, i + 4);
              const high = Math.max(r, g, b);
              const low = Math.min(r, g, b);
              if (alpha === 255 && high - low > 100) {
                hues.add(high === r ? (g > b ? 'orange' : 'red') : high === g ? 'green' : 'blue');
              }
            }
            return hues.size;
            """);
  }

  @Test
  void hostileNamesAndTextsAreOnlyShown() {
    search("hostile");
    assertEquals(SCRIPT, cell("mmv.hostile.help", "help"));
    awaitCell("mmv.hostile.text", "value", IMAGE);
    click("mmv.hostile.instances");
    click("mmv.hostile.help");
    awaitText("#charts", SCRIPT);
    browser.click("#charts .card:last-child summary");
    awaitText("#charts .card:last-child .details", IMAGE);
    assertSound("hostile");
    assertTrue(browser.text("#charts").contains("invalid \ufffd\ufffd"));
  }

  // ---------------------------------------------------------------- files

  @Test
  void filesHaveTheirReasons() {
    browser.click("nav a[href='#files']");
    awaitText("#files", "notes.txt");
    awaitText("#files", "not an MMV file: it does not begin with \"MMV\"");
    awaitText("#files", "remove it from the directory");
    awaitText("#files", "METRICS entry 2 at offset");
    awaitText("#files", "the name \"" + SCRIPT);
    awaitText("#files", "3 of 4 metrics");
    assertTrue(browser.text("#files").contains("many19"));
    browser.run("document.querySelector('input[name=health]:not(:checked)').click()");
    Await.until("only unhealthy files", () -> !browser.text("#files").contains("many19"));
    assertTrue(browser.text("#files").contains("notes.txt"));
    assertSound("files");
  }

  @Test
  void prometheusIsToldWhatToScrape() {
    browser.click("nav a[href='#prometheus']");
    awaitText("#prometheus pre", server.address().replaceAll("^http://|/$", ""));
    assertSound("prometheus");
  }

  @Test
  void aNewcomerIsToldWhatToDo() throws IOException {
    try (TemporaryPcp empty = new TemporaryPcp();
        WebProcess other = new WebProcess(empty)) {
      browser.hosts();
      browser.open(other.address());
      awaitText("#landing", empty.mmv().toString());
      awaitText("#landing", "scrape_configs:");
      browser.photograph("landing");
      assertEquals(List.of(), browser.obstacles());
      assertEquals(List.of(), browser.console());
      MmvWriter first = new MmvWriter(1).cluster(5);
      first.metric("first", 1, ValueType.U32).value(7);
      first.write(empty.mmv(), "app");
      awaitCell("mmv.app.first", "value", "7");
      browser.open("about:blank");
      browser.hosts();
    }
  }

  // ---------------------------------------------------------------- people

  @Test
  void everythingIsReachedWithTheKeyboard() {
    browser.press("/");
    browser.press("shop");
    awaitText("#found", "4 of");
    browser.press(Keys.ENTER);
    assertEquals("grid", browser.run("return document.activeElement.id"));
    browser.press(Keys.HOME, Keys.ARROW_LEFT);
    Await.until("one row", () -> rows() == 1);
    browser.press(Keys.ARROW_RIGHT);
    Await.until("more rows", () -> rows() > 1);
    browser.press(Keys.END, Keys.ENTER);
    awaitText("#charts h3", "mmv.shop.version");
    browser.press(Keys.ENTER, Keys.ARROW_UP, Keys.ENTER);
    awaitText("#charts h3", "mmv.shop.traffic.sent");
    tabTo(".close");
    browser.press(Keys.ENTER);
    awaitText("#charts", "Nothing is charted");
    browser.run("document.activeElement.blur()");
    tabTo("nav a[href='#files']");
    browser.press(Keys.ENTER);
    awaitText("#files", "notes.txt");
    tabTo("input[name=health]");
    browser.press(Keys.ARROW_RIGHT);
    Await.until("only unhealthy files", () -> !browser.text("#files").contains("many19"));
    assertSound("keyboard");
  }

  private long rows() {
    return (long) browser.run("return document.querySelectorAll('.rows .row').length");
  }

  private void tabTo(String selector) {
    Await.until(
        "focus on " + selector,
        () -> {
          browser.press(Keys.TAB);
          return (boolean)
              browser.run("return document.activeElement.matches(arguments[0])", selector);
        });
  }

  @Test
  void aPhoneScrollsNothingSideways() {
    browser.resize(PHONE, 844);
    search("shop");
    click("mmv.shop.orders.paid");
    awaitText("#charts", "voucher");
    awaitText("#charts", " /s");
    assertFits();
    assertSound("phone");
    browser.click("nav a[href='#files']");
    awaitText("#files", "notes.txt");
    assertFits();
    assertSound("phone-files");
    browser.click("nav a[href='#prometheus']");
    awaitText("#prometheus", "scrape_configs");
    assertFits();
  }

  private void assertFits() {
    assertEquals(
        List.of(),
        browser.run(
            """
            return [...document.querySelectorAll('html, body, main, main > section, #grid, #charts')]
              .filter(element => element.scrollWidth > element.clientWidth)
              .map(element => element.id || element.tagName);
            """));
  }

  @Test
  void coloursAreThoseOfTheSystemOrTheChosenOnes() {
    String light = background();
    browser.setDark(true);
    String dark = background();
    assertNotEquals(light, dark);
    choose("light");
    assertEquals(light, background());
    browser.open(server.address());
    assertEquals(light, background(), "after the page was loaded again");
    browser.setDark(false);
    choose("dark");
    assertEquals(dark, background());
    assertSound("dark");
    choose("");
    assertEquals(light, background());
  }

  private void choose(String theme) {
    browser.run(
        """
        const select = document.querySelector('#theme');
        select.value = arguments[0];
        select.dispatchEvent(new Event('change'));
        """,
        theme);
  }

  private String background() {
    return (String) browser.run("return getComputedStyle(document.body).backgroundColor");
  }
}
