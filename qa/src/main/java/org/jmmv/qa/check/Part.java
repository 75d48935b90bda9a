package org.jmmv.qa.check;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The parts of {@code ./check}, in the order in which they begin. */
enum Part {
  FORMAT(true, "the format of the sources"),
  BUILD(true, "compiles everything, and assembles the agent and its packages"),
  IMAGES(false, "makes the images of the containers that are missing"),
  UNIT(true, "the tests of each module"),
  INSTALL(true, "Install and Remove, with the pmcd of this machine"),
  MACHINE(true, "the assembled agent, with the PCP of this machine"),
  DEMO(true, "./demo, in a file and on a terminal"),
  CONTAINERS(false, "PCP 5.2, 6.0, 6.3 and 7, and systemd, in containers"),
  HOSTILE(false, "attacks on the agent and on jmmv serve"),
  PACKAGES(false, "the Debian packages and the archive, on a Debian 12 without Java"),
  RPMS(false, "the RPMs, on a Debian 12 without Java"),
  REBUILD(false, "a second build, which makes the same packages"),
  UPGRADES(false, "PCP 5.2 upgraded to 6.0, 6.3 and 7 under the Debian packages"),
  FUZZ(false, "each fuzz test, with new inputs");

  /** Failed tests are counted in the log; the other modules are tested all the same. */
  private static final String GO_ON = "-Dmaven.test.failure.ignore";

  /**
   * Tests what the build has compiled: compiling again would pull classes away from other parts.
   */
  private static final String AS_BUILT = "-Dmaven.compiler.useIncrementalCompilation=false";

  private final boolean isQuick;
  private final String what;

  Part(boolean isQuick, String what) {
    this.isQuick = isQuick;
    this.what = what;
  }

  /** Returns the part with this name, if there is one. */
  static Optional<Part> of(String name) {
    return Stream.of(values()).filter(part -> part.label().equals(name)).findFirst();
  }

  /** Returns the name on the command line, in the table and of the log. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether a quick run includes the part. */
  boolean isQuick() {
    return isQuick;
  }

  /** Returns what the part does. */
  String what() {
    return what;
  }

  /** Returns the parts that must have ended before this one begins. */
  Set<Part> after() {
    return switch (this) {
      case FORMAT, IMAGES -> EnumSet.noneOf(Part.class);
      case BUILD -> EnumSet.of(FORMAT);
      case CONTAINERS, PACKAGES, RPMS, UPGRADES -> EnumSet.of(BUILD, IMAGES);
      default -> EnumSet.of(BUILD);
    };
  }

  /**
   * Returns the command. Its exit status is 0 if all is well, 77 if this machine does not allow it;
   * then its last line says why.
   */
  List<String> command(Options options) {
    return switch (this) {
      case FORMAT -> maven(options, "spotless:check");
      case BUILD -> maven(options, "-T", "2", "-DskipTests", "package");
      case UNIT -> maven(options, "-T", "2", GO_ON, AS_BUILT, "test-compile", "surefire:test");
      case MACHINE -> tests(options, "qa/run");
      case INSTALL -> tests(options, "qa/apart", "qa/run");
      case HOSTILE -> List.of("qa/run", label());
      case DEMO -> List.of("qa/demo-test");
      case IMAGES -> List.of("qa/images");
      case CONTAINERS -> List.of("qa/with-containers", "qa/run", label());
      case PACKAGES -> List.of("qa/package-test");
      case RPMS -> List.of("qa/rpm-test");
      case REBUILD -> List.of("qa/rebuild-test");
      case UPGRADES -> List.of("qa/upgrade-test");
      case FUZZ ->
          maven(
              options,
              "-T",
              "2",
              GO_ON,
              AS_BUILT,
              "test-compile",
              "surefire:test@hunt",
              "-Dhunt=" + options.hunt());
    };
  }

  /** Returns the command for tests of which a quick run includes some. */
  private List<String> tests(Options options, String... words) {
    List<String> command = new ArrayList<>(List.of(words));
    if (options.isQuick()) {
      command.add("--quick");
    }
    command.add(label());
    return command;
  }

  private static List<String> maven(Options options, String... words) {
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp"));
    if (options.isOffline()) {
      command.add("-o");
    }
    command.addAll(List.of(words));
    return command;
  }
}
