package org.jmmv.core;

import org.jmmv.reader.MmvFault;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the faults of files to the log, as warnings. */
final class FaultLog implements FaultListener {
  private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);

  @Override
  public void fault(MmvFault fault) {
    LOG.warn("{}", fault);
  }

  @Override
  public void partlyServed(String file, String summary) {
    fault(new MmvFault(file, summary));
  }
}
