package org.jmmv.core;

/**
 * A turn of the thread that owns a catalogue: how long its receiver may work. Long work goes on in
 * the next turn. It is handed down to the loop that does the work, which does at least one step in
 * each turn, and asks after each step, so that nobody else measures time.
 */
@FunctionalInterface
public interface Turn {
  // no lambdas: each would be linked by the first fetch, because the AOT cache has none of these

  /** A turn that never ends, for a thread that has nothing else to do. */
  Turn ENDLESS = of(Long.MAX_VALUE);

  /** A turn that is over: there is no time for anything that can wait. */
  Turn OVER = of(0);

  /** Returns whether the turn is over: nothing more is begun in it. */
  boolean isOver();

  /** Returns how long the turn still is, in nanoseconds; {@link Long#MAX_VALUE} without an end. */
  default long nanosLeft() {
    return isOver() ? 0 : Long.MAX_VALUE;
  }

  /**
   * Returns a turn that begins now.
   *
   * @param nanos how long it is, in nanoseconds
   */
  static Turn of(long nanos) {
    return new Timed(System.nanoTime() + nanos);
  }

  /**
   * A turn with an end.
   *
   * @param end as a time of {@link System#nanoTime}
   */
  record Timed(long end) implements Turn {
    @Override
    public boolean isOver() {
      return nanosLeft() == 0;
    }

    @Override
    public long nanosLeft() {
      return Math.max(0, end - System.nanoTime());
    }
  }
}
