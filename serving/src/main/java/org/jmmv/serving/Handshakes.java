package org.jmmv.serving;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Runs the handshakes of TLS, some 25 ms each, in a thread of its own, one after the other, and
 * those of users in turn. All methods are called in the event loop.
 */
final class Handshakes {
  private final Executor loop;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("TLS").factory());
  private final FairQueue<Deque<Runnable>> queue = new FairQueue<>();
  private boolean isRunning;

  /** Creates an object without handshakes. */
  Handshakes(Executor loop) {
    this.loop = loop;
  }

  /** What runs the handshake of one connection. */
  final class OfConnection implements Executor {
    private final FairQueue.Connection<Deque<Runnable>> connection;

    OfConnection(String user) {
      connection = queue.open(user, new ArrayDeque<>());
    }

    @Override
    public void execute(Runnable task) {
      connection.subject().add(task);
      queue.add(connection);
      runNext();
    }

    /** Drops what has not begun. Called when the connection has ended. */
    void close() {
      connection.subject().clear();
      queue.close(connection);
    }
  }

  private void runNext() {
    if (isRunning || queue.isEmpty()) {
      return;
    }
    isRunning = true;
    FairQueue.Connection<Deque<Runnable>> connection = queue.take();
    Runnable task = connection.subject().poll();
    thread.execute(() -> {
      long start = System.nanoTime();
      try {
        if (task != null) {
          task.run();
        }
      } finally {
        long nanos = System.nanoTime() - start;
        loop.execute(() -> end(connection, nanos));
      }
    });
  }

  private void end(FairQueue.Connection<Deque<Runnable>> connection, long nanos) {
    queue.end(connection, nanos, !connection.subject().isEmpty());
    isRunning = false;
    runNext();
  }
}
