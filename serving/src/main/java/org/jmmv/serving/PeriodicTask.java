package org.jmmv.serving;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jmmv.core.Turn;
import org.jmmv.pcp.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that nobody has asked for, and that is done again and again: in turns, like requests of a
 * user of its own, and for up to 2 % of all time.
 */
final class PeriodicTask implements Scheduler.Worker {
  private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);

  /** The part of the time is one of so many. */
  private static final int PART = 50;

  private final String name;
  private final long periodNanos;
  private final Server.Task task;
  private final ScheduledExecutorService loop;
  private final LongSupplier clock;
  private final Scheduler scheduler;
  private final Scheduler.Connection turns;
  private long begin;
  private long used;

  PeriodicTask(String name, Duration period, Server.Task task, ServingLoop loop) {
    this(name, period, task, loop.scheduler(), loop.executor(), System::nanoTime);
  }

  /** As the other constructor, for tests, with a clock in the place of the system's. */
  PeriodicTask(
      String name,
      Duration period,
      Server.Task task,
      Scheduler scheduler,
      ScheduledExecutorService loop,
      LongSupplier clock) {
    this.name = name;
    periodNanos = period.toNanos();
    this.task = task;
    this.loop = loop;
    this.clock = clock;
    this.scheduler = scheduler;
    turns = scheduler.open(User.of(User.Kind.ALL), this);
  }

  /** Begins to do the work once. */
  void begin() {
    begin = clock.getAsLong();
    used = 0;
    turns.await();
  }

  @Override
  public boolean work(Turn turn) {
    long start = clock.getAsLong();
    long shared = scheduler.sharedNanos();
    boolean hasMore = false;
    try {
      hasMore = task.work(turn);
    } catch (RuntimeException | InternalError e) {
      LOG.error("{}: ended for this time", name, e);
    }
    long now = clock.getAsLong();
    used += now - start - (scheduler.sharedNanos() - shared);
    if (!hasMore) {
      long pause = Math.max(periodNanos - (now - begin), (PART - 1) * used);
      loop.schedule(this::begin, Math.max(0, pause), TimeUnit.NANOSECONDS);
    }
    return hasMore;
  }

  @Override
  public void pause() {}
}
