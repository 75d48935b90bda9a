package org.jmmv.example;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.Charset;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jmmv.client.AgentConnection;

/**
 * Starts an agent, fetches all its metrics every second as pmcd does for a client, and shows the
 * values in a table.
 *
 * <pre>LiveTable [--plain] [--seconds N] AGENT [ARGUMENT...]</pre>
 *
 * The table is redrawn in place, on a terminal of {@code $COLUMNS} columns (default 80) and {@code
 * $LINES} lines (default 24). With {@code --plain}, each table is printed below the previous one,
 * without terminal control sequences. The program ends after N seconds or when it is killed, and
 * ends the agent with it. The exit status is 1 if the agent fails or an option is wrong.
 */
public final class LiveTable {

  private static final String USAGE =
      "Usage: LiveTable [--plain] [--seconds N] AGENT [ARGUMENT...]";

  /** Longer than pmcd's timeout: the agent may start slowly on a busy machine. */
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  // Control sequences of ECMA-48.
  private static final String END_OF_LINE = "\033[K\n";
  private static final String END_OF_SCREEN = "\033[J";
  private static final String BOLD = "\033[1m";
  private static final String NORMAL = "\033[m";

  private final boolean plain;
  private final long seconds;
  private final int columns = environment("COLUMNS", 80);
  private final int lines = environment("LINES", 24);
  private final PrintStream out =
      new PrintStream(
          new FileOutputStream(FileDescriptor.out),
          false,
          Charset.forName(System.getProperty("stdout.encoding")));
  private int shown;

  private volatile AgentConnection connection;
  private volatile boolean ending;

  private LiveTable(boolean plain, long seconds) {
    this.plain = plain;
    this.seconds = seconds;
  }

  private static int environment(String name, int otherwise) {
    String value = System.getenv(name);
    return value != null && value.matches("[1-9][0-9]{0,4}") ? Integer.parseInt(value) : otherwise;
  }

  public static void main(String[] args) throws InterruptedException {
    boolean plain = false;
    long seconds = Long.MAX_VALUE;
    int i = 0;
    for (; i < args.length && args[i].startsWith("--"); i++) {
      if (args[i].equals("--plain")) {
        plain = true;
      } else if (args[i].equals("--seconds")
          && i + 1 < args.length
          && args[i + 1].matches("[0-9]{1,9}")) {
        seconds = Long.parseLong(args[++i]);
      } else {
        i = args.length;
      }
    }
    if (i >= args.length) {
      System.err.println(USAGE);
      System.exit(1);
    }
    LiveTable table = new LiveTable(plain, seconds);
    Runtime.getRuntime().addShutdownHook(new Thread(table::endAgent));
    try {
      table.run(Arrays.asList(args).subList(i, args.length));
    } catch (IOException e) {
      if (!table.ending) {
        System.err.println("LiveTable: " + e.getMessage());
        System.exit(1);
      }
    }
  }

  private synchronized boolean startAgent(List<String> command) throws IOException {
    if (!ending) {
      connection = AgentConnection.start(command, Map.of(), Redirect.INHERIT, TIMEOUT);
    }
    return !ending;
  }

  private void endAgent() {
    ending = true;
    if (connection == null) {
      // An agent that is just starting holds the lock until it has sent its CREDS: don't wait.
      ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
    }
    synchronized (this) {
      if (connection != null) {
        connection.close();
      }
    }
  }

  private void run(List<String> command) throws IOException, InterruptedException {
    if (!startAgent(command)) {
      return;
    }
    MetricWatch watch = new MetricWatch(connection, System::nanoTime);
    long start = System.nanoTime();
    for (long second = 0; ; second++) {
      show(watch.sample(), watch.size());
      // checkError is true if standard output has been closed, for example by head(1).
      if (second == seconds || out.checkError()) {
        return;
      }
      Thread.sleep(Duration.ofSeconds(second + 1).minusNanos(System.nanoTime() - start));
    }
  }

  private void show(List<Row> rows, int metrics) {
    List<String> text = new ArrayList<>();
    text.add(
        "%s  %d metrics, %d values"
            .formatted(LocalTime.now(ZoneId.systemDefault()).format(TIME), metrics, rows.size()));
    text.addAll(rows.isEmpty() ? List.of("There are no metrics.") : Table.lines(rows, columns));
    StringBuilder frame = new StringBuilder();
    if (plain) {
      text.forEach(line -> frame.append(line).append('\n'));
      frame.append('\n');
    } else {
      inPlace(text, frame);
    }
    out.print(frame);
    out.flush();
  }

  /** Overwrites the previous table. Lines beyond the terminal's height are left out. */
  private void inPlace(List<String> text, StringBuilder frame) {
    if (shown > 0) {
      frame.append("\033[").append(shown).append('A');
    }
    shown = Math.min(text.size(), lines - 1);
    for (int i = 0; i < shown; i++) {
      boolean last = i == shown - 1 && shown < text.size();
      String line = last ? "... and %d more".formatted(text.size() - i) : text.get(i);
      boolean title = i == 1;
      frame.append(title ? BOLD : "").append(Table.cut(line, columns)).append(title ? NORMAL : "");
      frame.append(END_OF_LINE);
    }
    frame.append(END_OF_SCREEN);
  }
}
