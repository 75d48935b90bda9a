package org.jmmv.reader.watch;

import java.util.HashMap;
import java.util.Map;
import org.jmmv.pcp.User;
import org.jmmv.reader.watch.Owner.Charge;

/**
 * Counts what is served, and keeps the counts within {@link Limits}, for all files and for those of
 * each user. Several directories may share a budget if one thread owns them all.
 */
public final class Budget {
  private Limits limits;
  private MmvCounts max;
  private MmvCounts maxOfOneUser;
  private final Map<User, Owner> owners = new HashMap<>();
  private MmvCounts taken = MmvCounts.NONE;
  private MmvCounts maxTaken; // by any owner; null after a change

  /** Creates a budget of which nothing is used. */
  public Budget(Limits limits) {
    setLimits(limits);
  }

  /**
   * Replaces the limits. Less may be permitted now than is used; {@link DirectoryWatcher#reload}
   * then leaves files out.
   */
  public void setLimits(Limits limits) {
    this.limits = limits;
    max = MmvCounts.max(limits);
    maxOfOneUser = MmvCounts.maxOfOneUser(limits);
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
    return owners.computeIfAbsent(User.of(uid), Owner::new);
  }

  /** Forgets owners who have no files any more. */
  void forgetIdleOwners() {
    owners.values().removeIf(Owner::isIdle);
  }

  /** Returns whether more is used than the limits permit. */
  boolean isExceeded() {
    return !taken.isWithin(max);
  }

  /** Returns whether counts of one file can be added within the limits. */
  boolean hasRoom(MmvCounts counts) {
    return !isTooLarge(counts) && taken.plus(counts).isWithin(max);
  }

  /** Returns whether counts can be added, if necessary in the place of files of other owners. */
  boolean canMakeRoom(Owner owner, MmvCounts counts) {
    return hasRoom(counts) || rival(owner, counts) != null;
  }

  /**
   * Returns another owner whose last file is to be left out, so that counts can be added; null if
   * there is none. An owner is entitled to an equal part of each limit, and may get more from those
   * who use still more, but never more than the share of one user.
   *
   * <p>Nobody is left with less than an equal part or than the owner then has, except for the size
   * of a file; and nobody gives up a file in vain.
   */
  Owner rival(Owner owner, MmvCounts counts) {
    MmvCounts wanted = owner.taken.plus(counts);
    if (isTooLarge(counts) || !wanted.isWithin(maxOfOneUser)) {
      return null;
    }
    MmvCounts spared = wanted.max(max.dividedBy(owners.size()));
    MmvCounts sum = taken.plus(counts);
    int exceeded = sum.exceeded(max);
    long largest = spared.number(exceeded);
    if (maxTaken().number(exceeded) <= largest) { // quickly: thousands of files may wait for room
      return null;
    }
    Owner rival = null;
    for (Owner other : owners.values()) {
      if (other != owner && !other.served.isEmpty() && !other.taken.isWithin(spared)) {
        sum = sum.minus(other.taken.excess(spared));
        if (other.taken.number(exceeded) > largest) {
          largest = other.taken.number(exceeded);
          rival = other;
        }
      }
    }
    return sum.isWithin(max) ? rival : null;
  }

  /** Returns the most of each limit that any owner uses. */
  private MmvCounts maxTaken() {
    if (maxTaken == null) {
      maxTaken = MmvCounts.NONE;
      for (Owner owner : owners.values()) {
        maxTaken = maxTaken.max(owner.taken);
      }
    }
    return maxTaken;
  }

  /**
   * Returns the limit because of which counts of one file can't be added, for example "the limit of
   * 1000 metrics in all (--max-metrics)".
   */
  String obstacle(MmvCounts counts) {
    return isTooLarge(counts)
        ? "the limit of %d MiB of memory for one file (half of --max-memory)"
            .formatted(limits.memoryOfOneFile() >> 20)
        : max.limit(taken.plus(counts).exceeded(max));
  }

  private boolean isTooLarge(MmvCounts counts) {
    return counts.memory() > limits.memoryOfOneFile();
  }

  /** Adds what a file needs. */
  void take(Charge charge) {
    if (!charge.isNone()) {
      taken = taken.plus(charge.counts());
      charge.owner().taken = charge.owner().taken.plus(charge.counts());
      maxTaken = null;
    }
  }

  /** Subtracts what a file has needed. */
  void giveBack(Charge charge) {
    if (!charge.isNone()) {
      taken = taken.minus(charge.counts());
      charge.owner().taken = charge.owner().taken.minus(charge.counts());
      maxTaken = null;
    }
  }
}
