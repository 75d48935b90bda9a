package org.jmmv.writer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Calls of file channels, in a thread of their own: a channel is closed for good if the thread that
 * uses it is interrupted, and an application may interrupt its threads at any time.
 */
final class Uninterrupted {
  private Uninterrupted() {}

  /** What may be interrupted. */
  interface Call<T> {
    T call() throws IOException;
  }

  static <T> T call(Call<T> call) throws IOException {
    CompletableFuture<T> result =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return call.call();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            task -> {
              Thread thread = new Thread(task, "MMV file");
              thread.setDaemon(true);
              thread.start();
            });
    try {
      return result.join(); // not interrupted
    } catch (CompletionException e) {
      throw e.getCause() instanceof UncheckedIOException cause
          ? cause.getCause()
          : new IOException(e.getCause().toString(), e); // no memory, or no address space
    } catch (OutOfMemoryError e) {
      throw new IOException("there can't be another thread", e);
    }
  }
}
