package org.jmmv.pmda;

import java.nio.file.Path;

/**
 * The last thing that the process does, whether it has come to its end by itself or was asked to by
 * a signal: SIGTERM and SIGINT are good ends, with exit status 0.
 */
final class Shutdown extends Thread {
  private volatile int status;
  private volatile Path socket;

  /** From now on, there is a socket's file to be removed in the end. */
  void removes(Path socket) {
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
