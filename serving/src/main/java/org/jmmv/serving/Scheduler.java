package org.jmmv.serving;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jmmv.core.LongestStep;
import org.jmmv.core.Turn;
import org.jmmv.pcp.FairQueue;
import org.jmmv.pcp.User;

/**
 * Decides whose requests an event loop serves next, as {@link FairQueue} orders them. A connection
 * is served for up to 1 ms at a time. A request that takes longer is not interrupted, but its user
 * is charged for all of it, except for work that serves everybody. After 1 ms the loop reads and
 * writes sockets, before it goes on.
 */
public final class Scheduler {
  /**
   * With a longer turn, one connection would delay all others; a shorter one would poll the sockets
   * more often.
   */
  private static final long TURN_NANOS = 1_000_000;

  private final ScheduledExecutorService loop;
  private final LongSupplier shared;
  private final LongestStep steps;
  private final LongSupplier clock;
  private final FairQueue<Worker> queue = new FairQueue<>();
  private final List<Worker> joined = new ArrayList<>(); // since the loop has read sockets
  private boolean isScheduled;
  private int replying; // number of connections

  /** What a connection does in its turns. */
  interface Worker {
    /**
     * Works until its turn is over, or it has nothing to do.
     *
     * @return whether it waits for another turn
     */
    boolean work(Turn turn);

    /** Called when the turn does not come before the loop reads sockets again. */
    void pause();
  }

  /** A connection in the loop. */
  final class Connection {
    private final FairQueue.Connection<Worker> entry;
    private boolean isReplying;

    private Connection(User user, Worker worker) {
      entry = queue.open(user, worker);
    }

    /** Has the connection wait for its turn, after what the loop does now. */
    void await() {
      queue.add(entry);
      joined.add(entry.subject());
      if (!isScheduled) {
        isScheduled = true;
        loop.execute(Scheduler.this::serve);
      }
    }

    /** Sets whether the connection has a reply that is not written completely. */
    void setReplying(boolean isSo) {
      replying += (isSo ? 1 : 0) - (isReplying ? 1 : 0);
      isReplying = isSo;
    }

    /** Removes the connection, which has ended. */
    void close() {
      setReplying(false);
      queue.close(entry);
    }
  }

  /**
   * Creates an object without connections.
   *
   * @param loop the event loop in which everything is called
   * @param shared returns the time that all turns together have spent on work that serves
   *     everybody, in nanoseconds
   * @param steps receives the turn of each connection
   */
  public Scheduler(ScheduledExecutorService loop, LongSupplier shared, LongestStep steps) {
    this(loop, shared, steps, System::nanoTime);
  }

  /** As the public constructor, for tests, with a clock in the place of the system's. */
  Scheduler(
      ScheduledExecutorService loop, LongSupplier shared, LongestStep steps, LongSupplier clock) {
    this.loop = loop;
    this.shared = shared;
    this.steps = steps;
    this.clock = clock;
  }

  /** Returns the time that turns have spent on work that serves everybody, in nanoseconds. */
  long sharedNanos() {
    return shared.getAsLong();
  }

  /** Returns whether any connection waits for a turn. */
  boolean doRequestsWait() {
    return !queue.isEmpty();
  }

  /** Returns whether any connection has a reply that is not written completely. */
  boolean isReplying() {
    return replying > 0;
  }

  Connection open(User user, Worker worker) {
    return new Connection(user, worker);
  }

  private void serve() {
    try {
      takeTurns();
    } finally {
      isScheduled = !queue.isEmpty();
      if (isScheduled) {
        joined.forEach(Worker::pause);
        loop.schedule(this::serve, 0, TimeUnit.NANOSECONDS); // an executed task would precede I/O
      }
      joined.clear();
    }
  }

  private void takeTurns() {
    Turn turn = Turn.of(TURN_NANOS, clock);
    long now = clock.getAsLong();
    while (!queue.isEmpty() && !turn.isOver()) {
      FairQueue.Connection<Worker> next = queue.take();
      long start = now;
      long sharedBefore = shared.getAsLong();
      boolean waitsAgain = false;
      try {
        waitsAgain = next.subject().work(turn);
      } finally {
        now = clock.getAsLong();
        steps.add(start, now);
        long own = now - start - (shared.getAsLong() - sharedBefore);
        queue.end(next, Math.max(0, own), waitsAgain);
      }
    }
  }
}
