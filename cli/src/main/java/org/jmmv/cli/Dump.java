package org.jmmv.cli;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import org.jmmv.reader.InspectedFile;
import org.jmmv.reader.fault.Fault;

/** The command {@code jmmv dump}: what is in a file. */
final class Dump {
  private Dump() {}

  /**
   * Prints a file.
   *
   * @return {@link ExitStatus#FAULTY} if the file has faults
   * @throws IOException if the file can't be opened, or if {@code out} can't be written
   */
  static int run(Path path, boolean json, Writer out) throws IOException {
    try (InspectedFile file = open(path)) {
      if (json) {
        try (DumpJson dump = new DumpJson(out)) {
          dump.print(file);
        }
      } else {
        new DumpText(out).print(file);
      }
      return file.faults().stream().allMatch(Fault::isHint) ? ExitStatus.GOOD : ExitStatus.FAULTY;
    }
  }

  private static InspectedFile open(Path path) throws IOException {
    try {
      return InspectedFile.open(path);
    } catch (IOException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
  }
}
