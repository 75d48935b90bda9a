package org.jmmv.pmda;

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
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss", Locale.ROOT)
          .withZone(ZoneId.systemDefault());

  private final String program = "pmdajmmv(" + ProcessHandle.current().pid() + ") ";

  /** Sends everything that is logged in this process, Netty's messages too, to standard error. */
  static void install() {
    LogManager.getLogManager().reset();
    ConsoleHandler handler = new ConsoleHandler();
    handler.setLevel(Level.ALL);
    handler.setFormatter(new LogFormat());
    Logger root = Logger.getLogger("");
    root.addHandler(handler);
    root.setLevel(Level.WARNING);
    AGENT.setLevel(Level.ALL);
  }

  /** The parent of all our loggers; held here, because a LogManager holds loggers weakly. */
  private static final Logger AGENT = Logger.getLogger("org.jmmv");

  @Override
  public String format(LogRecord entry) {
    StringBuilder line =
        new StringBuilder("[")
            .append(TIME.format(entry.getInstant()))
            .append("] ")
            .append(program)
            .append(severity(entry.getLevel()))
            .append(": ")
            .append(formatMessage(entry))
            .append('\n');
    if (entry.getThrown() != null) {
      StringWriter trace = new StringWriter();
      entry.getThrown().printStackTrace(new PrintWriter(trace));
      line.append(trace);
    }
    return line.toString();
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
