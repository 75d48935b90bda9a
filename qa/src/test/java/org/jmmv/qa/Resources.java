package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The resources that a process has now, without those that an agent takes while it warms up: for
 * the sample files, and the system's sources of random numbers, which Java opens once, with
 * SHA-256.
 *
 * @param residentKilobytes resident memory without pages of files (RssAnon)
 * @param descriptors number of open files
 * @param mappings number of mappings
 */
record Resources(long residentKilobytes, int descriptors, int mappings) {
  private static final String SAMPLE = "lib/sample";
  private static final Set<Path> RANDOM = Set.of(Path.of("/dev/random"), Path.of("/dev/urandom"));

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
          (int) descriptors.filter(descriptor -> !isOfWarmUp(descriptor)).count(),
          mappings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOfWarmUp(Path descriptor) {
    try {
      Path file = Files.readSymbolicLink(descriptor);
      // each catalogue has one of schedstat, also that of the warm-up
      return file.endsWith(SAMPLE) || file.endsWith("schedstat") || RANDOM.contains(file);
    } catch (IOException e) { // it was closed after it had been listed
      return false;
    }
  }
}
