package org.jmmv.serving;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jmmv.core.Catalog;
import org.jmmv.core.Turn;

/**
 * Calls {@link Catalog#idle} between requests, in the event loop that owns the catalogue. Files are
 * read while no request waits. While requests wait, only they read files, for the share of time
 * that {@link org.jmmv.reader.watch.WorkBudget} gives them.
 */
public final class Maintenance {
  /** The maximum time in nanoseconds for which a request waits for maintenance. */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** How long the loop waits for a request between two turns. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** How long it waits for the first request: it has often come while the files were read. */
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Catalog catalog;
  private final ScheduledExecutorService loop;
  private final BooleanSupplier doRequestsWait;
  private ScheduledFuture<?> next; // null: none is scheduled

  /**
   * Creates an object for a catalogue.
   *
   * @param loop the event loop that owns the catalogue
   * @param doRequestsWait returns whether any request that was read waits to be answered
   */
  Maintenance(Catalog catalog, ScheduledExecutorService loop, BooleanSupplier doRequestsWait) {
    this.catalog = catalog;
    this.loop = loop;
    this.doRequestsWait = doRequestsWait;
  }

  /** As the other constructor, for a single client, which awaits each reply. */
  public Maintenance(Catalog catalog, ScheduledExecutorService loop) {
    this(catalog, loop, () -> false);
  }

  /** Reads the files before the first request. */
  public void load() {
    catalog.load();
    schedule(FIRST_PAUSE_NANOS);
  }

  /** Does what follows the requests of one read: only what can't wait until there are none. */
  public void run() {
    idle(Turn.OVER);
  }

  private void idle(Turn turn) {
    long nanos = catalog.idle(turn);
    if (nanos >= 0) {
      schedule(Math.max(PAUSE_NANOS, nanos));
    }
  }

  /** Schedules a turn, unless one is that begins earlier. */
  private void schedule(long nanos) {
    if (next == null || nanos < next.getDelay(TimeUnit.NANOSECONDS)) {
      if (next != null) {
        next.cancel(false);
      }
      next = loop.schedule(this::takeTurn, nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void takeTurn() {
    next = null;
    if (doRequestsWait.getAsBoolean()) {
      schedule(PAUSE_NANOS);
      return;
    }
    long start = System.nanoTime();
    idle(Turn.of(TURN_NANOS));
    catalog.steps().add(start, System.nanoTime());
  }
}
