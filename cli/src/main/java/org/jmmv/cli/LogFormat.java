package org.jmmv.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Lines as pmNotifyErr(3) writes them, with a stack trace after them if there is one:
 *
 * <pre>[Fri Nov 20 15:19:27] pmdajmmv(1234) Warning: text</pre>
 */
final class LogFormat extends LayoutBase<ILoggingEvent> {
  /** Loaded with the first line, because most starts log nothing. */
  private static final class Head {
    /** As ctime(3), without the year: the day of the month takes two columns. */
    static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss", Locale.ROOT)
            .withZone(ZoneId.systemDefault());

    static final String PROGRAM = "pmdajmmv(" + ProcessHandle.current().pid() + ") ";
  }

  private final FloodFilter flood;

  /**
   * A format.
   *
   * @param flood knows how many lines it has left out before the one to be formatted
   */
  LogFormat(FloodFilter flood) {
    this.flood = flood;
  }

  @Override
  public String doLayout(ILoggingEvent event) {
    String head = "[" + Head.TIME.format(event.getInstant()) + "] " + Head.PROGRAM;
    StringBuilder lines = new StringBuilder();
    int leftOut = flood.takeLeftOut();
    if (leftOut > 0) {
      lines.append(head).append("Warning: ").append(leftOut).append(" lines left out here\n");
    }
    lines.append(head).append(severity(event.getLevel())).append(": ");
    lines.append(event.getFormattedMessage()).append('\n');
    if (event.getThrowableProxy() != null) {
      lines.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    return lines.toString();
  }

  private static String severity(Level level) {
    return switch (level.toInt()) {
      case Level.ERROR_INT -> "Error";
      case Level.WARN_INT -> "Warning";
      case Level.INFO_INT -> "Info";
      default -> "Debug";
    };
  }
}
