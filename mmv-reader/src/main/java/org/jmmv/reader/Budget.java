package org.jmmv.reader;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts what is served, and keeps the counts within {@link Limits}, for all files and for those of
 * each user. Several directories may share a budget if one thread owns them all.
 */
public final class Budget {
  private Limits limits;
  private MmvCounts most;
  private MmvCounts mostOfOneUser;
  private final Map<Long, Owner> owners = new HashMap<>();
  private MmvCounts taken = MmvCounts.NONE;

  /** Creates a budget of which nothing is used. */
  public Budget(Limits limits) {
    setLimits(limits);
  }

  /**
   * Replaces the limits. Less may be permitted now than is used; {@link MmvDirectories#reload} then
   * leaves files out.
   */
  public void setLimits(Limits limits) {
    this.limits = limits;
    most = limits.all();
    mostOfOneUser = limits.ofOneUser();
  }

  /** Returns the limits. */
  public Limits limits() {
    return limits;
  }

  /** Returns what is used of the limits. */
  public MmvCounts used() {
    return taken;
  }

  /** Returns the owner of the files of a user. */
  Owner owner(int uid) {
    return owners.computeIfAbsent(Owner.idOf(uid), Owner::new);
  }

  /** Forgets owners who have no files any more. */
  void forgetIdleOwners() {
    owners.values().removeIf(Owner::isIdle);
  }

  /** Returns whether more is used than the limits permit. */
  boolean isExceeded() {
    return !taken.isWithin(most);
  }

  /** Returns whether counts of one file can be added within the limits. */
  boolean hasRoom(MmvCounts counts) {
    return !isTooLarge(counts) && taken.plus(counts).isWithin(most);
  }

  /** Returns whether counts can be added, if necessary in the place of files of another owner. */
  boolean canMakeRoom(Owner owner, MmvCounts counts) {
    return hasRoom(counts) || rival(owner, counts) != null;
  }

  /**
   * Returns another owner who uses more than the share of one user, so much that counts can be
   * added in the place of what exceeds the share, provided that {@code owner} then uses no more
   * than a share; otherwise null.
   */
  Owner rival(Owner owner, MmvCounts counts) {
    if (!isTooLarge(counts) && owner.taken.plus(counts).isWithin(mostOfOneUser)) {
      for (Owner other : owners.values()) {
        MmvCounts excess = other.taken.excess(mostOfOneUser);
        if (other != owner
            && !other.served.isEmpty()
            && taken.plus(counts).minus(excess).isWithin(most)) {
          return other;
        }
      }
    }
    return null;
  }

  /**
   * Returns the limit because of which counts of one file can't be added, for example "the limit of
   * 1000 metrics in all (--max-metrics)".
   */
  String obstacle(MmvCounts counts) {
    return isTooLarge(counts)
        ? "the limit of %d MiB of memory for one file (half of --max-memory)"
            .formatted(limits.memoryOfOneFile() >> 20)
        : most.limit(taken.plus(counts).exceeded(most));
  }

  private boolean isTooLarge(MmvCounts counts) {
    return counts.memory() > limits.memoryOfOneFile();
  }

  void take(Owner owner, MmvCounts counts) {
    taken = taken.plus(counts);
    owner.taken = owner.taken.plus(counts);
  }

  void giveBack(Owner owner, MmvCounts counts) {
    taken = taken.minus(counts);
    owner.taken = owner.taken.minus(counts);
  }
}
