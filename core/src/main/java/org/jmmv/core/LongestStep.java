package org.jmmv.core;

/**
 * The longest step of the last minute or two, for {@code mmv.control.agent.longest_step}: while a
 * step is taken, nobody else is served.
 */
public final class LongestStep {
  /** A minute. Without an end, a slow start would hide all later steps, for months. */
  private static final long PERIOD_NANOS = 60_000_000_000L;

  private long begun; // when the current period has
  private long longest; // in the current period
  private long before; // in the period before

  /**
   * Creates an object without steps.
   *
   * @param time the time now, as {@link System#nanoTime} returns it
   */
  public LongestStep(long time) {
    begun = time;
  }

  /** Adds a step, with the times of its beginning and its end. */
  public void add(long start, long end) {
    begin(end);
    longest = Math.max(longest, end - start);
  }

  /** Returns how long it has taken, in nanoseconds; 0 if there was none. */
  public long nanos(long time) {
    begin(time);
    return Math.max(before, longest);
  }

  /** Begins a period if the current one is over. */
  private void begin(long time) {
    if (time - begun >= PERIOD_NANOS) {
      before = time - begun < 2 * PERIOD_NANOS ? longest : 0;
      longest = 0;
      begun = time;
    }
  }
}
