package org.jmmv.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends what takes too long. Reading from a pipe can neither be interrupted nor limited in time, so
 * a thread watches and cuts the connection. Starting and stopping the timer costs a write to memory
 * each, and no signal to the thread: it looks again when the earliest possible time is up.
 */
final class ReplyTimer implements AutoCloseable {

  // Start times are odd, see start().
  private static final long STOPPED = 0;
  private static final long EXPIRED = 2;

  private final long timeout;
  private final Runnable onExpiry;
  private final AtomicLong started = new AtomicLong(STOPPED);
  private final Thread thread;
  private volatile boolean closed;

  /**
   * @param onExpiry called at most once, by the timer's thread
   */
  ReplyTimer(Duration timeout, Runnable onExpiry) {
    this.timeout = timeout.toNanos();
    this.onExpiry = onExpiry;
    this.thread = Thread.ofPlatform().daemon().name("agent reply timer").unstarted(this::watch);
    thread.start();
  }

  private void watch() {
    while (!closed) {
      long start = started.get();
      long left = start == STOPPED ? timeout : start + timeout - System.nanoTime();
      if (left > 0) {
        LockSupport.parkNanos(this, left);
      } else if (started.compareAndSet(start, EXPIRED)) {
        onExpiry.run();
        return;
      }
    }
  }

  /** Starts the timer; has no effect if it has ever expired. */
  void start() {
    long last = started.get();
    if (last != EXPIRED) {
      started.compareAndSet(last, System.nanoTime() | 1);
    }
  }

  /** Stops the timer, and returns whether it came too late. */
  boolean stop() {
    return started.updateAndGet(last -> last == EXPIRED ? EXPIRED : STOPPED) == EXPIRED;
  }

  /** Ends the thread. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
