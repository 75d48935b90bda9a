package org.jmmv.core;

import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FileName;

/** Receives what is wrong with the files of a catalogue. */
@FunctionalInterface
public interface FaultListener {
  /** A listener that ignores all faults. */
  FaultListener NONE = _ -> {};

  /**
   * A file has a fault, or a directory.
   *
   * @param fault a fault that was not reported before
   */
  void fault(Fault fault);

  /**
   * A file is served in spite of the faults that were passed to {@link #fault} before.
   *
   * @param served the number of metrics that are served
   * @param all the number of entries of all METRICS sections
   */
  default void partlyServed(FileName file, long served, long all) {}
}
