package org.jmmv.pmda;

import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Lines of the form that pmNotifyErr(3) gives them, {@code [Fri Nov 20 15:19:27] pmdajmmv(1234)
 * Warning: text}, on standard error, which is the log file once that is open.
 */
final class LogFormat extends Formatter {
  /** What a start that has nothing to say can do without. */
  private static final class Head {
    static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss", Locale.ROOT)
            .withZone(ZoneId.systemDefault());
    static final String PROGRAM = "pmdajmmv(" + ProcessHandle.current().pid() + ") ";
  }

  private final LogLimit limit;

  /**
   * A format.
   *
   * @param limit says how many lines were left out before the one in hand
   */
  LogFormat(LogLimit limit) {
    this.limit = limit;
  }

  /** Sends everything that is logged in this process, Netty's messages too, to standard error. */
  static void install() {
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE); // it need not look around
    LogManager.getLogManager().reset();
    ConsoleHandler handler = new ConsoleHandler();
    handler.setLevel(Level.ALL);
    LogLimit limit = new LogLimit(System::nanoTime);
    handler.setFilter(limit);
    handler.setFormatter(new LogFormat(limit));
    Logger root = Logger.getLogger("");
    root.addHandler(handler);
    root.setLevel(Level.WARNING);
    AGENT.setLevel(Level.ALL);
  }

  /** The parent of all our loggers; held here, because a LogManager holds loggers weakly. */
  private static final Logger AGENT = Logger.getLogger("org.jmmv");

  @Override
  public String format(LogRecord entry) {
    StringBuilder out = new StringBuilder();
    String head = "[" + Head.TIME.format(entry.getInstant()) + "] " + Head.PROGRAM;
    int leftOut = limit.takeLeftOut();
    if (leftOut > 0) {
      out.append(head).append("Warning: ").append(leftOut).append(" lines left out here\n");
    }
    out.append(head).append(severity(entry.getLevel())).append(": ");
    out.append(formatMessage(entry)).append('\n');
    if (entry.getThrown() != null) {
      StringWriter trace = new StringWriter();
      entry.getThrown().printStackTrace(new PrintWriter(trace));
      out.append(trace);
    }
    return out.toString();
  }

  private static String severity(Level level) {
    if (level.intValue() >= Level.SEVERE.intValue()) {
      return "Error";
    }
    if (level.intValue() >= Level.WARNING.intValue()) {
      return "Warning";
    }
    return level.intValue() >= Level.INFO.intValue() ? "Info" : "Debug";
  }
}
