package org.jmmv.reader.watch;

import java.time.InstantSource;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixException;

/** When a directory is to be scanned, and from which entry on. */
final class ScanSchedule {
  /**
   * 50 ms. The resolution of a directory's times is the kernel's tick (up to 10 ms). If the
   * directory has changed less than 50 ms before a scan, a later change may leave the time as it
   * is, so the directory is scanned again.
   */
  private static final long YOUNG_NANOS = 50_000_000;

  /** The name by which {@link PosixDirectory} refers to the directory itself. */
  private static final String ITSELF = "";

  private final PosixDirectory posix;
  private final InstantSource clock;
  private FileStatus status; // of the directory when it was last read from the beginning
  private boolean isInvalid = true; // whether no scan has begun since invalidate()
  private boolean isYoung; // whether a later change may leave that status as it is
  private long position; // of the entry that the next scan reads first
  private boolean isOtherDirectory;
  private Retry retry; // when a scan is due after a passing problem; null if there was none

  /**
   * Creates the schedule of a directory that has not been scanned.
   *
   * @param clock the time of day
   */
  ScanSchedule(PosixDirectory posix, InstantSource clock) {
    this.posix = posix;
    this.clock = clock;
  }

  /**
   * Returns whether a scan may find changes: the directory's status has changed, or its time was
   * recent at the last scan, or that scan has not read all entries, or could not read the directory
   * for a passing reason.
   *
   * @param time the time in nanoseconds of {@link System#nanoTime}
   */
  boolean isDue(long time) {
    return isYoung
        || isUnfinished()
        || !posix.hasStatus(ITSELF, status) // by its path: another directory may be there now
        || (retry != null && retry.isDue(time));
  }

  /** Returns whether the next scan has to read other entries, or all again. */
  boolean isUnfinished() {
    return isInvalid || position != 0;
  }

  /** Has all entries be read again. */
  void invalidate() {
    isInvalid = true;
  }

  /** Has another request scan the directory even if its status does not change. */
  void setYoung() {
    isYoung = true;
  }

  /** Returns the position of the entry that the next scan reads first; 0 at the beginning. */
  long position() {
    return position;
  }

  /** Returns the status of the directory when it was last read; null if it had none. */
  FileStatus status() {
    return status;
  }

  /**
   * Returns whether the scan is of another directory than the one before: perhaps of another file
   * system, whose files have the same inode numbers.
   */
  boolean isOtherDirectory() {
    return isOtherDirectory;
  }

  /** Called when the directory is about to be read from the beginning. */
  void begin() {
    FileStatus before = status;
    status = posix.status(ITSELF);
    isOtherDirectory =
        before == null || status == null || !FileId.of(before).equals(FileId.of(status));
    long changed = status == null ? 0 : status.changed();
    isInvalid = false;
    isYoung = Math.abs(clock.millis() * 1_000_000 - changed) < YOUNG_NANOS;
  }

  /** Called when entries were read; the next ones begin at a position, or 0 if there are none. */
  void readTo(long next) {
    position = next;
    retry = null;
  }

  /** Called when the directory could not be read. */
  void fail(PosixException problem, long time) {
    position = 0;
    retry = problem.isPassing() ? Retry.after(retry, time) : null;
  }
}
