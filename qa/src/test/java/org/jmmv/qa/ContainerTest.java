package org.jmmv.qa;

import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * jmmv with PCP 5.2, 6.0, 6.3 and 7, each in a container with a Debian suite that has it. {@code
 * qa/with-containers} makes the images.
 *
 * <p>The suites run at the same time. The lock of each makes its own tests run one after the other.
 */
@Tag("containers")
final class ContainerTest {
  @BeforeAll
  static void needRoot() {
    Need.ROOT.require();
  }

  @Nested
  @ResourceLock("bullseye")
  final class Bullseye extends DebianSuite {
    Bullseye() {
      super("bullseye");
    }
  }

  @Nested
  @ResourceLock("bookworm")
  final class Bookworm extends DebianSuiteWithPcpTests {
    Bookworm() {
      super("bookworm");
    }
  }

  @Nested
  @ResourceLock("trixie")
  final class Trixie extends DebianSuite {
    Trixie() {
      super("trixie");
    }

    /** It asks for the times since when counters have counted. */
    @Test
    void prometheusScrapesInEachFormatAndSeesTheFirstIncrements() throws IOException {
      new ScrapedFormats(machine()).check();
    }
  }

  @Nested
  @ResourceLock("sid")
  final class Sid extends DebianSuiteWithPcpTests {
    Sid() {
      super("sid");
    }

    @Override
    boolean isOfTheDay() {
      return true;
    }

    /** It needs PCP 7.0.3. */
    @Test
    void pmloggerPushesItsArchiveToPmproxy() throws IOException {
      new PushedArchive(machine()).check();
    }
  }
}
