package org.jmmv.core;

import static org.jmmv.pcp.Printable.printable;

import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FileName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the faults of files to the log, as warnings. */
final class FaultLog implements FaultListener {
  private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);

  @Override
  public void fault(Fault fault) {
    if (!fault.isHint()) { // jmmv check gives hints
      LOG.warn("{}", fault);
    }
  }

  @Override
  public void partlyServed(FileName file, long served, long all) {
    LOG.warn("{}: {}", printable(file.toString()), summary(served, all));
  }

  /** Says how many of a file's metrics are served. */
  static String summary(long served, long all) {
    return served + " of " + all + " metrics served";
  }
}
