package org.jmmv.pmda;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Keeps what the agent logs, instead of printing it. */
final class LogCapture extends Handler {
  private static final Logger LOG = Logger.getLogger(LogCapture.class.getPackageName());

  private final List<LogRecord> records = new ArrayList<>();

  LogCapture() {
    LOG.setUseParentHandlers(false);
    LOG.setLevel(Level.ALL);
    LOG.addHandler(this);
  }

  /** All messages so far, whatever their level. */
  List<String> messages() {
    return records.stream().map(LogRecord::getMessage).toList();
  }

  /** The messages so far that an operator sees without asking for more. */
  List<String> warnings() {
    return messagesFrom(Level.WARNING);
  }

  /** The messages so far of what should not happen, whatever the files and the requests are. */
  List<String> failures() {
    return messagesFrom(Level.SEVERE);
  }

  private List<String> messagesFrom(Level least) {
    return records.stream()
        .filter(entry -> entry.getLevel().intValue() >= least.intValue())
        .map(LogRecord::getMessage)
        .toList();
  }

  @Override
  public void publish(LogRecord entry) {
    records.add(entry);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    LOG.removeHandler(this);
    LOG.setLevel(null);
    LOG.setUseParentHandlers(true);
  }
}
