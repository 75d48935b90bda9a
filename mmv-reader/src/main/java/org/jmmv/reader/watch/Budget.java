package org.jmmv.reader.watch;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jmmv.pcp.User;

/**
 * Counts what is served, and keeps the counts within {@link Limits}, for all files and for those of
 * each user. Several directories may share a budget if one thread owns them all.
 */
public final class Budget {
  /** A user who has files that are charged. */
  private static final class Owner {
    final User user;
    final SequencedMap<TrackedFile, MmvCounts> files = new LinkedHashMap<>(); // as they were loaded
    private final Map<Integer, Integer> clusters = new HashMap<>(); // number of files that name it
    MmvCounts taken = MmvCounts.NONE; // by these files

    Owner(User user) {
      this.user = user;
    }

    /** Returns what one more file takes: no cluster if another file names the same one. */
    MmvCounts taking(MmvCounts counts) {
      return clusters.containsKey(counts.cluster()) ? counts.withoutCluster() : counts;
    }

    /** Returns the file that was loaded last of those whose removal frees some of a limit. */
    TrackedFile lastWith(int limit) {
      return files.reversed().entrySet().stream()
          .filter(file -> freed(file.getValue()).number(limit) > 0)
          .findFirst()
          .orElse(files.lastEntry()) // all clusters have several files
          .getKey();
    }

    private MmvCounts freed(MmvCounts counts) {
      return clusters.getOrDefault(counts.cluster(), 1) > 1 ? counts.withoutCluster() : counts;
    }

    /** Adds a file, and returns what it takes. */
    MmvCounts add(TrackedFile tracked, MmvCounts counts) {
      MmvCounts more = taking(counts);
      files.put(tracked, counts);
      if (counts.cluster() != 0) {
        clusters.merge(counts.cluster(), 1, Integer::sum);
      }
      taken = taken.plus(more);
      return more;
    }

    /** Removes a file, and returns what it has taken. */
    MmvCounts remove(TrackedFile tracked) {
      MmvCounts counts = files.remove(tracked);
      clusters.computeIfPresent(counts.cluster(), (_, files) -> files == 1 ? null : files - 1);
      MmvCounts less = taking(counts);
      taken = taken.minus(less);
      return less;
    }
  }

  private Limits limits;
  private MmvCounts max;
  private MmvCounts maxOfOneUser;
  private final Map<User, Owner> owners = new HashMap<>();
  private final Map<TrackedFile, Owner> charged = new HashMap<>();
  private MmvCounts taken = MmvCounts.NONE;
  private MmvCounts maxTaken; // by any owner; null after a change

  /** Creates a budget of which nothing is used. */
  public Budget(Limits limits) {
    setLimits(limits);
  }

  /**
   * Replaces the limits. Less may be permitted now than is used; {@link DirectoryWatcher#set} then
   * leaves files out.
   */
  void setLimits(Limits limits) {
    this.limits = limits;
    max = MmvCounts.max(limits);
    maxOfOneUser = MmvCounts.maxOfOneUser(limits);
  }

  public Limits limits() {
    return limits;
  }

  /** Returns what a limit permits, in the unit of {@link #used}. */
  public long max(Limit limit) {
    return max.number(Limit.COUNTED.indexOf(limit));
  }

  /**
   * Returns what is used of a limit.
   *
   * @param limit one of {@link Limit#COUNTED}
   * @return a number, of memory one of bytes
   */
  public long used(Limit limit) {
    return taken.number(Limit.COUNTED.indexOf(limit));
  }

  /**
   * Returns a limit that is exceeded, and of which a file uses some, for example "the limit of 1000
   * metrics in all (--max-metrics)"; null if there is none.
   */
  String exceededBy(TrackedFile tracked) {
    Owner owner = charged.get(tracked);
    int limit = owner == null ? -1 : owner.files.get(tracked).firstOf(taken.excess(max));
    return limit < 0 ? null : max.limit(limit);
  }

  /** Returns whether counts of one file of a user can be added within the limits. */
  boolean hasRoom(User user, MmvCounts counts) {
    return !isTooLarge(counts) && taken.plus(taking(owners.get(user), counts)).isWithin(max);
  }

  private static MmvCounts taking(Owner owner, MmvCounts counts) {
    return owner == null ? counts : owner.taking(counts);
  }

  /** Returns whether counts can be added, if necessary in the place of files of other users. */
  boolean canMakeRoom(User user, MmvCounts counts) {
    return hasRoom(user, counts) || toLeaveOut(user, counts) != null;
  }

  /**
   * Returns a file of another user that is to be left out, so that counts can be added: of those
   * whose removal frees some of it, the one that was loaded last; null if there is none. A user is
   * entitled to an equal part of each limit, and may get more from users who use still more, but
   * never more than the share of one user.
   *
   * <p>A user keeps at least an equal part, or as much as the asking user then has, less at most
   * one file. No file is given up if that makes no room.
   */
  TrackedFile toLeaveOut(User user, MmvCounts counts) {
    Owner asking = owners.get(user);
    MmvCounts more = taking(asking, counts);
    MmvCounts wanted = asking == null ? counts : asking.taken.plus(more);
    if (isTooLarge(counts) || !wanted.isWithin(maxOfOneUser)) {
      return null;
    }
    int users = owners.size() + (asking == null ? 1 : 0);
    MmvCounts spared = wanted.max(max.dividedBy(users));
    MmvCounts sum = taken.plus(more);
    int exceeded = sum.exceeded(max);
    long largest = spared.number(exceeded);
    if (maxTaken().number(exceeded) <= largest) { // quickly: thousands of files may wait for room
      return null;
    }
    Owner rival = null;
    for (Owner other : owners.values()) {
      if (other != asking && !other.taken.isWithin(spared)) {
        sum = sum.minus(other.taken.excess(spared));
        if (other.taken.number(exceeded) > largest) {
          largest = other.taken.number(exceeded);
          rival = other;
        }
      }
    }
    return rival != null && sum.isWithin(max) ? rival.lastWith(exceeded) : null;
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
        ? "the limit of %d KiB of memory for one file (half of --max-memory)"
            .formatted(limits.memoryOfOneFile() >> 10)
        : max.limit(taken.plus(counts).exceeded(max));
  }

  private boolean isTooLarge(MmvCounts counts) {
    return counts.memory() > limits.memoryOfOneFile();
  }

  boolean isCharged(TrackedFile tracked) {
    return charged.containsKey(tracked);
  }

  /** Charges a user for a file, for which nothing is charged any more that was charged before. */
  void charge(TrackedFile tracked, User user, MmvCounts counts) {
    release(tracked);
    Owner owner = owners.computeIfAbsent(user, Owner::new);
    charged.put(tracked, owner);
    taken = taken.plus(owner.add(tracked, counts));
    maxTaken = null;
  }

  /**
   * Charges nothing for a file any more.
   *
   * @return what was charged
   */
  MmvCounts release(TrackedFile tracked) {
    Owner owner = charged.remove(tracked);
    if (owner == null) {
      return MmvCounts.NONE;
    }
    MmvCounts counts = owner.files.get(tracked);
    taken = taken.minus(owner.remove(tracked));
    if (owner.files.isEmpty()) {
      owners.remove(owner.user);
    }
    maxTaken = null;
    return counts;
  }
}
