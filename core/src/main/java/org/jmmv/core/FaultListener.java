package org.jmmv.core;

import org.jmmv.reader.Fault;
import org.jmmv.reader.FileName;

/** Receives what is wrong with the files of a catalogue. */
public interface FaultListener {
  /** A listener that ignores all faults. */
  FaultListener NONE =
      new FaultListener() {
        @Override
        public void fault(Fault fault) {}

        @Override
        public void partlyServed(FileName file, String summary) {}
      };

  /**
   * A file has a fault, or a directory.
   *
   * @param fault a fault that was not reported before
   */
  void fault(Fault fault);

  /**
   * A file is served in spite of the faults that were passed to {@link #fault} before.
   *
   * @param file the file
   * @param summary a sentence that says how much of it is served
   */
  void partlyServed(FileName file, String summary);
}
