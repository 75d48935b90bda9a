package org.jmmv.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The shutdown hook. After SIGTERM and SIGINT it ends the process with status 0, for which the
 * JVM's own status would be 143 and 130. It first has the main thread stop serving, and waits until
 * that has closed the catalogue.
 */
final class Shutdown extends Thread implements AutoCloseable {
  /**
   * How long it waits, so that a signal ends the process whatever the main thread does. Usually
   * that takes milliseconds, and up to 3 s while replies are written.
   */
  private static final int MAX_SECONDS = 30;

  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Runnable stop; // null: the main thread does not serve

  /** Creates a hook that is called at a signal from now on. */
  Shutdown() {
    Runtime.getRuntime().addShutdownHook(this);
  }

  /** Sets what stops the main thread at a signal. Its last action then is {@link #close}. */
  void stopsWith(Runnable action) {
    stop = action;
  }

  /**
   * Tells the hook that all is closed. If there was no signal, it is not called any more: the
   * process ends with the status of {@link System#exit}.
   */
  @Override
  public void close() {
    closed.countDown();
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(this);
    } catch (IllegalStateException e) {
      // there was a signal, and the hook ends the process
    }
  }

  @Override
  public void run() {
    if (stop != null) {
      stop.run();
      try {
        boolean _ = closed.await(MAX_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) { // nobody interrupts the hook
        throw new IllegalStateException(e);
      }
    }
    Runtime.getRuntime().halt(0);
  }
}
