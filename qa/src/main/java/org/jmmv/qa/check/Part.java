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
  FORMAT(When.ALWAYS, "the format of the sources"),
  BUILD(When.ALWAYS, "compiles everything, and assembles the agent and its packages"),
  IMAGES(When.BY_DAY, "makes the images of the containers that are missing"),
  UNIT(When.ALWAYS, "the tests of each module"),
  INSTALL(When.ALWAYS, "Install and Remove, with the pmcd of this machine"),
  MACHINE(When.ALWAYS, "the assembled agent, with the PCP of this machine"),
  DEMO(When.ALWAYS, "./demo, in a file and on a terminal"),
  CONTAINERS(When.BY_DAY, "PCP 5.2, 6.0, 6.3 and 7, and systemd, in containers"),
  HOSTILE(When.BY_DAY, "attacks on the agent and on jmmv serve"),
  PACKAGES(When.BY_DAY, "the Debian packages and the archive, on a Debian 12 without Java"),
  RPMS(When.BY_DAY, "the RPMs, on a Debian 12 without Java"),
  REBUILD(When.BY_DAY, "a second build, which makes the same packages"),
  UPGRADES(When.BY_DAY, "PCP 5.2 upgraded to 6.0, 6.3 and 7 under the Debian packages"),
  FUZZ(When.BY_DAY, "each fuzz test, with new inputs"),
  AARCH64(When.BY_NIGHT, "the packages for AArch64, on an emulated Debian 13");

  /** The runs that include a part unless they name parts. */
  private enum When {
    /** All, also quick ones. */
    ALWAYS,
    /** All but quick ones. */
    BY_DAY,
    /** Those of the night. */
    BY_NIGHT
  }

  /** Failed tests are counted in the log; the other modules are tested all the same. */
  private static final String GO_ON = "-Dmaven.test.failure.ignore";

  /**
   * Tests what the build has compiled: compiling again would pull classes away from other parts.
   */
  private static final String AS_BUILT = "-Dmaven.compiler.useIncrementalCompilation=false";

  private final When when;
  private final String what;

  Part(When when, String what) {
    this.when = when;
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

  /** Returns whether a run that names no parts includes this one. */
  boolean isIn(boolean isQuickRun, boolean isNightlyRun) {
    return switch (when) {
      case ALWAYS -> true;
      case BY_DAY -> !isQuickRun;
      case BY_NIGHT -> isNightlyRun;
    };
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
      case AARCH64 -> List.of("qa/aarch64-test");
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
