package org.jmmv.reader.watch;

import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvFileReader;
import org.jmmv.reader.fault.Fault;

/** What the last examination of a file has found. Each state has the data that only it needs. */
sealed interface LoadState {
  /** Returns what is reported of a file in this state. */
  FileState shown();

  /** Returns why the file is not served, if that is to be reported; otherwise null. */
  default Fault fault() {
    return null;
  }

  /** Returns what has the mapping of a file that is not served, and shows changes; or null. */
  default MmvFileReader reader() {
    return null;
  }

  /** Returns when the file is tried again, whatever its status is; null: not until that changes. */
  default Retry retry() {
    return null;
  }

  /** Returns whether the state may change when a process opens or closes the file. */
  default boolean dependsOnWriter() {
    return shown() == FileState.SERVED
        || shown() == FileState.PROCESS_ENDED
        || shown() == FileState.STALE;
  }

  /** Not mapped: the file was not examined since it was found, or it is not there any more. */
  record Waiting() implements LoadState {
    @Override
    public FileState shown() {
      return FileState.WAITING;
    }
  }

  /**
   * Not served until its status or its generation changes, or its application is there again.
   *
   * @param reader null if the file is not mapped
   * @param fault null if nothing is wrong with the file: it was removed, it is excluded, or its
   *     application has ended ({@link Presence})
   */
  record LeftOut(MmvFileReader reader, FileState shown, Fault fault) implements LoadState {}

  /**
   * Not mapped: the file could not be opened, mapped or read for a passing reason, or it is in flux
   * and too many files are mapped in vain.
   *
   * @param retry when it is tried again
   * @param fault null for a file in flux
   */
  record Unavailable(Retry retry, FileState shown, Fault fault) implements LoadState {}

  /**
   * Too short for a header, or in flux: the application is writing it. Until that is a fault, what
   * is charged for a file that was served stays charged, so that no other file takes its place.
   *
   * @param reader null if the file is too short
   * @param cause why it is unfinished
   * @param since the time at which the file was first found to be unfinished
   * @param isReported whether it has lasted so long that it is a fault
   */
  record Unfinished(MmvFileReader reader, Fault cause, long since, boolean isReported)
      implements LoadState {
    @Override
    public FileState shown() {
      return reader == null ? FileState.TOO_SHORT : FileState.IN_FLUX;
    }

    @Override
    public Fault fault() {
      return isReported ? cause.afterWaiting() : null;
    }
  }

  /**
   * Not mapped: beyond the limits of the budget.
   *
   * @param counts the counts that the file would add to the budget; {@link MmvCounts#ONE_FILE} if
   *     the file was not read, because there was no room for any file
   */
  record OverBudget(MmvCounts counts, Fault fault) implements LoadState {
    @Override
    public FileState shown() {
      return FileState.OVER_LIMIT;
    }
  }

  /**
   * Mapped and read.
   *
   * @param inode the inode number of the mapped file, which a scan compares with each entry
   */
  record Served(MmvFile file, long inode) implements LoadState {
    Served(MmvFile file) {
      this(file, file.status().inode());
    }

    @Override
    public FileState shown() {
      return FileState.SERVED;
    }
  }
}
