package org.jmmv.core;

/**
 * A turn of the thread that owns a catalogue: how long whoever has it may work. Long work goes on
 * in the next turn. It is handed down to the loop that does the work, which does at least one step
 * in each turn, and asks after each step, so that nobody else measures time.
 */
@FunctionalInterface
public interface Turn {
  /** A turn that never ends, for a thread that has nothing else to do meanwhile. */
  Turn ENDLESS = () -> false;

  /** Returns whether the turn is over: nothing more is begun in it. */
  boolean isOver();

  /**
   * Returns a turn that begins now.
   *
   * @param nanos how long it is, in nanoseconds
   */
  static Turn of(long nanos) {
    long end = System.nanoTime() + nanos;
    return () -> System.nanoTime() - end >= 0;
  }
}
