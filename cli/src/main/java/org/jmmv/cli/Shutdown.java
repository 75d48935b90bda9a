package org.jmmv.cli;

import java.nio.file.Path;

/**
 * The shutdown hook, which ends the process with the right exit status: 0 after SIGTERM and SIGINT,
 * the status given to {@link #exit} otherwise.
 */
final class Shutdown extends Thread {
  private volatile int status;
  private volatile Path socket;

  /** Has the hook delete the file of a Unix domain socket. */
  void deletes(Path socket) {
    this.socket = socket.toAbsolutePath();
  }

  /** Ends the process. */
  void exit(int status) {
    this.status = status;
    System.exit(status);
  }

  @Override
  public void run() {
    if (socket != null) {
      socket.toFile().delete();
    }
    Runtime.getRuntime().halt(status);
  }
}
