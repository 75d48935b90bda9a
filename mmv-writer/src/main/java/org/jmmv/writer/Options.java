package org.jmmv.writer;

import java.nio.file.Path;
import java.util.function.Consumer;

/** What is said of an application before it starts, see {@link MmvApplication.Builder}. */
final class Options {
  static final int NO_PREFIX = 1;
  static final int PROCESS = 2;
  static final int SENTINEL = 4;

  final String name;
  Path directory; // null: the usual one
  int cluster;
  int version = 2; // or 3, if there are labels
  int flags = PROCESS;
  boolean isKept;
  int maxValues = 4_096;
  int maxLabels = 255;
  Consumer<String> onProblem =
      problem -> System.getLogger("org.jmmv.writer").log(System.Logger.Level.WARNING, problem);

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

  boolean hasSentinel() {
    return (flags & SENTINEL) != 0;
  }

  /** Returns the maximum size of a name of a metric or instance, with the NUL. */
  int nameSize() {
    return version == 1 ? MmvImage.SHORT_NAME : MmvImage.STRING;
  }
}
