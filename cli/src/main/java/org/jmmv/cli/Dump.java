package org.jmmv.cli;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Map;
import org.jmmv.cli.command.Command;
import org.jmmv.reader.InspectedFile;
import org.jmmv.reader.fault.Fault;

/** The command {@code jmmv dump}: what is in a file. */
final class Dump extends Command {
  private final Arg<Path> file = parameter("FILE", "the file; it may be damaged, or being written");
  private final Arg<Boolean> json = flag("print JSON instead of text", "--json");

  Dump() {
    super("show what is in a file: header, sections, metrics, values, labels, faults");
  }

  @Override
  public int run(Map<String, String> environment, Writer out) throws IOException {
    Path path = file.value().orElseThrow();
    try (InspectedFile inspected = open(path)) {
      if (json.isGiven()) {
        DumpJson.print(inspected, out);
      } else {
        new DumpText(out).print(inspected);
      }
      return inspected.faults().stream().allMatch(Fault::isHint) ? GOOD : FAULTY;
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
