package org.jmmv.cli.top;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jline.keymap.KeyMap;
import org.jline.terminal.Size;
import org.jline.utils.InfoCmp.Capability;
import org.jmmv.config.Converters;

/**
 * The table on a terminal, with its keys. It is drawn afresh after each reading of values, after
 * each key, and when the size of the terminal has changed.
 */
final class LiveTable {
  /**
   * Up to this number of values all are read each time. Of more, only those that are shown are, so
   * that the table keeps its interval.
   */
  private static final int MAX_READ = 100_000;

  /**
   * How often the size of the terminal is compared: until then a window that was resized shows the
   * old table.
   */
  private static final long SIZE_MILLIS = 100;

  private static final int LINES_ABOVE = 2; // state and titles
  private static final int LINES_BELOW = 2; // help text and keys
  private static final int MIN_ROWS = 3; // otherwise the lines below are left out

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  /** The longest time between two readings that a key can set. */
  private static final Duration MAX_INTERVAL = Duration.ofMinutes(1);

  /** What keys do. Those with a text are listed by {@link #HELP}, together with the next ones. */
  private enum Key {
    UP("up, down, k, j", "select the row above or below", "k"),
    DOWN("", "", "j"),
    PAGE_UP("Page Up, Page Down", "select a row a screen above or below", ""),
    PAGE_DOWN("", "", ""),
    FIRST("Home, End, g, G", "select the first or the last row", "g"),
    LAST("", "", "G"),
    FOLD("left, right", "hide or show what is below the selected row", ""),
    UNFOLD("", "", ""),
    TOGGLE("Space, Enter", "hide or show what is below the selected row", " \r\n"),
    TOGGLE_ALL("*", "hide or show what is below all rows", "*"),
    FILTER("/", "show names with a text (any: * ?) or a /regex/", "/"),
    CLEAR("Escape", "show all names", ""),
    BY_NAME("n, v, r", "sort by name, value, rate", "n"),
    BY_VALUE("", "", "v"),
    BY_RATE("", "", "r"),
    REVERSE("R, I", "reverse the order", "RI"),
    PAUSE("p", "stop reading values, or go on", "p"),
    LONGER("+, -", "read values half or twice as often", "+"),
    SHORTER("", "", "-"),
    HELP("h, ?", "show or hide this help", "h?"),
    SUSPEND("Ctrl-Z", "return to the shell; fg continues", ""),
    QUIT("q, Ctrl-C", "quit", "qQ"),
    DONE("", "", ""),
    ERASE("", "", ""),
    CHARACTER("", "", "");

    private final String keys;
    private final String action;
    private final String characters; // for each of which it stands, unless a filter is being typed

    Key(String keys, String action, String characters) {
      this.keys = keys;
      this.action = action;
      this.characters = characters;
    }
  }

  private static final List<String> HELP =
      Stream.of(Key.values())
          .filter(key -> !key.keys.isEmpty())
          .map(key -> "%-20s%s".formatted(key.keys, key.action))
          .toList();

  private final Screen screen;
  private final LiveMetrics metrics;
  private final List<Path> directories;
  private final DisplayText text;
  private final MetricTable table = new MetricTable();
  private final KeyMap<Key> commands = new KeyMap<>();
  private final KeyMap<Key> typing = new KeyMap<>();
  private Duration interval;
  private LocalTime time;
  private boolean isTyping; // the filter
  private boolean isPaused;
  private boolean isHelp; // instead of the table
  private Size drawn; // the size when the screen was last drawn

  /** Creates a table with a filter. */
  LiveTable(
      Screen screen,
      LiveMetrics metrics,
      List<Path> directories,
      String filter,
      Duration interval) {
    this.screen = screen;
    this.metrics = metrics;
    this.directories = directories;
    this.interval = interval;
    text = new DisplayText(screen.isUnicode());
    table.setFilter(filter);
    bindBoth(Key.UP, screen.key(Capability.key_up), "\033[A");
    bindBoth(Key.DOWN, screen.key(Capability.key_down), "\033[B");
    bindBoth(Key.UNFOLD, screen.key(Capability.key_right), "\033[C");
    bindBoth(Key.FOLD, screen.key(Capability.key_left), "\033[D");
    bindBoth(Key.PAGE_UP, screen.key(Capability.key_ppage), "\033[5~");
    bindBoth(Key.PAGE_DOWN, screen.key(Capability.key_npage), "\033[6~");
    bindBoth(Key.FIRST, screen.key(Capability.key_home), "\033[H", "\033[1~");
    bindBoth(Key.LAST, screen.key(Capability.key_end), "\033[F", "\033[4~");
    bindBoth(Key.CLEAR, "\033");
    bindBoth(Key.SUSPEND, "\032");
    for (Key key : Key.values()) {
      key.characters.chars().forEach(c -> commands.bind(key, Character.toString(c)));
    }
    typing.bind(Key.DONE, "\r", "\n");
    typing.bind(Key.ERASE, "\177", "\b");
    typing.setUnicode(Key.CHARACTER);
    for (char c = ' '; c <= '~'; c++) {
      typing.bind(Key.CHARACTER, String.valueOf(c));
    }
  }

  private void bindBoth(Key key, String... sequences) {
    for (String sequence : sequences) {
      if (sequence != null) {
        commands.bind(key, sequence);
        typing.bind(key, sequence);
      }
    }
  }

  /** Shows the table until the user quits. */
  void run() throws IOException {
    long next = System.nanoTime();
    while (true) {
      if (System.nanoTime() - next >= 0) {
        if (!isPaused) {
          read();
        }
        draw();
        next = Math.max(next + interval.toNanos(), System.nanoTime());
      }
      long millis = Math.max(1, (next - System.nanoTime()) / 1_000_000);
      Key key = screen.key(isTyping ? typing : commands, Key.QUIT, Math.min(millis, SIZE_MILLIS));
      if (key == Key.QUIT) {
        return;
      }
      if (key != null) {
        obey(key);
      }
      if (key != null || !screen.size().equals(drawn)) {
        draw();
      }
    }
  }

  private void read() {
    if (metrics.refresh()) {
      table.setMetrics(metrics.metrics());
    }
    boolean isAll = metrics.size() <= MAX_READ;
    boolean needsAll = isAll || table.sort() != MetricTable.Sort.NAME || !table.filter().isEmpty();
    table.update(metrics.read(needsAll ? metrics.metrics() : shown()));
    if (isAll) {
      metrics.metrics().forEach(metric -> metric.series().forEach(Series::remember));
    } else {
      table.window(rows(screen.size())).stream()
          .filter(row -> row.series() != null)
          .forEach(row -> row.series().remember());
    }
    time = LocalTime.now(ZoneId.systemDefault());
  }

  private Set<WatchedMetric> shown() {
    Set<WatchedMetric> shown = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Row row : table.window(rows(screen.size()))) {
      if (row.metric() != null && !row.isFolded()) {
        shown.add(row.metric());
      }
    }
    return shown;
  }

  private void obey(Key key) throws IOException {
    isHelp = key == Key.HELP && !isHelp; // each other key ends the help
    switch (key) {
      case UP -> table.move(-1);
      case DOWN -> table.move(1);
      case PAGE_UP -> table.movePages(-1);
      case PAGE_DOWN -> table.movePages(1);
      case FIRST -> table.move(-table.size());
      case LAST -> table.move(table.size());
      case FOLD -> table.fold();
      case UNFOLD -> table.unfold();
      case TOGGLE -> table.toggle();
      case FILTER -> isTyping = true;
      case DONE -> isTyping = false;
      case CLEAR -> {
        isTyping = false;
        table.setFilter("");
      }
      case ERASE -> {
        String filter = table.filter();
        int end = filter.isEmpty() ? 0 : filter.offsetByCodePoints(filter.length(), -1);
        table.setFilter(filter.substring(0, end));
      }
      case CHARACTER -> {
        String filter = table.filter() + screen.lastKey();
        if (NameFilter.isShort(filter)) {
          table.setFilter(filter);
        }
      }
      case BY_NAME -> table.setSort(MetricTable.Sort.NAME);
      case BY_VALUE -> table.setSort(MetricTable.Sort.VALUE);
      case BY_RATE -> table.setSort(MetricTable.Sort.RATE);
      case TOGGLE_ALL -> table.toggleAll();
      case REVERSE -> table.reverse();
      case PAUSE -> isPaused = !isPaused;
      case LONGER -> setInterval(interval.multipliedBy(2));
      case SHORTER -> setInterval(interval.dividedBy(2));
      case SUSPEND -> screen.suspend();
      case HELP -> {}
      case QUIT -> throw new IllegalArgumentException("ends the loop");
    }
  }

  private void setInterval(Duration wanted) {
    boolean isPossible =
        wanted.compareTo(interval) < 0
            ? wanted.compareTo(Converters.MIN_INTERVAL) >= 0
            : wanted.compareTo(MAX_INTERVAL) <= 0;
    interval = isPossible ? wanted : interval;
  }

  /** Returns the number of lines that rows have on a screen. */
  private static int rows(Size size) {
    int rows = Math.max(0, size.getRows() - LINES_ABOVE);
    return rows - LINES_BELOW < MIN_ROWS ? rows : rows - LINES_BELOW;
  }

  private void draw() {
    drawn = screen.size();
    int width = drawn.getColumns();
    int room = rows(drawn);
    List<String> lines = new ArrayList<>();
    lines.add(text.cut(state(), width));
    int selected = -1;
    if (isHelp) {
      lines.add("%-20s%s".formatted("KEY", "ACTION"));
      HELP.stream().limit(room).forEach(line -> lines.add(text.cut(line, width)));
    } else {
      List<Row> window = table.window(room);
      boolean isTree = table.sort() == MetricTable.Sort.NAME;
      lines.addAll(new TableText(text, width).lines(window, isTree, true));
      if (window.isEmpty()) {
        lines.add(text.cut(nothing(), width));
      } else {
        selected = window.indexOf(table.selected()) + LINES_ABOVE;
        lines.set(selected, text.left(lines.get(selected), width));
      }
    }
    while (lines.size() < LINES_ABOVE + room) {
      lines.add("");
    }
    lines.add(text.cut(selection(width), width));
    lines.add(text.cut(keys(), width - 1)); // the last cell of a screen makes some terminals scroll
    screen.draw(lines, 1, selected);
  }

  private String state() {
    List<String> parts = new ArrayList<>();
    parts.add(time.format(TIME));
    boolean isFiltered = !table.filter().isEmpty();
    parts.add(
        (isFiltered ? "%,d of ".formatted(table.values()) : "")
            + "%,d values".formatted(metrics.size()));
    if (isFiltered && !isTyping) {
      parts.add("filter: " + text.ofDecoded(table.filter()));
    }
    long notServed = metrics.filesNotServed();
    if (notServed > 0) {
      String files = notServed == 1 ? "file" : "files";
      parts.add("%,d %s not served: see jmmv check".formatted(notServed, files));
    }
    String seconds = interval.toString().substring(2).toLowerCase(Locale.ROOT);
    parts.add(isPaused ? "paused" : "every " + seconds);
    parts.add("by " + table.order());
    directories.forEach(directory -> parts.add(text.ofDecoded(directory.toString())));
    return String.join("  ", parts);
  }

  private String nothing() {
    return metrics.size() == 0
        ? "There are no metrics."
        : table.problemOfFilter().orElse("The filter selects no name.");
  }

  /**
   * Returns the full name of the selected row, of which the table may show a part, with the file
   * and the help of a metric. They may be wider than the screen, but the end of the name is in it.
   */
  private String selection(int width) {
    Row row = table.selected();
    if (row == null) {
      return "";
    }
    String ofFile = row.metric() == null ? null : metrics.file(row.metric());
    String file = ofFile == null ? "" : text.cut(" (file " + text.of(ofFile) + ')', width / 2);
    String help = row.metric() == null ? null : row.metric().help();
    return text.cutStart(text.of(row.name()), width - DisplayText.width(file))
        + file
        + (help == null ? "" : ": " + text.of(help));
  }

  private String keys() {
    return isTyping
        ? "filter: " + text.ofDecoded(table.filter()) + "_   Enter: done  Esc: clear"
        : "q: quit  h: help  /: filter  n v r: sort  R: reverse  p: pause  Space: fold";
  }
}
