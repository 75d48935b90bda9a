package org.jmmv.cli.command;

/** The exit statuses of {@code jmmv}. */
public final class ExitStatus {
  /** There is nothing to complain about. */
  public static final int GOOD = 0;

  /** A file has faults, or the server that was asked is not as it should be. */
  public static final int FAULTY = 1;

  /** The command can't do its work, for example because there is no such file. */
  public static final int FAILED = 2;

  private ExitStatus() {}
}
