package org.jmmv.pmda;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Keeps what the agent logs, instead of printing it. */
final class LogCapture implements AutoCloseable {
  private static final Logger LOG = (Logger) LoggerFactory.getLogger("org.jmmv");

  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  LogCapture() {
    appender.start();
    LOG.setAdditive(false);
    LOG.addAppender(appender);
  }

  /** All messages so far, whatever their level. */
  List<String> messages() {
    return messagesFrom(Level.TRACE);
  }

  /** The messages so far that an operator sees without asking for more. */
  List<String> warnings() {
    return messagesFrom(Level.WARN);
  }

  /** The messages so far of what should not happen, whatever the files and the requests are. */
  List<String> failures() {
    return messagesFrom(Level.ERROR);
  }

  private List<String> messagesFrom(Level least) {
    return appender.list.stream()
        .filter(entry -> entry.getLevel().isGreaterOrEqual(least))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Override
  public void close() {
    LOG.detachAppender(appender);
    LOG.setAdditive(true);
  }
}
