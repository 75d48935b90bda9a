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
  private static final double EXACT = 0.12400950342270572;

  private final TemporaryPcp pcp = new TemporaryPcp();
  private CollectorProcess server;
  private Browser browser;
  private MetricsPage page;

  @BeforeAll
  void start() throws IOException {
    Need.CHROMIUM.require();
    writeShop();
    writeHostile();
    writeNumbers();
    Files.writeString(pcp.mmv().resolve("notes.txt"), "a text that is longer than a header of MMV");
    for (int i = 0; i < FILES; i++) {
      MmvWriter many = new MmvWriter(2).cluster(100 + i);
      for (int item = 0; item < METRICS; item++) {
        many.metric("group" + item / 100 + ".metric" + item, item, ValueType.U32).value(item);
      }
      many.write(pcp.mmv(), "many" + i);
    }
    server = pcp.open(CollectorProcess.withHttp(pcp, 0));
    browser = pcp.open(new Browser(pcp.file("profile"), WIDTH, HEIGHT));
    page = new MetricsPage(browser);
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
    pcp.open(new CountingApplication(shop, file, 2, 1, 2, 3, 4000));
  }

  private void writeNumbers() {
    MmvWriter numbers = new MmvWriter(2).cluster(13);
    numbers.metric("ratio", 1, ValueType.DOUBLE).semantics(Semantics.INSTANT).value(0.9996);
    numbers.metric("exact", 2, ValueType.DOUBLE).semantics(Semantics.INSTANT).value(EXACT);
    numbers.metric("large", 3, ValueType.U64).semantics(Semantics.INSTANT).value(-1);
    numbers.metric("least", 4, ValueType.I64).semantics(Semantics.INSTANT).value(Long.MIN_VALUE);
    numbers.write(pcp.mmv(), "numbers");
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
    pcp.close();
  }

  @BeforeEach
  void open() {
    browser.resize(WIDTH, HEIGHT);
    browser.setDark(false);
    browser.open("about:blank"); // so that the page is loaded again
    browser.open(server.http() + "#metrics");
    page.awaitText("#found", "20,0");
    page.awaitText("#status", "Live");
    page.cell("mmv", "name");
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
        Set.of(server.http().toString().replaceAll("^http://|/$", "")),
        browser.hosts(),
        "hosts asked");
  }

  // ---------------------------------------------------------------- metrics

  @Test
  void valuesAndRatesAreLive() {
    page.search("shop");
    String first = page.cell("mmv.shop.orders.placed", "value");
    Await.until("another value", () -> !page.cell("mmv.shop.orders.placed", "value").equals(first));
    Await.until(
        "a rate of about 20",
        () -> page.cell("mmv.shop.orders.placed", "rate"),
        () -> page.cell("mmv.shop.orders.placed", "rate").matches("[12]\\d\\.\\d\\d /s"));
    Await.until(
        "a scaled rate", () -> page.cell("mmv.shop.traffic.sent", "rate").endsWith(" Kbyte/s"));
    page.awaitCell("mmv.shop.version", "value", "4.11.2");
    assertEquals("count", page.cell("mmv.shop.orders.placed", "units"));
    assertEquals("Orders that customers have placed", page.cell("mmv.shop.orders.placed", "help"));
    assertSound("metrics");
  }

  @Test
  void aSearchFindsNamesAndHelpAmong20000Metrics() {
    assertTrue((long) browser.run("return document.querySelectorAll('.rows .row').length") < 100);
    page.search("many7 metric999");
    page.awaitText("#found", "1 of 20,");
    page.awaitCell("mmv.many7.group9.metric999", "value", "999");
    page.search("CUSTOMERS");
    page.cell("mmv.shop.orders.placed", "value");
    page.search("nothing has this");
    page.awaitText("#found", "0 of 20,");
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
    page.search("shop");
    page.click("mmv.shop.orders.paid");
    page.click("mmv.shop.traffic.sent");
    Await.until(
        "a legend with rates",
        () -> browser.text("#charts"),
        () ->
            browser.text("#charts").matches("(?s).*card\\s+\\d+\\.\\d+ /s.*voucher\\s+\\d.* /s.*"));
    Await.until("colours on the canvas", () -> page.paintedColours() >= 3);
    browser.click("#charts summary");
    page.awaitText("#charts .details", "70.11.2");
    assertSound("charts");
    browser.setDark(true);
    Await.until("colours on the canvas", () -> page.paintedColours() >= 3);
    assertSound("charts-dark");
    browser.click("#charts .close");
    assertEquals("mmv.shop.traffic.sent", browser.text("#charts h3"));
  }

  @Test
  void theAddressHasSearchAndCharts() {
    page.search("shop orders");
    page.click("mmv.shop.orders.paid");
    page.click("mmv.shop.orders.placed");
    page.awaitText("#charts .card:last-child", "mmv.shop.orders.placed");
    browser.click("nav a[href='#overview']");
    page.awaitText("#overview", "notes.txt");
    String address = (String) browser.run("return location.href");
    browser.open("about:blank");
    browser.open(address);
    page.awaitText("#overview", "notes.txt");
    browser.click("nav a[href='#metrics']");
    assertEquals("shop orders", browser.run("return document.getElementById('search').value"));
    page.awaitText("#charts .card:last-child", "mmv.shop.orders.placed");
    page.awaitText("#charts .card:first-child .legend", "voucher");
    page.awaitText("#found", "2 of");

    // as if it had been sent to somebody whose page is open
    String other = address.substring(0, address.indexOf('#')) + "#metrics?line=mmv.x&search=exact";
    browser.run("location.href = arguments[0]", other);
    page.awaitText("#found", "1 of");
    page.awaitText("#charts", "Nothing is charted.");
    assertEquals(other, browser.run("return location.href"), "no metric has this name yet");
  }

  @Test
  void numbersHaveFiveSignificantDigitsAndAreNeverCut() {
    page.search("numbers");
    page.awaitCell("mmv.numbers.ratio", "value", "0.9996");
    page.awaitCell("mmv.numbers.exact", "value", "0.12401");
    assertEquals(Double.toString(EXACT), page.title("mmv.numbers.exact", "value"));
    page.awaitCell("mmv.numbers.large", "value", "18,446,744,073,709,551,615");
    page.awaitCell("mmv.numbers.least", "value", "-9,223,372,036,854,775,808");
    assertEquals("18446744073709551615", page.title("mmv.numbers.large", "value"));
    for (int width : new int[] {WIDTH, 1000, 800, PHONE}) {
      browser.resize(width, HEIGHT);
      browser.photograph("numbers-" + width);
      assertEquals(List.of(), cutNumbers(), "at " + width);
    }
    browser.resize(WIDTH, HEIGHT);
    page.click("mmv.numbers.exact");
    page.awaitLegend("value", "0.12401");
    page.awaitLegendAt(200, 50, "value", "0.12401");
    assertEquals(
        Double.toString(EXACT),
        browser.run("return document.querySelector('#charts .number').title"));
    browser.click("#charts .close");
    page.click("mmv.numbers.large");
    page.awaitLegend("value", "18,446,744,073,709,551,615");
    assertSound("numbers");
  }

  /** Returns the numbers of which not all digits are on screen. */
  private Object cutNumbers() {
    return browser.run(
        """
        return [...document.querySelectorAll('.rows .value')]
          .filter(value => value.scrollWidth > value.clientWidth
            || value.getBoundingClientRect().left < 0
            || value.getBoundingClientRect().right > innerWidth)
          .map(value => value.innerText);
        """);
  }

  @Test
  void hostileNamesAndTextsAreOnlyShown() {
    page.search("hostile");
    assertEquals(SCRIPT, page.cell("mmv.hostile.help", "help"));
    page.awaitCell("mmv.hostile.text", "value", IMAGE);
    page.click("mmv.hostile.instances");
    page.click("mmv.hostile.help");
    page.awaitText("#charts", SCRIPT);
    browser.click("#charts .card:last-child summary");
    page.awaitText("#charts .card:last-child .details", IMAGE);
    assertSound("hostile");
    assertTrue(browser.text("#charts").contains("invalid\\x20\\xff\\xfe"));
  }

  // ---------------------------------------------------------------- files

  @Test
  void filesHaveTheirReasons() {
    browser.click("nav a[href='#overview']");
    page.awaitText("#overview", "notes.txt");
    page.awaitText("#overview", "not an MMV file: it does not begin with \"MMV\"");
    page.awaitText("#overview", "remove it from the directory");
    page.awaitText("#overview", "METRICS entry 2 at offset");
    page.awaitText("#overview", "the name \"" + SCRIPT);
    page.awaitText("#overview", "3 of 4 metrics");
    assertTrue(browser.text("#overview").contains("many19"));
    browser.run("document.querySelector('input[name=health]:not(:checked)').click()");
    Await.until("only unhealthy files", () -> !browser.text("#overview").contains("many19"));
    assertTrue(browser.text("#overview").contains("notes.txt"));
    assertSound("files");
  }

  @Test
  void prometheusIsToldWhatToScrape() {
    browser.click("nav a[href='#prometheus']");
    page.awaitText("#prometheus pre", server.http().toString().replaceAll("^http://|/$", ""));
    assertSound("prometheus");
  }

  @Test
  void aNewcomerIsToldWhatToDo() throws IOException {
    try (TemporaryPcp empty = new TemporaryPcp();
        CollectorProcess other = CollectorProcess.withHttp(empty, 0)) {
      browser.hosts();
      browser.open(other.http().toString());
      page.awaitText("#landing", empty.mmv().toString());
      page.awaitText("#landing", "scrape_configs:");
      browser.photograph("landing");
      assertEquals(List.of(), browser.obstacles());
      assertEquals(List.of(), browser.console());
      MmvWriter first = new MmvWriter(1).cluster(5);
      first.metric("first", 1, ValueType.U32).value(7);
      first.write(empty.mmv(), "app");
      page.awaitText("#overview", "1 metric");
      Await.until(
          "no texts for newcomers",
          () -> (boolean) browser.run("return document.getElementById('landing').hidden"));
      browser.open("about:blank");
      browser.hosts();
    }
  }

  // ---------------------------------------------------------------- people

  @Test
  void everythingIsReachedWithTheKeyboard() {
    browser.press("/");
    browser.press("shop");
    page.awaitText("#found", "4 of");
    browser.press(Keys.ENTER);
    assertEquals("grid", browser.run("return document.activeElement.id"));
    browser.press(Keys.HOME, Keys.ARROW_LEFT);
    Await.until("one row", () -> rows() == 1);
    browser.press(Keys.ARROW_RIGHT);
    Await.until("more rows", () -> rows() > 1);
    browser.press(Keys.END, Keys.ENTER);
    page.awaitText("#charts h3", "mmv.shop.version");
    browser.press(Keys.DELETE, Keys.ARROW_UP, Keys.ENTER);
    page.awaitText("#charts h3", "mmv.shop.traffic.sent");
    tabTo(".close");
    browser.press(Keys.ENTER);
    page.awaitText("#charts", "Nothing is charted");
    browser.run("document.activeElement.blur()");
    tabTo("nav a[href='#overview']");
    browser.press(Keys.ENTER);
    page.awaitText("#overview", "notes.txt");
    tabTo("input[name=health]");
    browser.press(Keys.ARROW_RIGHT);
    Await.until("only unhealthy files", () -> !browser.text("#overview").contains("many19"));
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
    page.search("shop");
    page.click("mmv.shop.orders.paid");
    page.awaitText("#charts", "voucher");
    page.awaitText("#charts", " /s");
    assertFits();
    assertSound("phone");
    browser.click("nav a[href='#overview']");
    page.awaitText("#overview", "notes.txt");
    assertFits();
    assertSound("phone-files");
    browser.click("nav a[href='#prometheus']");
    page.awaitText("#prometheus", "scrape_configs");
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
    page.choose("#theme", "light");
    assertEquals(light, background());
    browser.open(server.http() + "#metrics");
    assertEquals(light, background(), "after the page was loaded again");
    browser.setDark(false);
    page.choose("#theme", "dark");
    assertEquals(dark, background());
    assertSound("dark");
    page.choose("#theme", "");
    assertEquals(light, background());
  }

  private String background() {
    return (String) browser.run("return getComputedStyle(document.body).backgroundColor");
  }
}
