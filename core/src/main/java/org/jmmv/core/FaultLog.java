package org.jmmv.core;

import static org.jmmv.pcp.Printable.printable;

import org.jmmv.reader.Fault;
import org.jmmv.reader.FileName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the faults of files to the log, as warnings. */
final class FaultLog implements FaultListener {
  private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);

  @Override
  public void fault(Fault fault) {
    LOG.warn("{}", fault);
  }

  @Override
  public void partlyServed(FileName file, String summary) {
    LOG.warn("{}: {}", printable(file.toString()), summary);
  }
}
