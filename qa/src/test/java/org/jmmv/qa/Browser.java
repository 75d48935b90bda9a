package org.jmmv.qa;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/** Chromium without a window, with a profile of its own. */
final class Browser implements AutoCloseable {
  private static final Path SCREENSHOTS = Path.of("target/screenshots");
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

  private static final Set<String> SCHEMES = Set.of("http", "https", "ws", "wss", "ftp");

  private final ChromeDriver driver;

  /**
   * Starts a browser.
   *
   * @param profile a directory that does not exist
   * @param width of the page, in pixels of CSS
   */
  Browser(Path profile, int width, int height) {
    this(profile, width, height, true);
  }

  /** Starts a browser that keeps no log of a page, which would take memory of the page. */
  static Browser withoutLogs(Path profile, int width, int height) {
    return new Browser(profile, width, height, false);
  }

  private Browser(Path profile, int width, int height, boolean hasLogs) {
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toFile());
    options.setAcceptInsecureCerts(true); // that of a test signs itself
    String logged = hasLogs ? "ALL" : "OFF";
    options.setCapability(
        "goog:loggingPrefs", Map.of(LogType.BROWSER, logged, LogType.PERFORMANCE, logged));
    options.addArguments(
        "--headless=new",
        "--no-sandbox", // which root can't have
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        "--user-data-dir=" + profile);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(DRIVER.toFile())
            .usingAnyFreePort()
            .withLogFile(new File(profile + ".log"))
            .build();
    driver = new ChromeDriver(service, options);
    resize(width, height);
    setDark(false);
  }

  /** Sets the size of the page. */
  void resize(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Sets whether the system prefers dark colours. */
  void setDark(boolean isDark) {
    Map<String, String> colours =
        Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light");
    driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of(colours)));
  }

  /** Shows colours as people see them with a colour vision deficiency, for example deuteranopia. */
  void setVision(String deficiency) {
    driver.executeCdpCommand("Emulation.setEmulatedVisionDeficiency", Map.of("type", deficiency));
  }

  /** Runs a script at the beginning of each page that is opened from now on. */
  void beforeEachPage(String script) {
    driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
  }

  /** Returns what the scripts of the page keep, in bytes. */
  long scriptBytes() {
    driver.executeCdpCommand("HeapProfiler.collectGarbage", Map.of());
    Map<String, Object> usage = driver.executeCdpCommand("Runtime.getHeapUsage", Map.of());
    return ((Number) usage.get("usedSize")).longValue();
  }

  /** Opens an address in another window, which then is the one in question. Returns its handle. */
  String openWindow(String address) {
    driver.switchTo().newWindow(WindowType.WINDOW);
    open(address);
    return driver.getWindowHandle();
  }

  /** Turns to a window. */
  void turnTo(String window) {
    driver.switchTo().window(window);
  }

  void open(String address) {
    driver.get(address);
  }

  /** Runs a script, and returns what it returns. */
  Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** Returns the text of the first element of a CSS selector; empty if there is none. */
  String text(String selector) {
    Object text = run("return document.querySelector(arguments[0])?.innerText ?? ''", selector);
    return (String) text;
  }

  void click(String selector) {
    driver.findElement(By.cssSelector(selector)).click();
  }

  /**
   * Moves the pointer to a place in an element, in pixels from its left edge and from its top. The
   * page may replace the element at any time, so no {@link WebElement} of it is kept.
   */
  void hover(String selector, int x, int y) {
    Object corner =
        run(
            """
            const element = document.querySelector(arguments[0]);
            element.scrollIntoView({block: 'nearest', inline: 'nearest'});
            const box = element.getBoundingClientRect();
            return [Math.round(box.x), Math.round(box.y)];
            """,
            selector);
    List<?> edges = (List<?>) corner;
    int left = ((Number) edges.get(0)).intValue();
    int top = ((Number) edges.get(1)).intValue();
    new Actions(driver).moveToLocation(left + x, top + y).perform();
  }

  /** Drags from one place in an element to another one at the same height. */
  void drag(String selector, int from, int to, int y) {
    hover(selector, from, y);
    new Actions(driver).clickAndHold().moveByOffset(to - from, 0).release().perform();
  }

  /** Clicks twice at a place in an element. */
  void doubleClick(String selector, int x, int y) {
    hover(selector, x, y);
    new Actions(driver).doubleClick().perform();
  }

  /** Types into an element. */
  void type(String selector, String text) {
    WebElement element = driver.findElement(By.cssSelector(selector));
    element.clear();
    element.sendKeys(text);
  }

  /** Presses keys, without choosing an element before. */
  void press(CharSequence... keys) {
    new Actions(driver).sendKeys(keys).perform();
  }

  /** Presses a key while another one is held down. */
  void pressWith(Keys held, CharSequence key) {
    new Actions(driver).keyDown(held).sendKeys(key).keyUp(held).perform();
  }

  /** Writes what is shown to {@code qa/target/screenshots}. */
  void photograph(String name) {
    try {
      Files.createDirectories(SCREENSHOTS);
      Files.write(SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what axe-core finds that keeps people from using the page. */
  List<String> obstacles() {
    return new AxeBuilder()
        .analyze(driver).getViolations().stream()
            .filter(rule -> Set.of("serious", "critical").contains(rule.getImpact()))
            .map(Browser::describe)
            .toList();
  }

  private static String describe(Rule rule) {
    return rule.getId() + ": " + rule.getHelp() + " " + rule.getNodes().getFirst().getHtml();
  }

  /** Returns the messages of the console since the last call, but no debug messages. */
  List<String> console() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> !entry.getLevel().getName().equals("DEBUG"))
        .map(LogEntry::toString)
        .toList();
  }

  /** Returns the hosts and ports that were asked since the last call. */
  Set<String> hosts() {
    Set<String> hosts = new TreeSet<>();
    for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
      JsonNode message = message(entry);
      if (message.path("method").asText().equals("Network.requestWillBeSent")) {
        URI address = URI.create(message.at("/params/request/url").asText());
        if (SCHEMES.contains(address.getScheme())) { // not those of the browser's own pages
          hosts.add(address.getAuthority());
        }
      }
    }
    return hosts;
  }

  private static JsonNode message(LogEntry entry) {
    try {
      return new JsonMapper().readTree(entry.getMessage()).get("message");
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  public void close() {
    driver.quit();
  }
}
