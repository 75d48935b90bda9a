package org.jmmv.reader.watch;

import static java.util.Comparator.comparing;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jmmv.pcp.FairQueue;
import org.jmmv.pcp.User;

/**
 * Files that wait to be examined, or to be looked at again and again until they are complete. Users
 * take turns, as {@link FairQueue} orders them; so a user with thousands of files, or with files
 * that take a thousand times as long, delays others by one examination. The files of a user are
 * examined in byte order of their names, as by pmdammv(1), from the one on that was examined last,
 * and then from the first one on; so one that changes all the time waits for the others.
 */
final class Backlog {
  /**
   * The unit of what a user is charged, 10 ms. Usually all files take less. So the order in which
   * users take turns at a start, and with it the numbers that are assigned to files, does not
   * depend on the speed of the machine.
   */
  private static final long UNIT_NANOS = 10_000_000;

  /** The files of a user. */
  private static final class OfUser {
    private final NavigableSet<TrackedFile> files =
        new TreeSet<>(comparing((TrackedFile tracked) -> tracked.name));
    private TrackedFile last; // that was examined

    TrackedFile next() {
      TrackedFile next = last == null ? null : files.higher(last);
      last = next == null ? files.first() : next;
      return last;
    }
  }

  private final FairQueue<OfUser> queue = new FairQueue<>();
  private final Map<User, FairQueue.Connection<OfUser>> users = new HashMap<>();
  private final Map<TrackedFile, OfUser> files = new HashMap<>(); // the owner of one may change
  private FairQueue.Connection<OfUser> served; // has its turn; null: none has

  /** Returns whether no file waits or is examined. */
  boolean isEmpty() {
    return files.isEmpty();
  }

  /** Returns the number of files that wait or are examined. */
  int count() {
    return files.size();
  }

  /** Returns whether a file waits or is examined. */
  boolean has(TrackedFile tracked) {
    return files.containsKey(tracked);
  }

  /** Adds a file that neither waits nor is examined. */
  void add(TrackedFile tracked) {
    FairQueue.Connection<OfUser> user =
        users.computeIfAbsent(tracked.owner(), owner -> queue.open(owner, new OfUser()));
    user.subject().files.add(tracked);
    files.put(tracked, user.subject());
    queue.add(user);
  }

  /** Begins a turn, after the last one has ended. Returns the file to examine; one must wait. */
  TrackedFile take() {
    served = queue.take();
    while (served.subject().files.isEmpty()) { // its files were removed
      end(0);
      served = queue.take();
    }
    return served.subject().next();
  }

  /** Ends a turn that has taken {@code nanos}. Unless the file is removed, it waits again. */
  void end(long nanos) {
    boolean waitsAgain = !served.subject().files.isEmpty();
    queue.end(served, 1 + nanos / UNIT_NANOS, waitsAgain);
    if (!waitsAgain) {
      queue.close(served);
      users.values().remove(served);
    }
    served = null;
  }

  /** Removes a file if it waits or is examined. */
  void remove(TrackedFile tracked) {
    OfUser user = files.remove(tracked);
    if (user != null) {
      user.files.remove(tracked);
    }
  }
}
