package org.jmmv.qa;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * jmmv with PCP 5.2, 6.0, 6.3 and 7, each in a container with a Debian suite that has it. {@code
 * qa/with-containers} makes the images. At the end, docs/compatibility.md is written.
 *
 * <p>The suites run at the same time. The lock of each makes its own tests run one after the other.
 */
@Tag("containers")
final class ContainerTest {
  private static final Compatibility COMPATIBILITY = new Compatibility();

  @BeforeAll
  static void needRoot() {
    Need.ROOT.require();
  }

  @AfterAll
  static void write() {
    COMPATIBILITY.write();
  }

  @Nested
  @ResourceLock("bullseye")
  final class Bullseye extends DebianSuite {
    Bullseye() {
      super("bullseye", COMPATIBILITY);
    }
  }

  @Nested
  @ResourceLock("bookworm")
  final class Bookworm extends DebianSuiteWithPcpTests {
    Bookworm() {
      super("bookworm", COMPATIBILITY);
    }
  }

  @Nested
  @ResourceLock("trixie")
  final class Trixie extends DebianSuite {
    Trixie() {
      super("trixie", COMPATIBILITY);
    }

    /** It asks for the times since when counters have counted. */
    @Test
    @DisplayName("Prometheus")
    void prometheusScrapesInEachFormatAndSeesTheFirstIncrements() throws IOException {
      new ScrapedFormats(machine()).check();
    }
  }

  @Nested
  @ResourceLock("sid")
  final class Sid extends DebianSuiteWithPcpTests {
    Sid() {
      super("sid", COMPATIBILITY);
    }
  }
}
