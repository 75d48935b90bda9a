package org.jmmv.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The line format of pmNotifyErr(3). A stack trace follows the line if the event has an exception:
 *
 * <pre>[Fri Nov 20 15:19:27] pmdajmmv(1234) Warning: text</pre>
 */
final class LogFormat extends LayoutBase<ILoggingEvent> {
  /** A class of its own, so that it is initialized with the first line: most runs log nothing. */
  private static final class Head {
    /** The format of ctime(3) without the year. The day of the month is padded with a blank. */
    static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss", Locale.ROOT)
            .withZone(ZoneId.systemDefault());

    static final String PROGRAM = "pmdajmmv(" + ProcessHandle.current().pid() + ") ";
  }

  private final FloodFilter flood;

  /**
   * Creates a format.
   *
   * @param flood the filter; it provides the number of lines suppressed before the formatted one
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
      lines.append(head).append("Warning: ").append(leftOut).append(" lines suppressed here\n");
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
