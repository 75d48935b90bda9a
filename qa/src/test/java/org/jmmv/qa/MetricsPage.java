package org.jmmv.qa;

import java.util.List;

/** What a person reads and does in the view of metrics. */
final class MetricsPage {
  private static final long VISIBLE_NANOS = 3_000_000_000L; // 15 pixels
  private static final int GAP = 10; // pixels, of a chart that has some five for each second

  /** Begins a script: the pixels of the first chart, and which of them have a strong colour. */
  private static final String PIXELS =
      """
      const canvas = document.querySelector('#charts canvas');
      if (!canvas) return -1;
      const {width, height} = canvas;
      const copy = new OffscreenCanvas(width, height).getContext('2d', {willReadFrequently: true});
      copy.drawImage(canvas, 0, 0);
      const {data} = copy.getImageData(0, 0, width, height);
      const isStrong = i => data[i + 3] === 255
        && Math.max(...data.slice(i, i + 3)) - Math.min(...data.slice(i, i + 3)) > 100;
      """;

  private final Browser browser;

  /** Creates an object for the page that a browser shows. */
  MetricsPage(Browser browser) {
    this.browser = browser;
  }

  /** Waits for a text in the first element of a CSS selector. */
  void awaitText(String selector, String part) {
    Await.until(
        part + " in " + selector,
        () -> browser.text("body") + browser.console(),
        () -> browser.text(selector).contains(part));
  }

  /** Waits for a row, and returns the text of one of its cells. */
  String cell(String name, String cell) {
    return find(name, "querySelector('." + cell + "').innerText");
  }

  /** Waits for a row, and returns what one of its cells shows to a pointer. */
  String title(String name, String cell) {
    return find(name, "querySelector('." + cell + "').title");
  }

  private String find(String name, String property) {
    String script =
        """
        for (const row of document.querySelectorAll('.rows .row')) {
          const [name] = row.children;
          if (name.title === arguments[0] || name.innerText === arguments[0]) {
            return row.%s;
          }
        }
        return null;
        """
            .formatted(property);
    Await.until(
        "a row " + name, () -> browser.text("#grid"), () -> browser.run(script, name) != null);
    return (String) browser.run(script, name);
  }

  /** Waits for the text of a cell. */
  void awaitCell(String name, String cell, String text) {
    Await.until(
        text + " at " + name, () -> browser.text("#grid"), () -> cell(name, cell).equals(text));
  }

  /** Waits for the row of a metric, and clicks on its name: it is charted. */
  void click(String name) {
    click(name, false);
  }

  /** Does the same with the key Shift. */
  void shiftClick(String name) {
    click(name, true);
  }

  private void click(String name, boolean hasShift) {
    cell(name, "name");
    browser.run(
        """
        const click = new MouseEvent('click', {bubbles: true, shiftKey: arguments[1]});
        for (const row of document.querySelectorAll('.rows .row')) {
          if (row.firstChild.title === arguments[0]) row.querySelector('.label').dispatchEvent(click);
        }
        """,
        name,
        hasShift);
  }

  /** Presses the first button of the charts, or of the bar below, that has a text. */
  void press(String text) {
    String script =
        """
        const button = [...document.querySelectorAll('#charts button, #notice button')]
          .find(one => one.innerText === arguments[0] && one.checkVisibility());
        button?.click();
        return !!button;
        """;
    Await.until("a button " + text, () -> (boolean) browser.run(script, text));
  }

  /** Chooses an option of an element. */
  void choose(String selector, String value) {
    browser.run(
        """
        const select = document.querySelector(arguments[0]);
        select.value = arguments[1];
        select.dispatchEvent(new Event('change'));
        """,
        selector,
        value);
  }

  /** Returns the rows of the table of the first chart, the newest first. */
  List<?> table() {
    return (List<?>)
        browser.run(
            """
            const table = document.querySelector('#charts .card:first-child .table');
            const details = table?.parentElement;
            if (!details) return [];
            details.open = false;
            details.open = true;
            return new Promise(resolve => {
              details.addEventListener('toggle', () => {
                resolve([...table.querySelectorAll('tbody tr')].map(row => row.innerText));
                details.open = false;
              }, {once: true});
            });
            """);
  }

  /** Hides the page, or shows it again. */
  void setHidden(boolean isHidden) {
    browser.run(
        """
        window.absentSince = Date.now();
        Object.defineProperty(document, 'hidden', {value: arguments[0], configurable: true});
        document.dispatchEvent(new Event('visibilitychange'));
        """,
        isHidden);
  }

  /** Has the clock of the browser be an hour ahead of that of the server. */
  void setClockAhead() {
    browser.run("const {now} = Date; Date.now = () => now() + 3600 * 1000");
  }

  /** Waits for longer than a line goes on without a value. */
  void awaitAbsence() {
    String passed = "return Date.now() - window.absentSince > 7000";
    Await.until("more than the longest time without a gap", () -> (boolean) browser.run(passed));
  }

  /** Returns how many seconds a chart shows, counted from 1. */
  long seconds(int chart) {
    return (long)
        browser.run(
            """
            const plot = document.querySelector(`#charts .card:nth-child(${arguments[0]}) .plot`);
            return plot.ariaValueMax - plot.ariaValueMin;
            """,
            chart);
  }

  void search(String text) {
    browser.type("#search", text);
  }

  /**
   * Returns the number that the legend of the first chart has for a line; empty if there is none.
   */
  String legend(String line) {
    String script =
        """
        return [...document.querySelectorAll('#charts .card:first-child li')]
          .find(one => one.querySelector('.name').innerText === arguments[0])
          ?.querySelector('.number').innerText ?? '';
        """;
    return (String) browser.run(script, line);
  }

  /** Waits for the number that the legend of the first chart has for a line. */
  void awaitLegend(String line, String number) {
    Await.until(
        number + " at " + line, () -> browser.text("#charts"), () -> legend(line).equals(number));
  }

  /**
   * Moves the pointer over the first chart until the chart has a cursor there, and the legend has
   * this number for a line. A chart may be drawn anew at any time, without a cursor.
   */
  void awaitLegendAt(int x, int y, String line, String number) {
    String cursor = "return !!document.querySelector('#charts .u-cursor-x:not(.u-off)')";
    Await.until(
        number + " under the pointer at " + line,
        () -> browser.text("#charts"),
        () -> {
          browser.hover("#charts .u-over", x, y);
          return (boolean) browser.run(cursor) && legend(line).equals(number);
        });
  }

  /** Returns the number of strong colours of the first chart. */
  long paintedColours() {
    return (long)
        browser.run(
            PIXELS
                + """
                const hues = new Set();
                for (let i = 0; i < data.length; i += 4) {
                  if (isStrong(i)) {
                    const [r, g, b] = data.slice(i, i + 3);
                    const high = Math.max(r, g, b);
                    hues.add(high === r ? (g > b ? 'orange' : 'red') : high === g ? 'green' : 'blue');
                  }
                }
                return hues.size;
                """);
  }

  /** Waits for as long as a gap that can be seen: the page fills in what the server has kept. */
  static void awaitVisibleTime() {
    long start = System.nanoTime();
    Await.until("a gap can be seen", () -> System.nanoTime() - start > VISIBLE_NANOS);
  }

  /** Waits until the line of the first chart has a gap, and goes on after it. */
  void awaitGap() {
    Await.until("a gap", () -> "the widest one is " + widestGap(), () -> widestGap() > GAP);
  }

  /** Returns the widest gap between two lines of the first chart, in pixels; -1 without a line. */
  private long widestGap() {
    return (long)
        browser.run(
            PIXELS
                + """
                let last = -1;
                let widest = -1;
                for (let x = 0; x < width; x++) {
                  let isPainted = false;
                  for (let y = 0; y < height; y++) {
                    isPainted ||= isStrong((y * width + x) * 4);
                  }
                  if (isPainted) {
                    widest = Math.max(widest, last < 0 ? 0 : x - last - 1);
                    last = x;
                  }
                }
                return widest;
                """);
  }
}
