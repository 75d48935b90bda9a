package org.jmmv.cli;

/** The exit statuses of {@code jmmv}. */
final class ExitStatus {
  /** There is nothing to complain about. */
  static final int GOOD = 0;

  /** A file has faults, or the server that was asked is not as it should be. */
  static final int FAULTY = 1;

  /** The command can't do its work, for example because there is no such file. */
  static final int FAILED = 2;

  private ExitStatus() {}
}
