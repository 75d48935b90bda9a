package org.jmmv.reader.watch;

import java.util.Comparator;
import java.util.TreeSet;

/**
 * The files that wait to be examined, in a fair order. Users take turns, and so do the files of one
 * user. Who has been served waits until all others that were there have been served, too, the
 * longer the larger the file was. So a user with thousands of files or a file of a thousand times
 * the size delays others by one examination, and a file that changes all the time waits for those
 * that change now and then.
 *
 * <p>This is start-time fair queueing (Goyal, Vin, Cheng, 1996) with the file's size as an estimate
 * of the work. All files below 1 MiB count as equal, so that usually files are examined in byte
 * order of their names, as by pmdammv(1).
 */
final class Backlog {
  private static final long MEBIBYTE = 1 << 20;

  private final TreeSet<Owner> owners =
      new TreeSet<>(
          Comparator.<Owner>comparingLong(owner -> owner.turn).thenComparing(owner -> owner.user));
  private long now; // the turn of the owner who was served last

  boolean isEmpty() {
    return owners.isEmpty();
  }

  /**
   * Adds a file unless it waits already.
   *
   * @param size the file's size in bytes
   */
  void add(TrackedFile tracked, long size) {
    if (tracked.isWaiting) {
      return;
    }
    Owner owner = tracked.owner;
    tracked.isWaiting = true;
    tracked.work = 1 + size / MEBIBYTE;
    tracked.turn = Math.max(tracked.turn, owner.now) + tracked.work;
    if (owner.waiting.isEmpty()) {
      owner.turn = Math.max(owner.turn, now);
      owners.add(owner);
    }
    owner.waiting.add(tracked);
  }

  /** Returns the file whose turn it is, which waits until it is removed. There must be one. */
  TrackedFile first() {
    Owner owner = owners.first();
    TrackedFile tracked = owner.waiting.first();
    now = owner.turn;
    owner.now = tracked.turn;
    return tracked;
  }

  /** Removes a file if it waits. */
  void remove(TrackedFile tracked) {
    if (tracked.isWaiting) {
      Owner owner = tracked.owner;
      tracked.isWaiting = false;
      owner.waiting.remove(tracked);
      owners.remove(owner);
      owner.turn += tracked.work;
      if (!owner.waiting.isEmpty()) {
        owners.add(owner);
      }
    }
  }
}
