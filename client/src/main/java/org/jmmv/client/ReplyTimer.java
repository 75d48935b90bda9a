package org.jmmv.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A watchdog that ends the connection if a reply takes too long. A read from a pipe can neither be
 * interrupted nor given a timeout, so a thread watches the time. Starting and stopping the timer
 * are one atomic write each and do not wake the thread, which sleeps until the earliest possible
 * expiry.
 */
final class ReplyTimer implements AutoCloseable {

  // Start times are odd (see start), so they differ from these two.
  private static final long STOPPED = 0;
  private static final long EXPIRED = 2;

  private final long timeout;
  private final Runnable onExpiry;
  private final AtomicLong started = new AtomicLong(STOPPED);
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Creates a stopped timer.
   *
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

  /** Starts the timer. Has no effect after it has expired. */
  void start() {
    long last = started.get();
    if (last != EXPIRED) {
      started.compareAndSet(last, System.nanoTime() | 1);
    }
  }

  /** Stops the timer and returns whether it has expired. */
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
