package org.jmmv.posix;

/** Whether any process of the system has a file open, or mapped, so that it can write to it. */
public enum OpenForWriting {
  NO,
  YES,
  /** This process may not ask, or the file system has no leases: fcntl(2). */
  UNKNOWN
}
