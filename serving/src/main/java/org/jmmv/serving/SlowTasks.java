package org.jmmv.serving;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import org.jmmv.pcp.FairQueue;
import org.jmmv.pcp.User;

/**
 * Runs tasks of clients that take tens of milliseconds, such as handshakes of TLS and the check of
 * a password, in a thread of its own: one after the other, and those of users in turn. All methods
 * are called in the event loop.
 */
public final class SlowTasks {
  private final Executor loop;
  private final LongSupplier clock;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("slow tasks").factory());
  private final FairQueue<Deque<Runnable>> queue = new FairQueue<>();
  private boolean isRunning;

  SlowTasks(Executor loop) {
    this(loop, System::nanoTime);
  }

  /** As the other constructor, for tests, with a clock in the place of the system's. */
  SlowTasks(Executor loop, LongSupplier clock) {
    this.loop = loop;
    this.clock = clock;
  }

  /** What runs the tasks of one connection. */
  public final class OfConnection implements Executor, AutoCloseable {
    private final FairQueue.Connection<Deque<Runnable>> connection;

    private OfConnection(User user) {
      connection = queue.open(user, new ArrayDeque<>());
    }

    @Override
    public void execute(Runnable task) {
      connection.subject().add(task);
      queue.add(connection);
      runNext();
    }

    /** Drops what has not begun. */
    @Override
    public void close() {
      connection.subject().clear();
      queue.close(connection);
    }
  }

  /**
   * Returns what runs the tasks of a connection, which closes it at its end.
   *
   * @param user the user at the other end
   */
  public OfConnection open(User user) {
    return new OfConnection(user);
  }

  private void runNext() {
    if (isRunning || queue.isEmpty()) {
      return;
    }
    isRunning = true;
    FairQueue.Connection<Deque<Runnable>> connection = queue.take();
    Runnable task = connection.subject().poll();
    thread.execute(() -> {
      long start = clock.getAsLong();
      try {
        if (task != null) {
          task.run();
        }
      } finally {
        long nanos = clock.getAsLong() - start;
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
