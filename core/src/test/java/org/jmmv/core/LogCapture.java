package org.jmmv.core;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Keeps what jmmv logs, instead of printing it. */
public final class LogCapture implements AutoCloseable {
  private static final Logger LOG = (Logger) LoggerFactory.getLogger("org.jmmv");

  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  public LogCapture() {
    appender.start();
    LOG.setAdditive(false);
    LOG.addAppender(appender);
  }

  /** All messages so far, whatever their level. */
  public List<String> messages() {
    return messagesFrom(Level.TRACE);
  }

  /** The messages so far that an operator sees by default. */
  public List<String> warnings() {
    return messagesFrom(Level.WARN);
  }

  /** The messages so far that indicate a defect of jmmv: no file and no request may cause them. */
  public List<String> failures() {
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
