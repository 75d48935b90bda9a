package org.jmmv.web.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.Printable;
import org.jmmv.reader.fault.FileName;

/**
 * The values that change most, or are largest, among those of which a history is kept: of all
 * files, or of each of some.
 */
public final class Top {
  /**
   * A value.
   *
   * @param metric the name of its metric
   * @param file the file that the metric is from; the first one if there are several
   */
  public record Entry(String metric, int pmid, FileName file, Line line, Activity activity) {
    /** Returns the number of its instance. */
    public int instance() {
      return line.instance;
    }

    /** Returns the value as a text. */
    public String value() {
      return line.text(activity.value());
    }
  }

  /** Which values are looked for. */
  public interface Filter {
    /**
     * Looks at a metric, or goes on with it, until the turn is over. Returns whether there is more
     * of it to look at.
     */
    boolean lookAt(String metric, View view, Turn turn);

    /** Returns whether the value of an instance of that metric is looked for. */
    boolean admits(int instance, View view);
  }

  /** What a value takes in the heap, with its place in a list. */
  public static final long ENTRY_BYTES =
      HeapSize.ofObject(4, Integer.BYTES)
          + HeapSize.ofObject(0, Integer.BYTES + 3 * Long.BYTES)
          + HeapSize.ofReferences(1);

  private static final long QUEUE_BYTES = // of few entries
      HeapSize.ofObject(2, 2 * Integer.BYTES) + HeapSize.ofReferences(11);

  private static final String ANY = ""; // no file has this name

  private final History history;
  private final Order order;
  private final int max;
  private final Map<String, PriorityQueue<Entry>> best =
      new LinkedHashMap<>(); // by file; the least one first
  private final Map<FileName, PriorityQueue<Entry>> ofFiles = new HashMap<>(); // of wanted ones
  private List<MetricHistory> metrics; // null: none has been looked at
  private int[] rounds; // of the last minute
  private int next; // index of a metric
  private int nextLine; // index in its lines

  /**
   * Creates a list without values.
   *
   * @param max the maximum number of values, of each file if files are named
   * @param files the names of files that the metrics are from, as {@link Printable#utf8} writes
   *     them; empty: any
   */
  public Top(History history, Order order, int max, Collection<String> files) {
    this.history = history;
    this.order = order;
    this.max = max;
    Comparator<Entry> least =
        Comparator.<Entry>comparingDouble(one -> order.of(one.activity))
            .thenComparing(Entry::metric, Comparator.reverseOrder())
            .thenComparing(Entry::instance, Comparator.reverseOrder());
    for (String file : files.isEmpty() ? Set.of(ANY) : files) {
      best.put(file, new PriorityQueue<>(least));
    }
  }

  /** Looks at values until the turn is over. Returns whether there are more. */
  public boolean find(Filter filter, View view, Turn turn) {
    if (metrics == null) {
      metrics = history.current();
      rounds = history.lastRounds(Activity.TIME);
    }
    while (rounds.length > 0 && next < metrics.size()) {
      MetricHistory metric = metrics.get(next);
      PriorityQueue<Entry> queue = queue(metric);
      if (queue == null || nextLine >= metric.size()) {
        next++;
        nextLine = 0;
      } else if (nextLine == 0 && filter.lookAt(metric.name(), view, turn)) {
        return true;
      } else {
        Line line = metric.line(nextLine++);
        if (filter.admits(line.instance, view)) {
          look(metric, line, queue);
        }
      }
      if (view.isOver(turn)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the queue for a metric; null if its file is not wanted. */
  private PriorityQueue<Entry> queue(MetricHistory metric) {
    PriorityQueue<Entry> ofAny = best.get(ANY);
    return ofAny != null
        ? ofAny
        : ofFiles.computeIfAbsent(metric.file(), file -> best.get(Printable.utf8(file.name())));
  }

  private void look(MetricHistory metric, Line line, PriorityQueue<Entry> queue) {
    if (order != Order.VALUE && !line.hasChangedSince(rounds[0])) {
      return;
    }
    Activity activity = Activity.of(line, rounds, history);
    if (activity == null || !(Math.abs(order.of(activity)) > 0)) {
      return; // nothing to compare
    }
    queue.add(new Entry(metric.name(), metric.pmid(), metric.file(), line, activity));
    if (queue.size() > max) {
      queue.remove();
    }
  }

  /** Returns the values, the first one first, file by file. Then there are none here any more. */
  public List<Entry> take() {
    List<Entry> all = new ArrayList<>();
    for (PriorityQueue<Entry> queue : best.values()) {
      List<Entry> sorted = new ArrayList<>();
      while (!queue.isEmpty()) {
        sorted.add(queue.remove());
      }
      all.addAll(sorted.reversed());
    }
    metrics = List.of(); // of which the history may keep nothing any more
    return all;
  }

  /** Returns what is kept, in bytes. */
  public long bytes() {
    long bytes = ofFiles.size() * HeapSize.ofHashEntry();
    for (Map.Entry<String, PriorityQueue<Entry>> one : best.entrySet()) {
      bytes += HeapSize.ofLinkedEntry() + HeapSize.of(one.getKey()) + QUEUE_BYTES;
      bytes += one.getValue().size() * ENTRY_BYTES;
    }
    return bytes;
  }
}
