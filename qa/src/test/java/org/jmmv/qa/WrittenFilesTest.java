package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jmmv.qa.Application.Library;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * PCP's mmvdump reads what the library of this project writes. {@link DifferentialTest} has the
 * agents read it.
 */
final class WrittenFilesTest {
  private static final Pattern VALUE = Pattern.compile("  \\[\\d+/\\d+\\] (?!instance = ).* = .*");

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();

  @ParameterizedTest
  @CsvSource({"plain, 2, 6", "long, 2, 2", "labelled, 3, 3", "short, 1, 48", "types, 2, 48"})
  void mmvdumpReadsThem(String shape, int version, long values) {
    Path pmdas = new MachinePcp(new ThisMachine()).place("PCP_PMDAS_DIR");
    try (Application _ = Application.start(pcp, Library.WRITER, "app", shape)) {
      String dumped =
          Shell.run(
                  Map.of(),
                  List.of(
                      pmdas.resolve("mmv/mmvdump").toString(), pcp.mmv().resolve("app").toString()))
              .outOfSuccess();
      assertEquals(
          List.of("Version    = " + version),
          dumped.lines().filter(line -> line.startsWith("Version")).toList());
      assertEquals(values, dumped.lines().filter(VALUE.asMatchPredicate()).count(), dumped);
    }
  }
}
