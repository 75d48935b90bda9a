package org.jmmv.web.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jmmv.core.Metric;
import org.jmmv.core.Turn;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.KeyedHash;
import org.jmmv.reader.fault.FileName;

/**
 * The values of a metric. The metric and its instances are known by their names: their numbers may
 * be others when an application is started again.
 */
final class MetricHistory {
  private static final long BYTES =
      HeapSize.ofObject(6, 5 * Integer.BYTES + 2)
          + Kind.BYTES
          + HeapSize.ofObject(1, 2 * Integer.BYTES) // the list, whose places are the lines'
          + HeapSize.ofObject(4, 4 * Integer.BYTES) // the map of former lines
          + 2 * HeapSize.ofHashEntry(); // in those of all metrics

  private static final long FORMER = HeapSize.ofHashEntry() + HeapSize.ofObject(0, Long.BYTES);

  private final String name;
  private final Kind kind;
  private final ArrayList<Line> lines = new ArrayList<>(1); // in the order of the instances
  private Map<Long, Line> former = Collections.emptyMap(); // of earlier instances, by their hashes
  private FileName file;
  private int pmid;
  private int found; // the round in which the metric was last looked for, and found
  private int gone = Integer.MIN_VALUE; // the last round in which it was not there
  private Object instances; // the identity of the table; null for a singular metric
  private int next; // index in lines
  private boolean hasForgotten; // a line; it is in the list until the round ends
  private int missing; // number of values without a line
  private boolean hasReserve = true; // room for a line, or else metrics would leave none for values

  private MetricHistory(String name, Kind kind) {
    this.name = name;
    this.kind = kind;
  }

  /** Begins the history of a metric. Returns null if there is no room for it. */
  static MetricHistory begin(String name, Kind kind, Room room) {
    return room.takeFixed(BYTES + HeapSize.of(name) + Line.FIRST_BYTES)
        ? new MetricHistory(name, kind)
        : null;
  }

  String name() {
    return name;
  }

  int pmid() {
    return pmid;
  }

  /** Returns the file that the metric is from; the first one if there are several. */
  FileName file() {
    return file;
  }

  Kind kind() {
    return kind;
  }

  /** Sets what the metric is in a round. */
  void describe(Metric metric, FileName first, int round) {
    pmid = metric.pmid();
    file = first;
    found = round;
  }

  /** Says that the metric is not there in a round. */
  void setGone(int round) {
    gone = round;
  }

  /** Returns whether the metric was found in a round. */
  boolean isIn(int round) {
    return found == round;
  }

  // ---------------------------------------------------------------- rounds

  /**
   * Begins to add the values of a round, or goes on with it.
   *
   * @param table the instances; null for a singular metric, and for one that is not there
   * @return whether values can be added; if not, the turn is over
   */
  boolean beginRound(InstanceTable table, Span span, Room room, Turn turn) {
    next = 0;
    missing = 0;
    while (!isOf(table)) {
      if (lines.isEmpty()) {
        instances = identity(table);
      } else {
        retire(lines.removeLast(), span, room);
        if (turn.isOver()) {
          return false;
        }
      }
    }
    return true;
  }

  /** Has a line wait until its instance is found again, by its name. */
  private void retire(Line line, Span span, Room room) {
    line.end(span.round(), room);
    if (!room.takeFixed(FORMER)) {
      line.close(room);
      return;
    }
    if (former.isEmpty()) {
      former = new HashMap<>();
    }
    Line other = former.put(line.name, line);
    if (other != null) { // two instances have the same name
      other.close(room);
      room.giveBackFixed(FORMER);
    }
  }

  /** Returns whether the values of this round are those of the instances in a table. */
  boolean isOf(InstanceTable table) {
    return Objects.equals(instances, identity(table));
  }

  private static Object identity(InstanceTable table) {
    return table == null ? null : table.identity();
  }

  /** Adds some values, in the order of the table. */
  void add(Batch batch, InstanceTable table, Span span, Room room) {
    for (int i = 0; i < batch.count(); i++) {
      add(batch.instance(i), batch.value(i), table, span, room);
    }
  }

  private void add(int instance, long value, InstanceTable table, Span span, Room room) {
    if (!isNext(instance) && table != null) {
      for (int index = table.indexOf(instance); hasNextBefore(index, table); next++) {
        pass(lines.get(next), span, room);
      }
    }
    if (isNext(instance)) {
      Line line = lines.get(next);
      if (line.forgetBefore(span.firstOf(line.asked), room)) {
        line.add(span.round(), value, gone, room);
        next++;
        return;
      }
      lines.remove(next);
    }
    long hash = hash(instance, table);
    Line line = former.remove(hash);
    if (line == null) {
      giveBackReserve(room);
      line = Line.begin(kind, hash, instance, span.round(), value, room);
    } else {
      room.giveBackFixed(FORMER);
      line.instance = instance;
      line.add(span.round(), value, gone, room);
    }
    if (line == null) {
      missing++;
    } else {
      lines.add(next++, line);
    }
  }

  private boolean isNext(int instance) {
    return next < lines.size() && lines.get(next).instance == instance;
  }

  private boolean hasNextBefore(int index, InstanceTable table) {
    return next < lines.size() && table.indexOf(lines.get(next).instance) < index;
  }

  /** Returns the hash of the name of an instance that is in a table; null stands for none. */
  static long hash(int instance, InstanceTable table) {
    return table == null ? 0 : KeyedHash.of(table.name(table.indexOf(instance)));
  }

  /** Has a line, of an instance without a value in this round, keep what is new enough. */
  private void pass(Line line, Span span, Room room) {
    line.end(span.round(), room);
    hasForgotten |= !line.forgetBefore(span.firstOf(line.asked), room);
  }

  /**
   * Ends a round: instances of which no value was added have none.
   *
   * @return whether anything is kept
   */
  boolean endRound(Span span, Room room) {
    for (; next < lines.size(); next++) {
      pass(lines.get(next), span, room);
    }
    if (hasForgotten) {
      lines.removeIf(Line::isForgotten);
      hasForgotten = false;
    }
    lines.trimToSize();
    former
        .values()
        .removeIf(line -> {
          boolean isForgotten = !line.forgetBefore(span.firstOf(line.asked), room);
          room.giveBackFixed(isForgotten ? FORMER : 0);
          return isForgotten;
        });
    if (former.isEmpty()) {
      former = Collections.emptyMap(); // the other one may have had many
    }
    return !lines.isEmpty() || !former.isEmpty();
  }

  private void giveBackReserve(Room room) {
    room.giveBackFixed(hasReserve ? Line.FIRST_BYTES : 0);
    hasReserve = false;
  }

  /** Gives back all room. */
  void close(Room room) {
    giveBackReserve(room);
    lines.forEach(line -> line.close(room));
    former.values().forEach(line -> line.close(room));
    room.giveBackFixed(BYTES + HeapSize.of(name) + former.size() * FORMER);
  }

  // ---------------------------------------------------------------- lines

  /** Returns the number of lines of instances that there were in the last round. */
  int size() {
    return lines.size();
  }

  /** Returns one of them. */
  Line line(int index) {
    return lines.get(index);
  }

  /**
   * Returns the line of an instance.
   *
   * @param table the instances as they are now; null for a singular metric
   * @return null if there is none
   */
  Line line(int instance, InstanceTable table) {
    if (table != null && table.indexOf(instance) < 0) {
      return null;
    }
    long hash = hash(instance, table);
    Line line = isOf(table) ? numbered(instance, table) : named(hash);
    return line == null ? former.get(hash) : line;
  }

  /** Searches a line among those that are in the order of a table. */
  private Line numbered(int instance, InstanceTable table) {
    int low = 0;
    int high = lines.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      Line line = lines.get(middle);
      if (line.instance == instance) {
        return line;
      }
      if (table.indexOf(line.instance) < table.indexOf(instance)) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return null;
  }

  /** Searches a line among all of them. */
  private Line named(long hash) {
    return lines.stream().filter(line -> line.name == hash).findFirst().orElse(null);
  }

  /** Returns the number of values for which there was no room in the last round. */
  int missing() {
    return missing;
  }
}
