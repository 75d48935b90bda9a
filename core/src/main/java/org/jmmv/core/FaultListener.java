package org.jmmv.core;

import org.jmmv.reader.MmvFault;

/** Receives what is wrong with the files of a catalogue. */
public interface FaultListener {
  /** A file has a fault, or the directory, in which case the fault's file name is empty. */
  void fault(MmvFault fault);

  /**
   * A file is served in spite of the faults that were passed to {@link #fault} before.
   *
   * @param file the file's name
   * @param summary a sentence that says how much of it is served
   */
  void partlyServed(String file, String summary);
}
