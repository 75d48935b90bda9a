package org.jmmv.web.history;

import java.util.BitSet;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InstanceTable;

/**
 * The values of an instance of a metric, or of a singular metric, in the rounds of a {@link
 * History}. It has gaps where there was no value.
 */
public final class Line {
  private static final int NEVER = -1;

  /** What a line takes in the heap beside its segments, with its place in a list. */
  private static final long BYTES =
      HeapSize.ofObject(3, 2 * Integer.BYTES + Long.BYTES) + HeapSize.ofLongs(1);

  /** What it takes when it is begun. */
  static final long FIRST_BYTES = BYTES + Segment.BYTES;

  private final Kind kind;
  final long name; // a hash of the instance's name
  int instance; // number; after a restart of its application it may be another one
  int asked = NEVER; // the round in which somebody last asked for the line
  private Segment oldest; // null: nothing is kept any more
  private Segment newest; // likewise

  private Line(Kind kind, long name, int instance, Segment first) {
    this.kind = kind;
    this.name = name;
    this.instance = instance;
    oldest = first;
    newest = first;
  }

  /**
   * Begins a line.
   *
   * @param name a hash of the instance's name
   * @return null if there is no room for it
   */
  static Line begin(Kind kind, long name, int instance, int round, long value, Room room) {
    return room.takeFixed(FIRST_BYTES)
        ? new Line(kind, name, instance, new Segment(round, value, false))
        : null;
  }

  /**
   * Adds the value of a round. Without room, the line has no earlier values any more.
   *
   * @param gone the last round in which the metric was not there
   */
  void add(int round, long value, int gone, Room room) {
    Coding coding = kind.coding();
    if (newest.isOpen() && newest.predicts(round, value, coding)) {
      return;
    }
    boolean isKept;
    if (newest.isOpen() && !newest.isFull()) {
      isKept = newest.add(round, value, coding, room);
    } else {
      Segment next =
          newest.isOpen()
              ? newest.next(round, value, coding)
              : new Segment(round, value, newest.endsBy(gone));
      end(round, room);
      isKept = room.take(Segment.BYTES);
      if (isKept) {
        newest.next = next;
        newest = next;
      }
    }
    if (!isKept) {
      room.giveBack(bytes() - FIRST_BYTES);
      newest = new Segment(round, value, false);
      oldest = newest;
    }
  }

  /** Says that there is no value in a round. */
  void end(int round, Room room) {
    if (newest.isOpen()) {
      newest.end(round);
      newest.trim(room);
    }
  }

  /**
   * Forgets what is from before a round.
   *
   * @return whether there is anything else
   */
  boolean forgetBefore(int round, Room room) {
    while (!oldest.reaches(round)) {
      if (oldest.next == null) {
        close(room);
        return false;
      }
      room.giveBack(oldest.bytes());
      oldest = oldest.next;
    }
    if (newest.isOpen() && newest.hasChangedBefore(round)) {
      room.giveBack(newest.bytes() - Segment.BYTES);
      newest = newest.from(round, kind.coding());
      oldest = newest;
    }
    return true;
  }

  /**
   * Returns values.
   *
   * @param rounds the rounds, in ascending order
   * @param values receives the value of each round that has one
   * @return their positions
   */
  public BitSet read(int[] rounds, long[] values) {
    BitSet has = new BitSet(rounds.length);
    for (Segment one = oldest; one != null; one = one.next) {
      one.read(rounds, values, has, kind.coding());
    }
    return has;
  }

  /**
   * Returns the positions of rounds before which the metric was gone, and has returned: its
   * application was started again.
   *
   * @param rounds the rounds, in ascending order
   */
  public BitSet returns(int[] rounds) {
    BitSet all = new BitSet();
    for (Segment one = oldest; one != null; one = one.next) {
      int position = one.returned(rounds);
      if (position >= 0) {
        all.set(position);
      }
    }
    return all;
  }

  /** Returns a value as a text: JSON's numbers are not exact beyond 53 bits. */
  public String text(long value) {
    return kind.text(value);
  }

  Kind kind() {
    return kind;
  }

  /** Returns whether the line is that of the instance with its number in a table. */
  public boolean isIn(InstanceTable table) {
    return (table == null || table.indexOf(instance) >= 0)
        && name == MetricHistory.hash(instance, table);
  }

  /** Returns whether a value is not that of the round before, in this round or a later one. */
  boolean hasChangedSince(int round) {
    return newest != null && newest.hasChangedSince(round, kind.coding());
  }

  /** Gives back all room. Whoever still has the line finds no values in it. */
  void close(Room room) {
    if (!isForgotten()) {
      room.giveBack(bytes() - FIRST_BYTES);
      room.giveBackFixed(FIRST_BYTES);
      oldest = null;
      newest = null;
    }
  }

  /** Returns whether nothing is kept any more. */
  boolean isForgotten() {
    return oldest == null;
  }

  /** Returns what it takes in the heap. */
  private long bytes() {
    long bytes = BYTES;
    for (Segment one = oldest; one != null; one = one.next) {
      bytes += one.bytes();
    }
    return bytes;
  }
}
