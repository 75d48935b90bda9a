package org.jmmv.reader.watch;

import java.util.Locale;
import org.jmmv.reader.fault.FaultKind;

/**
 * What the agent does with an entry of the directory, and why. Archives keep the {@link #number},
 * so the number of a state never changes and is never used for another one: 14 was that of files
 * with more than eight names. Numbers below 10 are those of sound files, from 10 on those of files
 * that can't be served, and from 20 on those of entries that are not looked into.
 */
public enum FileState {
  /** The entry was found, and has not been read yet. */
  WAITING(0, FaultKind.NOT_READ_YET),

  /** The file is served, perhaps not all of its metrics. */
  SERVED(1, null),

  /** The application is writing the metadata: the generations differ or are 0. */
  IN_FLUX(2, FaultKind.BEING_WRITTEN),

  /** The file is too short for a header, which is normal while an application starts. */
  TOO_SHORT(3, FaultKind.NO_HEADER_YET),

  /** The file has the PROCESS flag, and its application has ended. */
  PROCESS_ENDED(4, FaultKind.PROCESS_ENDED),

  /** No process has the file open for writing, and it has not been written for long. */
  STALE(5, FaultKind.STALE),

  /** The file is not an MMV file, or its header is invalid. */
  REFUSED(10, FaultKind.REMOVED),

  /** The file was truncated while its metadata or values were read. */
  TRUNCATED(11, FaultKind.REMOVED),

  /** The file can't be opened or mapped, for example for lack of permission. */
  UNREADABLE(12, FaultKind.REMOVED),

  /** A limit of what is served is reached, or the file is larger than the limit for a file. */
  OVER_LIMIT(13, FaultKind.REMOVED),

  /** The name begins with a dot. */
  HIDDEN(20, FaultKind.HIDDEN),

  /** A directory, or a symbolic link to one. */
  DIRECTORY(21, FaultKind.DIRECTORY),

  /** A FIFO, or a symbolic link to one. */
  FIFO(22, FaultKind.FIFO),

  /** A socket, or a symbolic link to one. */
  SOCKET(23, FaultKind.SOCKET),

  /** A device, or a symbolic link to one. */
  DEVICE(24, FaultKind.DEVICE),

  /** A symbolic link whose target does not exist or can't be reached. */
  DANGLING(25, FaultKind.DANGLING),

  /** The settings of the directory exclude the name. */
  EXCLUDED(26, FaultKind.EXCLUDED);

  private final int number;
  private final FaultKind reason;

  FileState(int number, FaultKind reason) {
    this.number = number;
    this.reason = reason;
  }

  /** Returns the number that stands for this state in archives. */
  public int number() {
    return number;
  }

  /** Returns whether the entry is looked into: a regular file that the settings do not exclude. */
  public boolean isOfFile() {
    return number < HIDDEN.number;
  }

  /** Returns the name for people, for example {@code in flux}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /**
   * Returns why an entry in this state is not served if it has no faults; null if it is served. An
   * entry of which something is wrong has faults, unless it has been removed since.
   */
  FaultKind reason() {
    return reason;
  }
}
