package org.jmmv.core;

import org.jmmv.reader.MmvFault;

/** Receives what is wrong with the files of a catalogue. */
public interface FaultListener {
  /** A listener that ignores all faults. */
  FaultListener NONE =
      new FaultListener() {
        @Override
        public void fault(MmvFault fault) {}

        @Override
        public void partlyServed(String file, String summary) {}
      };

  /**
   * A file has a fault, or a directory.
   *
   * @param fault the fault, with the text of the {@link org.jmmv.reader.FileName}, or with the
   *     directory's path
   */
  void fault(MmvFault fault);

  /**
   * A file is served in spite of the faults that were passed to {@link #fault} before.
   *
   * @param file the text of the {@link org.jmmv.reader.FileName}
   * @param summary a sentence that says how much of it is served
   */
  void partlyServed(String file, String summary);
}
