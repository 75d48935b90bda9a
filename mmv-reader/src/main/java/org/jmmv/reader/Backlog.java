package org.jmmv.reader;

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
          Comparator.<Owner>comparingLong(owner -> owner.turn)
              .thenComparingLong(owner -> owner.id));
  private long now; // the turn of the owner who was served last

  boolean isEmpty() {
    return owners.isEmpty();
  }

  /**
   * Adds a file unless it waits already.
   *
   * @param size the file's size in bytes
   */
  void add(Slot slot, long size) {
    if (slot.isWaiting) {
      return;
    }
    Owner owner = slot.owner;
    slot.isWaiting = true;
    slot.work = 1 + size / MEBIBYTE;
    slot.turn = Math.max(slot.turn, owner.now) + slot.work;
    if (owner.waiting.isEmpty()) {
      owner.turn = Math.max(owner.turn, now);
      owners.add(owner);
    }
    owner.waiting.add(slot);
  }

  /** Removes and returns the file whose turn it is. The backlog must not be empty. */
  Slot take() {
    Owner owner = owners.first();
    Slot slot = owner.waiting.first();
    now = owner.turn;
    owner.now = slot.turn;
    remove(slot);
    return slot;
  }

  /** Removes a file if it waits. */
  void remove(Slot slot) {
    if (slot.isWaiting) {
      Owner owner = slot.owner;
      slot.isWaiting = false;
      owner.waiting.remove(slot);
      owners.remove(owner);
      owner.turn += slot.work;
      if (!owner.waiting.isEmpty()) {
        owners.add(owner);
      }
    }
  }
}
