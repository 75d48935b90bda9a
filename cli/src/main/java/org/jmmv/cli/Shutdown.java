package org.jmmv.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The shutdown hook. It ends the process with the status that was passed to {@link #exit}, or with
 * 0 after SIGTERM and SIGINT, for which the JVM's own status would be 143 and 130. After a signal
 * it first has the main thread stop serving, and waits until that has closed the catalogue.
 */
final class Shutdown extends Thread implements AutoCloseable {
  /**
   * How long it waits, so that a signal ends the process whatever the main thread does. Usually
   * that takes milliseconds, and up to 3 s while replies are written.
   */
  private static final int MAX_SECONDS = 30;

  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile int status;
  private volatile Runnable stop; // null: the main thread does not serve

  /**
   * Sets what stops the main thread at a signal. Its last action then is {@link #exit} or {@link
   * #close}.
   */
  void stopsWith(Runnable action) {
    stop = action;
  }

  /** Ends the process with an exit status. */
  void exit(int status) {
    this.status = status;
    close();
    System.exit(status); // does not return if the hook runs already
  }

  /** Tells the hook that all is closed. */
  @Override
  public void close() {
    closed.countDown();
  }

  @Override
  public void run() {
    int result = status; // after a signal, that of the main thread does not matter
    if (stop != null) {
      stop.run();
      try {
        boolean _ = closed.await(MAX_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) { // nobody interrupts the hook
        throw new IllegalStateException(e);
      }
    }
    Runtime.getRuntime().halt(result);
  }
}
