package org.jmmv.core;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jmmv.pcp.Printable;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.watch.EntryStatus;
import org.jmmv.reader.watch.FileState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs entries that are not served although they have no fault, as debug messages. */
final class SkippedLog {
  private static final Logger LOG = LoggerFactory.getLogger(SkippedLog.class);

  private Map<FileName, FileState> logged = Map.of();

  /** Logs the entries that were not in the last list in the same state. */
  void log(Stream<EntryStatus> entries) {
    Map<FileName, FileState> now = new HashMap<>();
    entries.forEach(status -> {
      boolean isWaiting = status.state() == FileState.WAITING;
      if (status.file() == null && !isWaiting && status.faults().isEmpty()) {
        now.put(status.name(), status.state());
        if (logged.get(status.name()) != status.state()) {
          LOG.debug(
              "{}: not served: {}", Printable.printable(status.name().toString()), status.reason());
        }
      }
    });
    logged = now;
  }

  /** Forgets what was logged. */
  void clear() {
    logged = Map.of();
  }
}
