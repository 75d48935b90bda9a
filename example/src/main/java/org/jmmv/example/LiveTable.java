package org.jmmv.example;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jmmv.client.AgentConnection;

/**
 * Starts an agent, fetches all its metrics every second as pmcd does for a client, and shows the
 * values in a table.
 *
 * <pre>LiveTable [--plain] [--seconds N] AGENT [ARGUMENT...]</pre>
 *
 * On a terminal, the table is redrawn in place; see {@link Screen}. With {@code --plain}, and if
 * standard output is not a terminal, each table is printed below the previous one, without terminal
 * control sequences. The program ends after N seconds (1 to 999,999,999), at the key {@code q}, or
 * when it is killed, and ends the agent with it. The exit status is 1 if the agent fails or an
 * option is wrong.
 */
public final class LiveTable {

  private static final String USAGE =
      "Usage: LiveTable [--plain] [--seconds N] AGENT [ARGUMENT...]";

  /** Longer than pmcd's timeout: the agent may start slowly on a busy machine. */
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final boolean plain;
  private final long seconds;

  private volatile AgentConnection connection;
  private volatile View view;
  private volatile boolean ending;

  private LiveTable(boolean plain, long seconds) {
    this.plain = plain;
    this.seconds = seconds;
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
          && args[i + 1].matches("0*[1-9][0-9]{0,8}")) {
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
    Runtime.getRuntime().addShutdownHook(new Thread(table::end));
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

  /** Called by the shutdown hook. */
  private void end() {
    ending = true;
    if (view != null) {
      view.close();
    }
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
    // nativeSignals(false): JLine would replace the JVM's handlers, which run the shutdown hook.
    Terminal terminal = TerminalBuilder.builder().dumb(true).nativeSignals(false).build();
    view = !plain && Screen.fits(terminal) ? new Screen(terminal) : new Printout(terminal);
    long start = System.nanoTime();
    long second = 0;
    do {
      List<Row> rows = watch.sample();
      view.show(new Frame(LocalTime.now(ZoneId.systemDefault()), watch.size(), rows));
      second++;
    } while (second <= seconds
        && view.pause(Duration.ofSeconds(second).minusNanos(System.nanoTime() - start)));
  }
}
