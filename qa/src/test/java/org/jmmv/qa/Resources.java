package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The resources that a process has now, without those for the sample files, which an agent has open
 * while it warms up.
 *
 * @param residentKilobytes resident memory without pages of files (RssAnon)
 * @param descriptors number of open files
 * @param mappings number of mappings
 */
record Resources(long residentKilobytes, int descriptors, int mappings) {
  private static final String SAMPLE = "lib/sample";

  /** Reads them from /proc. */
  static Resources of(long pid) {
    Path process = Path.of("/proc", Long.toString(pid));
    String anonymous =
        TemporaryPcp.text(process.resolve("status"))
            .lines()
            .filter(line -> line.startsWith("RssAnon:"))
            .findFirst()
            .orElseThrow(() -> new AssertionError("process " + pid + " does not run"));
    int mappings =
        (int)
            TemporaryPcp.text(process.resolve("maps"))
                .lines()
                .filter(line -> !line.contains("/" + SAMPLE + "/"))
                .count();
    try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
      return new Resources(
          Long.parseLong(anonymous.replaceAll("\\D", "")),
          (int) descriptors.filter(descriptor -> !isOfSample(descriptor)).count(),
          mappings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOfSample(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).endsWith(SAMPLE);
    } catch (IOException e) { // it was closed meanwhile
      return false;
    }
  }
}
