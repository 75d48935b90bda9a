package org.jmmv.web.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jmmv.core.Metric;
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
      HeapSize.ofObject(6, 4 * Integer.BYTES + 1)
          + Kind.BYTES
          + HeapSize.ofObject(1, 2 * Integer.BYTES) // the list, whose places are the lines'
          + HeapSize.ofObject(4, 4 * Integer.BYTES) // the map of former lines
          + 2 * HeapSize.ofHashEntry(); // in those of all metrics

  private static final long FORMER = HeapSize.ofHashEntry() + HeapSize.ofObject(0, Long.BYTES);

  private final String name;
  private final Kind kind;
  private final ArrayList<Line> lines = new ArrayList<>(1); // of instances with values, in order
  private Map<Long, Line> former = Collections.emptyMap(); // of others, by hashes of their names
  private FileName file;
  private int pmid;
  private int found; // the round in which the metric was last looked for, and found
  private Object instances; // the identity of the table; null for a singular metric
  private int next; // index in lines
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

  /** Returns whether the metric was found in a round. */
  boolean isIn(int round) {
    return found == round;
  }

  // ---------------------------------------------------------------- rounds

  /**
   * Begins to add the values of a round.
   *
   * @param table the instances; null for a singular metric, and for one that is not there
   */
  void beginRound(InstanceTable table, Room room) {
    next = 0;
    missing = 0;
    if (!isOf(table)) {
      instances = identity(table);
      retire(room); // until they are found again, by their names
    }
  }

  /** Returns whether the values of this round are those of the instances in a table. */
  boolean isOf(InstanceTable table) {
    return Objects.equals(instances, identity(table));
  }

  private static Object identity(InstanceTable table) {
    return table == null ? null : table.identity();
  }

  /** Adds some values. */
  void add(Batch batch, InstanceTable table, Span span, Room room) {
    for (int i = 0; i < batch.count(); i++) {
      add(batch.instance(i), batch.value(i), table, span, room);
    }
  }

  private void add(int instance, long value, InstanceTable table, Span span, Room room) {
    if (next < lines.size() && lines.get(next).instance == instance) {
      Line line = lines.get(next++);
      line.forgetBefore(span.firstOf(line.asked), room);
      line.add(span.round(), value, room);
      return;
    }
    retire(room);
    long hash = hash(instance, table);
    Line line = former.remove(hash);
    if (line == null) {
      giveBackReserve(room);
      line = Line.begin(kind, hash, instance, span.round(), value, room);
    } else {
      room.giveBackFixed(FORMER);
      line.instance = instance;
      line.add(span.round(), value, room);
    }
    if (line == null) {
      missing++;
    } else {
      lines.add(line);
      next++;
    }
  }

  /** Returns the hash of the name of an instance that is in a table; null stands for none. */
  static long hash(int instance, InstanceTable table) {
    return table == null ? 0 : KeyedHash.of(table.name(table.indexOf(instance)));
  }

  /** Has the lines from the next one on wait until they are found again. */
  private void retire(Room room) {
    List<Line> rest = lines.subList(next, lines.size());
    if (former.isEmpty() && !rest.isEmpty()) {
      former = new HashMap<>();
    }
    for (Line line : rest) {
      Line dropped = room.takeFixed(FORMER) ? former.put(line.name, line) : line;
      if (dropped != null) { // or two instances have the same name
        dropped.close(room);
        room.giveBackFixed(dropped == line ? 0 : FORMER);
      }
    }
    rest.clear();
  }

  /**
   * Ends a round: instances of which no value was added have none.
   *
   * @return whether anything is kept
   */
  boolean endRound(Span span, Room room) {
    retire(room);
    former
        .values()
        .removeIf(line -> {
          line.end(span.round(), room);
          boolean isForgotten = !line.forgetBefore(span.firstOf(line.asked), room);
          if (isForgotten) {
            room.giveBackFixed(FORMER);
          }
          return isForgotten;
        });
    if (former.isEmpty()) {
      former = Collections.emptyMap(); // the other one may have had many
    }
    lines.trimToSize(); // likewise
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

  /** Returns the number of instances that have values. */
  int size() {
    return lines.size();
  }

  /** Returns one of their lines. */
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
    boolean haveNumbers = isOf(table); // those of the lines
    long hash = hash(instance, table);
    for (Line line : lines) {
      if (line.name == hash && (line.instance == instance || !haveNumbers)) {
        return line;
      }
    }
    return former.get(hash);
  }

  /** Returns the number of values for which there was no room in the last round. */
  int missing() {
    return missing;
  }
}
