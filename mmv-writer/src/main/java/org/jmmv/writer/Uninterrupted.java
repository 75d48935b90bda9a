package org.jmmv.writer;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Calls of file channels, in a thread of their own: a channel is closed for good if the thread that
 * uses it is interrupted, and an application may interrupt its threads at any time.
 */
final class Uninterrupted {
  private Uninterrupted() {}

  /**
   * Waits for a call, and does nothing else: while it waits for a CompletableFuture, a thread of a
   * pool runs other tasks, which could add metrics in the middle of an addition.
   */
  static <T> T call(Callable<T> call) throws IOException {
    FutureTask<T> task = new FutureTask<>(call);
    boolean isInterrupted = false;
    try {
      Thread thread = new Thread(task, "MMV file");
      thread.setDaemon(true);
      thread.start();
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause
          ? cause
          : new IOException(e.getCause().toString(), e); // no memory, or no address space
    } catch (OutOfMemoryError e) {
      throw new IOException("there can't be another thread", e);
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
