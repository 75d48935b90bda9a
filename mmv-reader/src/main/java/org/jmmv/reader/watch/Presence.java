package org.jmmv.reader.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.OpenForWriting;
import org.jmmv.reader.MmvHeader;
import org.jmmv.reader.MmvSchema;

/**
 * What is known about the application of a file, and whether the file is to be served as far as
 * that is concerned.
 *
 * <p>The process ID in a file is one of the application's own PID namespace. But the kernel tells
 * whether any process has the file open, or mapped, for writing ({@link OpenForWriting}). {@link
 * WriterRounds} asks it, and between two answers only the process ID is looked at: a process that
 * existed while the file was open is the application, and when it ends, so does the file.
 */
final class Presence {
  private static final long SECOND = 1_000_000_000;

  /** The time between two questions about a file that is open for writing, or has just changed. */
  private static final long SHORTEST = 2 * SECOND;

  /**
   * A run of the application, as the file shows it. An application that starts again within a
   * second often has the same inode and generation.
   */
  private record Run(FileId file, MmvHeader header) {
    boolean hasFlag() {
      return (header.flags() & MmvSchema.FLAG_PROCESS) != 0;
    }

    boolean hasEnded() {
      return MmvSchema.hasEnded(header.pid());
    }
  }

  private final WatchedDirectory directory;
  private Run run; // null: no file was read yet
  private OpenForWriting writer = OpenForWriting.UNKNOWN;
  private boolean wasOpen;
  private long lastOpen; // when it was last found open
  private boolean isByProcess; // whether the process existed then
  private boolean isStale;
  private Retry question; // when the kernel was last asked, and is asked again

  Presence(WatchedDirectory directory) {
    this.directory = directory;
  }

  /**
   * Called when a file was read. What was known about another file or an earlier run is forgotten,
   * and all that was known if the settings do not need it any more.
   */
  void begin(FileId read, MmvHeader header, long time) {
    Run current = new Run(read, header);
    if (!current.equals(run) || !needsWriter()) {
      run = current;
      writer = OpenForWriting.UNKNOWN;
      wasOpen = false;
      isStale = false;
    }
    question = new Retry(time, 0);
  }

  /** Returns whether the file is to be served. Allocates nothing. */
  boolean admitsFile() {
    if (isStale || !run.hasFlag()) {
      return !isStale;
    }
    return switch (rules().process()) {
      case IGNORE -> true;
      case PID -> !run.hasEnded();
      case OPEN -> writer != OpenForWriting.NO;
      case AUTO ->
          run.hasEnded()
              ? writer == OpenForWriting.YES && !isByProcess
              : writer != OpenForWriting.NO || !wasOpen;
    };
  }

  /** Returns whether the file is not served only because it has not been written for long. */
  boolean isStale() {
    return isStale;
  }

  /** Returns the header of the file that was read last. */
  MmvHeader header() {
    return run.header;
  }

  OpenForWriting writer() {
    return writer;
  }

  /** Returns whether it matters whether the file is open for writing. */
  boolean needsWriter() {
    return rules().needWriters();
  }

  /** Returns whether the kernel is to be asked. */
  boolean isDue(long time) {
    return question.isDue(time);
  }

  /** Called when the file could not be opened. What is known stays. */
  void postpone(long time) {
    question = new Retry(time, longer());
  }

  /**
   * Called with an answer of the kernel.
   *
   * @param status a status of the file
   * @param time the time now
   * @param now the time of day
   */
  void answer(OpenForWriting found, FileStatus status, long time, Instant now) {
    boolean isAsBefore = found == writer;
    writer = found;
    if (found == OpenForWriting.YES) {
      wasOpen = true;
      lastOpen = time;
      isByProcess = !run.hasEnded();
    }
    Optional<Duration> staleAfter = rules().staleAfter();
    boolean canBeStale = found == OpenForWriting.NO && staleAfter.isPresent();
    isStale = canBeStale && unusedFor(status, time, now) >= staleAfter.get().toNanos();
    boolean isSettled = isAsBefore && found != OpenForWriting.YES && (isStale || !canBeStale);
    boolean matters = run.hasFlag() || staleAfter.isPresent();
    question = new Retry(time, !matters ? Retry.LONGEST : isSettled ? longer() : SHORTEST);
  }

  /** Returns for how long no process has had the file open, or has written it, in nanoseconds. */
  private long unusedFor(FileStatus status, long time, Instant now) {
    Duration since = Duration.between(status.modifiedTime(), now);
    long unwritten = Math.max(0, TimeUnit.NANOSECONDS.convert(since)); // at most 292 years
    return wasOpen ? Math.min(unwritten, time - lastOpen) : unwritten;
  }

  private long longer() {
    return Math.clamp(2 * question.delay(), SHORTEST, Retry.LONGEST);
  }

  private FileRules rules() {
    return directory.settings().rules();
  }
}
