package org.jmmv.core;

import java.util.function.LongSupplier;

/**
 * A turn of the thread that owns a catalogue: how long its receiver may work. Long work goes on in
 * the next turn. It is handed down to the loop that does the work, which does at least one step in
 * each turn, and asks after each step, so that nothing below has a limit of its own.
 *
 * @param end when it is over
 * @param clock of the end, in nanoseconds; usually {@link System#nanoTime}
 */
public record Turn(long end, LongSupplier clock) {
  /** A turn that never ends, for a thread that has nothing else to do. */
  public static final Turn ENDLESS = new Turn(Long.MAX_VALUE, System::nanoTime);

  /** A turn that is over: there is no time for anything that can wait. */
  public static final Turn OVER = of(0);

  /**
   * Returns a turn that begins now.
   *
   * @param nanos how long it is, in nanoseconds
   */
  public static Turn of(long nanos) {
    return of(nanos, System::nanoTime);
  }

  /** As {@link #of(long)}, with another clock than the system's. */
  public static Turn of(long nanos, LongSupplier clock) {
    return new Turn(clock.getAsLong() + nanos, clock);
  }

  /** Returns whether the turn is over: nothing more is begun in it. */
  public boolean isOver() {
    return end != ENDLESS.end && nanosLeft() == 0; // each metric of a fetch on a pipe asks
  }

  /** Returns how long the turn still is, in nanoseconds. */
  public long nanosLeft() {
    return Math.max(0, end - clock.getAsLong());
  }
}
