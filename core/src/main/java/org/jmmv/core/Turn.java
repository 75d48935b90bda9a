package org.jmmv.core;

/**
 * A turn of the thread that owns a catalogue: how long its receiver may work. Long work goes on in
 * the next turn. It is handed down to the loop that does the work, which does at least one step in
 * each turn, and asks after each step, so that nothing below has a limit of its own.
 *
 * @param end as a time of {@link System#nanoTime}
 */
public record Turn(long end) {
  /** A turn that never ends, for a thread that has nothing else to do. */
  public static final Turn ENDLESS = new Turn(Long.MAX_VALUE);

  /** A turn that is over: there is no time for anything that can wait. */
  public static final Turn OVER = of(0);

  /**
   * Returns a turn that begins now.
   *
   * @param nanos how long it is, in nanoseconds
   */
  public static Turn of(long nanos) {
    return new Turn(System.nanoTime() + nanos);
  }

  /** Returns whether the turn is over: nothing more is begun in it. */
  public boolean isOver() {
    return end != ENDLESS.end && nanosLeft() == 0; // each metric of a fetch on a pipe asks
  }

  /** Returns how long the turn still is, in nanoseconds. */
  public long nanosLeft() {
    return Math.max(0, end - System.nanoTime());
  }
}
