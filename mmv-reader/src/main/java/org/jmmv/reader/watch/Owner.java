package org.jmmv.reader.watch;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.TreeSet;

/** The files of one user: what they use of the {@link Budget}, and those in the {@link Backlog}. */
final class Owner {
  /**
   * What a file has added to the {@link Budget}.
   *
   * @param owner the owner to whose counts it was added; null if nothing was
   */
  record Charge(Owner owner, MmvCounts counts) {
    static final Charge NONE = new Charge(null, MmvCounts.NONE);

    boolean isNone() {
      return owner == null;
    }
  }

  /** Where the user IDs of user namespaces begin: SUB_UID_MIN of login.defs(5). */
  private static final long FIRST_OF_NAMESPACES = 100_000;

  /** The number of user IDs that a user has for namespaces: SUB_UID_COUNT of login.defs(5). */
  private static final long IDS_OF_NAMESPACE = 65_536;

  /**
   * The user ID, or that of the first user of a namespace: its users count as one, because an
   * ordinary user can be all of them (subuid(5)).
   */
  final long id;

  /** What the served files use. */
  MmvCounts taken = MmvCounts.NONE;

  /** The served files, in the order in which they were loaded. */
  final SequencedSet<TrackedFile> served = new LinkedHashSet<>();

  // kept by Backlog
  final TreeSet<TrackedFile> waiting =
      new TreeSet<>(
          Comparator.<TrackedFile>comparingLong(tracked -> tracked.turn)
              .thenComparing(tracked -> tracked.name));
  long turn; // when it is this user's turn
  long now; // the turn of the file that was taken last

  Owner(long id) {
    this.id = id;
  }

  /** Returns the {@link #id} of the owner that a user belongs to. */
  static long idOf(int uid) {
    long user = Integer.toUnsignedLong(uid);
    long within = user - FIRST_OF_NAMESPACES;
    return within < 0 ? user : user - within % IDS_OF_NAMESPACE;
  }

  /** Returns whether the user has no files that are served or wait. */
  boolean isIdle() {
    return served.isEmpty() && waiting.isEmpty() && taken.files() == 0;
  }
}
