package org.jmmv.qa.check;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A part that runs, has run, or could not. */
final class Run {
  private static final int KILL_SECONDS = 30;
  private static final int INTERRUPTED = 128 + 2; // exit status after SIGINT
  private static final int NOT_ALLOWED = 77; // exit status of what this machine does not allow

  /** How a part has ended. */
  enum Outcome {
    PASSED,
    FAILED,
    /** Some tests could not run, and none has failed. */
    PARTLY,
    /** No test could run. */
    NOT_RUN,
    /** It was killed. */
    INTERRUPTED
  }

  private final Part part;
  private final Path file;
  private final long start = System.nanoTime();
  private final Process process; // null: it was not started
  private final String reason; // why it was not started
  private Duration duration = Duration.ZERO;
  private boolean isKilled;

  private Run(Part part, Path file, Process process, String reason) {
    this.part = part;
    this.file = file;
    this.process = process;
    this.reason = reason;
  }

  /** Starts a part, whose log replaces that of its last run. */
  static Run start(Part part, Path logs, Options options) {
    Path file = logs.resolve(part.label() + ".log");
    try {
      Files.deleteIfExists(file);
      ProcessBuilder builder =
          new ProcessBuilder(part.command(options))
              .redirectInput(new File("/dev/null"))
              .redirectErrorStream(true)
              .redirectOutput(file.toFile());
      if (options.isNightly()) {
        builder.environment().put("JMMV_NIGHTLY", "true");
      }
      return new Run(part, file, builder.start(), "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A part that does not start. */
  static Run notStarted(Part part, Path logs, String reason) {
    return new Run(part, logs.resolve(part.label() + ".log"), null, reason);
  }

  Part part() {
    return part;
  }

  Path file() {
    return file;
  }

  /** Returns whether it has ended. */
  boolean hasEnded() {
    if (process != null && duration.isZero() && !process.isAlive()) {
      duration = soFar();
    }
    return process == null || !duration.isZero();
  }

  /** Returns whether SIGINT has ended it: Ctrl-C at a terminal reaches all processes. */
  boolean hasEndedByInterrupt() {
    return process != null && hasEnded() && process.exitValue() == INTERRUPTED;
  }

  /** Returns how long it took, or takes so far. */
  Duration duration() {
    return hasEnded() ? duration : soFar();
  }

  private Duration soFar() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  Log log() {
    return process == null ? new Log(List.of()) : Log.of(file);
  }

  /** Returns how it has ended. */
  Outcome outcome() {
    if (isKilled) {
      return Outcome.INTERRUPTED;
    }
    if (process == null || process.exitValue() == NOT_ALLOWED) {
      return Outcome.NOT_RUN;
    }
    Log.Count count = log().count();
    if (process.exitValue() != 0 || count.failed() > 0) {
      return Outcome.FAILED;
    }
    if (count.skipped() == 0) {
      return Outcome.PASSED;
    }
    return count.passed() > 0 ? Outcome.PARTLY : Outcome.NOT_RUN;
  }

  /** Returns why it, or one of its tests, could not run; a line for each. */
  List<String> reasons() {
    if (process == null || isKilled) {
      return process == null ? List.of(reason) : List.of();
    }
    Log log = log();
    return process.exitValue() == NOT_ALLOWED ? List.of(log.lastLine()) : log.reasons();
  }

  /** Ends it, with all its processes, and waits for that: tests restore what they have changed. */
  void kill() {
    isKilled = true;
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    process.onExit().orTimeout(KILL_SECONDS, TimeUnit.SECONDS).handle((_, late) -> late).join();
  }
}
