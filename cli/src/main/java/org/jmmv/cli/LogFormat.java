package org.jmmv.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import org.jmmv.posix.PosixProcess;

/**
 * The line format of pmNotifyErr(3). A stack trace follows the line if the event has an exception:
 *
 * <pre>[Fri Nov 20 15:19:27] pmdajmmv(1234) Warning: text</pre>
 */
final class LogFormat extends LayoutBase<ILoggingEvent> {
  /** The system property with the name of the program, if that is not the agent. */
  static final String PROGRAM = "org.jmmv.program";

  private final FloodFilter flood;
  private final String program =
      System.getProperty(PROGRAM, "pmdajmmv") + "(" + PosixProcess.processId() + ") ";

  /**
   * Creates a format.
   *
   * @param flood the filter; it provides the number of lines suppressed before the formatted one
   */
  LogFormat(FloodFilter flood) {
    this.flood = flood;
    // has the C library read the time zone: later there may be no free descriptor
    PosixProcess.localTime(0);
  }

  @Override
  public String doLayout(ILoggingEvent event) {
    String head =
        "[" + PosixProcess.localTime(event.getInstant().getEpochSecond()) + "] " + program;
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
