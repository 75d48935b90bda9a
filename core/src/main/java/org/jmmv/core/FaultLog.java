package org.jmmv.core;

import java.nio.file.Path;
import org.jmmv.reader.MmvFault;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the faults of files to the log, as warnings. */
final class FaultLog implements FaultListener {
  private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);

  private final Path directory;

  FaultLog(Path directory) {
    this.directory = directory;
  }

  @Override
  public void fault(MmvFault fault) {
    if (fault.file().isEmpty()) {
      LOG.warn("{}: {}", directory, fault.reason());
    } else {
      LOG.warn("{}", fault);
    }
  }

  @Override
  public void partlyServed(String file, String summary) {
    fault(new MmvFault(file, summary));
  }
}
