package org.jmmv.web.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.NameTree;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.ValueCursor;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.PmidList;
import org.jmmv.pcp.User;
import org.jmmv.serving.Accounts;

/**
 * The numbers of files in the last 15 minutes, read in rounds: one a second, or fewer if a round
 * takes long. A value that is as it was, or a counter that goes on as fast as before, takes no
 * room.
 *
 * <p>If room becomes scarce, what has not changed for longest is forgotten first, and last what
 * somebody has asked for. If there is none left, values are left out, and counted.
 */
public final class History {
  /** How often values are read. */
  public static final Duration PERIOD = Duration.ofSeconds(1);

  private static final Duration WINDOW = Duration.ofMinutes(15);

  /** The number of rounds in this time, with the one at its begin. */
  private static final int ROUNDS = (int) WINDOW.dividedBy(PERIOD) + 1;

  /** How many metrics are in the scope of a view: to begin one takes as long as to read ten. */
  private static final int BATCH = 64;

  /** The part of the rounds that is forgotten at once when room is scarce. */
  private static final int SCARCE_PART = 16;

  private final Catalog catalog;
  private final LongSupplier maxBytes;
  private final LongSupplier clock;
  private final Accounts.Account account;
  private final Room room = new Room();
  private final Batch batch = new Batch();
  private final Map<String, MetricHistory> metrics = new HashMap<>(); // by name
  private List<MetricHistory> current = List.of(); // of metrics that are there
  private List<MetricHistory> ended = List.of(); // the others
  private long version = -1; // of the catalogue that these lists were made for
  private int planRound; // in which they were made
  private final long[] clocks = new long[ROUNDS]; // of rounds, by their remainders
  private int last = -1; // the last complete round
  private int first; // the first round of which anything is kept
  private int kept = ROUNDS; // number of rounds of which everything is kept
  private int missing; // number of values that were left out in the last round
  private int unplanned; // number of metrics without room in the last plan
  private Round round; // null: none has been begun

  /**
   * Creates a history without values.
   *
   * @param maxBytes returns how much memory it may take; 0: nothing is kept
   * @param accounts have an account for it, which may have it forget all
   */
  public History(Catalog catalog, LongSupplier maxBytes, Accounts accounts) {
    this(catalog, maxBytes, accounts, System::nanoTime);
  }

  /** As the other constructor, for tests, with a clock in the place of the system's. */
  History(Catalog catalog, LongSupplier maxBytes, Accounts accounts, LongSupplier clock) {
    this.catalog = catalog;
    this.maxBytes = maxBytes;
    this.clock = clock;
    account = accounts.open(User.of(User.Kind.ALL), this::clear);
  }

  private void clear() {
    metrics.values().forEach(one -> one.close(room));
    metrics.clear();
    current = List.of();
    ended = List.of();
    version = -1;
    unplanned = 0;
    first = last + 1;
    missing = 0;
    round = null;
    account.set(0);
  }

  // ---------------------------------------------------------------- rounds

  /**
   * Reads all values once, or goes on with it.
   *
   * @return whether there are more to read in this round
   */
  public boolean read(Turn turn) {
    room.setMax(maxBytes.getAsLong());
    if (room.isExceeded() || !isOn()) {
      clear();
      return false;
    }
    if (round == null) {
      round = new Round();
    }
    boolean isOver;
    try {
      isOver = round.goOn(turn);
    } catch (RuntimeException | InternalError e) {
      clear(); // the next round would find the same
      throw e;
    }
    if (isOver) {
      last++;
      missing = unplanned + round.missing;
      round = null;
      if (room.isScarce()) {
        kept = Math.min(kept, last - first);
        kept -= Math.ceilDiv(kept, SCARCE_PART);
      } else if (kept < ROUNDS) {
        kept++;
      }
    }
    account.set(room.used());
    return !isOver;
  }

  /** The values of one time. */
  private final class Round {
    private final Span span;
    private final long planVersion = catalog.changes().version();
    private List<MetricHistory> planned =
        planVersion == version && unplanned == 0 ? null : new ArrayList<>();
    private String lastName = "";
    private int next; // index in current
    private int nextEnded; // index in ended
    private final List<MetricHistory> left = new ArrayList<>(); // of these
    private ValueCursor cursor; // what is left of that metric; null: it has not been begun
    private int withoutRoom; // metrics
    private int missing; // values

    Round() {
      int number = last + 1;
      long now = clock.getAsLong();
      while (first < number
          && (number - first == ROUNDS || now - clockOf(first) > WINDOW.toNanos())) {
        first++;
      }
      clocks[number % ROUNDS] = now;
      span = new Span(number, first, Math.max(first, number - kept));
    }

    /** Returns whether the round is over. */
    boolean goOn(Turn turn) {
      if (planned != null && plan(turn)) {
        endPlan();
      }
      return planned == null && readMetrics(turn) && forgetEnded(turn);
    }

    /** Looks for metrics. Returns whether that is all of them. */
    private boolean plan(Turn turn) {
      View view = catalog.begin(new Scope.NoFiles());
      while (true) {
        List<NameTree.Leaf> names = view.names().next(lastName, NameTree.BATCH);
        if (names.isEmpty()) {
          return true;
        }
        for (NameTree.Leaf leaf : names) {
          lastName = leaf.name();
          plan(lastName, view.metric(leaf.pmid()));
        }
        if (view.isOver(turn)) {
          return false;
        }
      }
    }

    private void plan(String name, Metric metric) {
      List<Metric.Origin> origins = metric == null ? List.of() : metric.origins(1);
      Kind kind = origins.isEmpty() ? null : Kind.of(metric);
      if (kind == null) {
        return;
      }
      MetricHistory history = metrics.get(name);
      if (history != null && !history.kind().equals(kind)) {
        history.close(room);
        metrics.remove(name);
        history = null;
      }
      if (history == null) {
        history = MetricHistory.begin(name, kind, room);
        if (history == null) {
          withoutRoom++;
          return;
        }
        metrics.put(name, history);
      }
      history.describe(metric, origins.getFirst().file(), span.round());
      planned.add(history);
    }

    private void endPlan() {
      List<MetricHistory> before = new ArrayList<>(current);
      before.addAll(ended);
      current = planned;
      ended = before; // and some that have not, see forgetEnded
      planRound = span.round();
      version = planVersion;
      unplanned = withoutRoom;
      planned = null;
    }

    /** Reads values. Returns whether that is all of them. */
    private boolean readMetrics(Turn turn) {
      while (next < current.size()) {
        List<MetricHistory> some = current.subList(next, Math.min(current.size(), next + BATCH));
        View view = catalog.begin(new Scope.OfMetrics(PmidList.of(pmids(some))));
        for (int end = next + some.size(); next < end; ) {
          read(current.get(next), view, turn);
          if (view.isOver(turn)) {
            return next == current.size();
          }
        }
      }
      return true;
    }

    /** Reads values of a metric, or goes on with it, until the turn is over. */
    private void read(MetricHistory history, View view, Turn turn) {
      Metric metric = metricOf(history, view);
      if (metric == null) {
        history.setGone(span.round());
      }
      boolean isSingular = metric == null || metric.inDom() == InDom.NULL;
      InstanceTable table = isSingular ? null : view.table(metric.inDom());
      if (cursor == null && !history.beginRound(table, span, room, turn)) {
        return;
      }
      boolean isOver = metric == null || !history.isOf(table); // the cursor has former numbers
      while (!isOver) {
        cursor = view.read(metric, InstanceFilter.ALL, cursor, turn, batch);
        history.add(batch, table, span, room);
        batch.clear();
        isOver = cursor == null;
        if (!isOver && view.isOver(turn)) {
          return;
        }
      }
      cursor = null;
      history.endRound(span, room);
      missing += history.missing();
      next++;
    }

    /** Stops to keep what is too old of ended metrics. Returns whether that is all of them. */
    private boolean forgetEnded(Turn turn) {
      while (nextEnded < ended.size()) {
        MetricHistory one = ended.get(nextEnded);
        if (!hasEnded(one)) {
          nextEnded++;
        } else if (one.beginRound(null, span, room, turn)) {
          nextEnded++;
          forget(one);
        }
        if (turn.isOver() && nextEnded < ended.size()) {
          return false;
        }
      }
      ended = left;
      return true;
    }

    private void forget(MetricHistory history) {
      history.setGone(span.round());
      if (history.endRound(span, room)) {
        left.add(history);
      } else {
        history.close(room);
        metrics.remove(history.name());
      }
    }

    /** Returns whether a metric was not in the last plan, nor one of its name and another kind. */
    private boolean hasEnded(MetricHistory history) {
      return !history.isIn(planRound) && metrics.get(history.name()) == history;
    }
  }

  private static int[] pmids(List<MetricHistory> histories) {
    return histories.stream().mapToInt(MetricHistory::pmid).toArray();
  }

  /** Returns the metric of a history; null if it is not there. */
  private Metric metricOf(MetricHistory history, View view) {
    Metric metric = view.metric(history.pmid());
    boolean isSame =
        metric != null
            && history.kind().equals(Kind.of(metric))
            && (version == catalog.changes().version()
                || view.names().pmid(history.name()) == history.pmid());
    return isSame ? metric : null;
  }

  // ---------------------------------------------------------------- questions

  /** Returns whether anything is kept at all. */
  public boolean isOn() {
    return maxBytes.getAsLong() > 0;
  }

  /** Returns when a round was begun, as a time of {@link System#nanoTime}. */
  public long clockOf(int number) {
    return clocks[number % ROUNDS];
  }

  /** Returns the complete rounds of which something is kept. */
  public IntStream rounds() {
    return IntStream.rangeClosed(first, last);
  }

  /** Returns the complete rounds of a time until the last one. */
  int[] lastRounds(Duration time) {
    long end = last < first ? 0 : clockOf(last);
    return rounds().filter(number -> end - clockOf(number) <= time.toNanos()).toArray();
  }

  /** Returns the metrics of files that have numbers, in a list that never changes. */
  List<MetricHistory> current() {
    return current;
  }

  /**
   * Returns the values of an instance. They are kept for longer from now on.
   *
   * @param instance the instance number, {@link org.jmmv.pcp.Instance#NULL} for a singular metric
   * @return null if nothing is kept of them
   */
  public Line ask(Metric metric, int instance, View view) {
    MetricHistory history =
        metric.names().stream().map(metrics::get).filter(Objects::nonNull).findFirst().orElse(null);
    if (history == null || !history.kind().equals(Kind.of(metric))) {
      return null;
    }
    Line line =
        history.line(instance, metric.inDom() == InDom.NULL ? null : view.table(metric.inDom()));
    if (line != null) {
      line.asked = last + 1;
    }
    return line;
  }

  /** Returns how many seconds back everything is kept. */
  public long seconds() {
    int from = Math.max(first, last + 1 - kept);
    return last < from ? 0 : TimeUnit.NANOSECONDS.toSeconds(clock.getAsLong() - clockOf(from));
  }

  /** Returns what is kept, in bytes. */
  long bytes() {
    return room.used();
  }

  /** Returns the number of values for which there was no room in the last round. */
  public int missing() {
    return missing;
  }
}
