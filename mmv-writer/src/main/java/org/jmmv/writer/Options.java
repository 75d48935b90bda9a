package org.jmmv.writer;

import java.nio.file.Path;
import java.util.function.Consumer;

/** What is said of an application before it starts, see {@link MmvApplication.Builder}. */
final class Options {
  final String name;
  Path directory; // null: the usual one
  int cluster;
  int version = 2; // or 3, if there are labels
  int flags = MmvLayout.PROCESS;
  boolean isKept;
  int maxValues = 4_096;
  int maxLabels = 255;
  Consumer<String> onProblem = problem -> warn(problem, null);

  Options(String name) {
    this.name = name;
  }

  /** Creates a copy. */
  Options(Options other) {
    name = other.name;
    directory = other.directory;
    cluster = other.cluster;
    version = other.version;
    flags = other.flags;
    isKept = other.isKept;
    maxValues = other.maxValues;
    maxLabels = other.maxLabels;
    onProblem = other.onProblem;
  }

  /** Tells of a problem. A listener that fails must not make the application fail. */
  void tell(String problem) {
    try {
      onProblem.accept(problem);
    } catch (RuntimeException e) {
      warn(problem, e);
    }
  }

  private static void warn(String problem, RuntimeException e) {
    System.getLogger("org.jmmv.writer").log(System.Logger.Level.WARNING, problem, e);
  }

  boolean hasSentinel() {
    return (flags & MmvLayout.SENTINEL) != 0;
  }

  /** Returns the maximum size of a name of a metric or instance, with the NUL. */
  int nameSize() {
    return version == 1 ? MmvLayout.SHORT_NAME : MmvLayout.STRING;
  }
}
