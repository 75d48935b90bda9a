package org.jmmv.posix;

/** Whether any process of the system has a file open, or mapped, so that it can write to it. */
public enum OpenForWriting {
  NO(0),
  YES(1),
  /** This process may not ask, or the file system does not know. */
  UNKNOWN(2);

  private final int number;

  OpenForWriting(int number) {
    this.number = number;
  }

  /** Returns the number that stands for this answer in archives. */
  public int number() {
    return number;
  }
}
