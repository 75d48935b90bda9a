package org.jmmv.reader.watch;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.jmmv.pcp.User;

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

  final User user;

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

  Owner(User user) {
    this.user = user;
  }

  /** Returns whether the user has no files that are served or wait. */
  boolean isIdle() {
    return served.isEmpty() && waiting.isEmpty() && taken.files() == 0;
  }
}
