package org.jmmv.core;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jmmv.pcp.StateChange;

/**
 * Records when names and labels last changed. A session compares the version it has last reported
 * with this record, and so reports each change to its client once.
 */
public final class Changes {
  private final long epoch = ThreadLocalRandom.current().nextLong() >>> 11; // exact in JSON
  private long version;
  private long namesChanged;
  private long labelsChanged;
  private final Set<Runnable> listeners = new LinkedHashSet<>();

  /**
   * Records a change of the metrics' names.
   *
   * @param withLabels whether labels have changed, too
   */
  void add(boolean withLabels) {
    version++;
    namesChanged = version;
    if (withLabels) {
      labelsChanged = version;
    }
    listeners.forEach(Runnable::run);
  }

  /** Has an action run after each change. It must call neither this method nor {@link #forget}. */
  public void listen(Runnable action) {
    listeners.add(action);
  }

  /** Ends {@link #listen}. */
  public void forget(Runnable action) {
    listeners.remove(action);
  }

  /**
   * Returns a random number from 0 to 2^53 - 1, chosen when this object was created. A client that
   * outlives this process compares it, too, because the next process counts its versions from 0.
   */
  public long epoch() {
    return epoch;
  }

  /** Returns the number of changes so far. */
  public long version() {
    return version;
  }

  /**
   * Returns the changes after a version.
   *
   * @param reported a value that {@link #version} has returned
   * @return bits of {@link StateChange}, 0 if there was no change
   */
  public int since(long reported) {
    return (namesChanged > reported ? StateChange.NAMES : 0)
        | (labelsChanged > reported ? StateChange.LABELS : 0);
  }
}
