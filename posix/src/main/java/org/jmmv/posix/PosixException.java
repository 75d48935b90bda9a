package org.jmmv.posix;

import java.io.IOException;

/** A failed call of the C library. The message is that of strerror(3). */
public final class PosixException extends IOException {
  private static final long serialVersionUID = 1;

  static final int ENOENT = 2;
  static final int EEXIST = 17;
  static final int EOPNOTSUPP = 95;
  private static final int EINTR = 4;
  static final int EAGAIN = 11;
  private static final int ENOMEM = 12;
  private static final int EACCES = 13;
  private static final int ENFILE = 23;
  private static final int EMFILE = 24;

  private final int errno;

  /**
   * Creates an exception.
   *
   * @param errno the error number: errno(3)
   */
  PosixException(int errno, String message) {
    super(message);
    this.errno = errno;
  }

  int errno() {
    return errno;
  }

  /**
   * Returns whether the same call can succeed later although the file has not changed: the process
   * or the system had no descriptor or no memory left, or a signal has interrupted the call.
   */
  public boolean isPassing() {
    return errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == EINTR;
  }

  /** Returns whether the reason is that a file or directory does not exist. */
  public boolean isMissing() {
    return errno == ENOENT;
  }

  /** Returns whether the reason is that the user of this process has no permission. */
  public boolean isDenied() {
    return errno == EACCES;
  }

  /** Returns whether the reason is that there is a file already. */
  public boolean isTaken() {
    return errno == EEXIST;
  }

  /** Returns whether the reason is a lock that another process holds: fcntl(2). */
  boolean isLocked() {
    return errno == EAGAIN || errno == EACCES;
  }
}
