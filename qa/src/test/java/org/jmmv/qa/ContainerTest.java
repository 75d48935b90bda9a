package org.jmmv.qa;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * jmmv with PCP 5.2, 6.0, 6.3 and 7, each in a container with a Debian suite that has it. {@code
 * qa/with-containers} makes the images. At the end, docs/compatibility.md is written.
 */
final class ContainerTest {
  private static final Compatibility COMPATIBILITY = new Compatibility();

  @BeforeAll
  static void needRoot() {
    AgentCommand.needRoot();
  }

  @AfterAll
  static void write() {
    COMPATIBILITY.write();
  }

  @Nested
  final class Bullseye extends DebianSuite {
    Bullseye() {
      super("bullseye", COMPATIBILITY);
    }
  }

  @Nested
  final class Bookworm extends DebianSuiteWithPcpTests {
    Bookworm() {
      super("bookworm", COMPATIBILITY);
    }
  }

  @Nested
  final class Trixie extends DebianSuite {
    Trixie() {
      super("trixie", COMPATIBILITY);
    }
  }

  @Nested
  final class Sid extends DebianSuiteWithPcpTests {
    Sid() {
      super("sid", COMPATIBILITY);
    }
  }
}
