package org.jmmv.cli;

/**
 * The shutdown hook. It ends the process with the status that was passed to {@link #exit}, or with
 * 0 after SIGTERM and SIGINT, for which the JVM's own status would be 143 and 130.
 */
final class Shutdown extends Thread {
  private volatile int status;
  private volatile Runnable action = () -> {};

  /** Makes the hook run an action first, which must end soon. */
  void runs(Runnable action) {
    this.action = action;
  }

  /** Ends the process with an exit status. */
  void exit(int status) {
    this.status = status;
    System.exit(status);
  }

  @Override
  public void run() {
    action.run();
    Runtime.getRuntime().halt(status);
  }
}
