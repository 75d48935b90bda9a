package org.jmmv.reader;

import java.util.Locale;

/**
 * What the agent does with an entry of the directory, and why. Archives keep the {@link #number},
 * so the number of a state never changes and is never used for another one. Numbers below 10 are
 * those of sound files, from 10 on those of files that can't be served, and from 20 on those of
 * entries that are not looked into.
 */
public enum FileState {
  /** The entry was found, and has not been read yet. */
  WAITING(0, "not read yet"),

  /** The file is served, perhaps not all of its metrics. */
  SERVED(1, ""),

  /** The application is writing the metadata: the generations differ or are 0. */
  IN_FLUX(2, "its application is writing it: its generations differ or are 0"),

  /** The file is too short for a header, which is normal while an application starts. */
  TOO_SHORT(3, "too short for a header; its application may be about to write it"),

  /** The file has the PROCESS flag, and its process has ended. */
  PROCESS_ENDED(4, "it has the PROCESS flag, and its process has ended"),

  /** The file is not an MMV file, or its header is invalid. */
  REFUSED(10, "not a valid MMV file"),

  /** The file was truncated while its metadata or values were read. */
  TRUNCATED(11, "truncated while it was read"),

  /** The file can't be opened or mapped, for example for lack of permission. */
  UNREADABLE(12, "can't be opened"),

  /** A limit of what is served is reached, or the file is larger than the limit for a file. */
  OVER_LIMIT(13, "over a limit"),

  /** The same file is already served under enough other names. */
  TOO_MANY_NAMES(14, "the same file is already served under enough other names"),

  /** The name begins with a dot. */
  HIDDEN(20, "its name begins with a dot"),

  /** A directory, or a symbolic link to one. */
  DIRECTORY(21, "a directory, or a symbolic link to one, not a regular file"),

  /** A FIFO, or a symbolic link to one. */
  FIFO(22, "a FIFO, or a symbolic link to one, not a regular file"),

  /** A socket, or a symbolic link to one. */
  SOCKET(23, "a socket, or a symbolic link to one, not a regular file"),

  /** A device, or a symbolic link to one. */
  DEVICE(24, "a device, or a symbolic link to one, not a regular file"),

  /** A symbolic link whose target does not exist or can't be reached. */
  DANGLING(25, "a symbolic link whose target does not exist or can't be reached"),

  /** The settings of the directory exclude the name. */
  EXCLUDED(26, "the settings exclude its name");

  private final int number;
  private final String reason;

  FileState(int number, String reason) {
    this.number = number;
    this.reason = reason;
  }

  /** Returns the number that stands for this state in archives. */
  public int number() {
    return number;
  }

  /** Returns the name for people, for example {@code in flux}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Returns why an entry in this state is not served, without details; empty if it is served. */
  String reason() {
    return reason;
  }
}
