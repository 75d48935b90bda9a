package org.jmmv.qa;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A thread that carries out attacks in a directory, one change of each in turn. */
final class Attacker implements AutoCloseable {
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Map<Attack, Site> sites = new EnumMap<>(Attack.class);
  private volatile boolean hasBegun;
  private volatile boolean stopped;
  private Future<?> work;

  /**
   * Creates an attacker that has not begun.
   *
   * @param isFull whether the attacks have their full size
   */
  Attacker(Path directory, List<Attack> attacks, boolean isFull) {
    for (Attack attack : attacks) {
      sites.put(attack, new Site(directory, "b_" + attack.label().replace("-", "_") + "_", isFull));
    }
  }

  /** Begins all attacks, and then continues them for this time. */
  void start(Duration time) {
    work =
        thread.submit(() -> {
          for (Map.Entry<Attack, Site> attack : sites.entrySet()) {
            attack.getKey().begin(attack.getValue());
          }
          hasBegun = true;
          long start = System.nanoTime();
          for (int round = 0; !stopped && System.nanoTime() - start < time.toNanos(); round++) {
            again(round);
          }
          return null;
        });
  }

  private void again(int round) throws IOException {
    for (Map.Entry<Attack, Site> attack : sites.entrySet()) {
      attack.getKey().again(attack.getValue(), round);
      attack.getValue().pause();
    }
  }

  /** Removes all files. */
  void leave() {
    work =
        thread.submit(() -> {
          for (Site site : sites.values()) {
            site.clear();
          }
          return null;
        });
  }

  /** Returns whether all attacks have begun: all their files have been there at least once. */
  boolean hasBegun() {
    return hasBegun;
  }

  /** Returns whether there is nothing left to do; fails if the attacker has failed. */
  boolean isDone() {
    if (!work.isDone()) {
      return false;
    }
    try {
      work.get();
      return true;
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("the attacker has failed", e);
    }
  }

  @Override
  public void close() {
    stopped = true;
    thread.close();
  }
}
