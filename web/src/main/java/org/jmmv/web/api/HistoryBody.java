package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.HeapSize;
import org.jmmv.web.history.History;
import org.jmmv.web.history.Line;
import org.jmmv.web.http.JsonBody;

/** The values of a subscription in the last minutes, in its order: {@code history}. */
final class HistoryBody extends JsonBody {
  /** How much earlier than after a step a value may have been read, in milliseconds. */
  private static final double JITTER = History.PERIOD.toMillis() / 2.0;

  private final History history;
  private final Subscription wanted;
  private final double since; // milliseconds
  private final int step; // milliseconds
  private final Line[] lines; // null: nothing is kept
  private int[] rounds = {};
  private double[] clocks = {}; // of these: the history forgets the first ones
  private int found; // number of lines that were looked for
  private int written; // number of series
  private int returned; // number of series whose returns were written

  /**
   * Creates a body.
   *
   * @param since the time in milliseconds after which values are wanted
   * @param step the time between two values in milliseconds, at least
   */
  HistoryBody(History history, Subscription wanted, double since, int step) {
    this.history = history;
    this.wanted = wanted;
    this.since = since;
    this.step = step;
    lines = new Line[wanted.size()];
  }

  @Override
  public long bytes() {
    return super.bytes()
        + wanted.bytes()
        + HeapSize.ofReferences(lines.length) // of which the history counts the values
        + HeapSize.ofInts(rounds.length)
        + HeapSize.ofLongs(clocks.length);
  }

  @Override
  protected List<Step> steps() {
    return List.of(
        this::findNext,
        members(this::write),
        array("clocks", (json, _) -> writeClocks(json)),
        array("values", this::writeValues),
        array("returns", this::writeReturns));
  }

  /** Finds lines. Each is that of a metric and an instance with their present names. */
  private boolean findNext(Turn turn) {
    View view = catalog().begin(new Scope.NoFiles());
    for (; found < lines.length; found++) {
      int pmid = wanted.pmid(found);
      int instance = wanted.instance(found);
      Metric metric = view.metric(pmid);
      int position = wanted.position(pmid, instance);
      lines[position] =
          metric != null && wanted.isMeant(position, metric, instance, view)
              ? history.ask(metric, instance, view)
              : null;
      if (view.isOver(turn)) {
        found++;
        return true;
      }
    }
    return false;
  }

  private void write(JsonGenerator json) throws IOException {
    IntStream.Builder chosen = IntStream.builder();
    double earliest = Double.NEGATIVE_INFINITY;
    for (int round : history.rounds().toArray()) {
      double clock = MetricJson.millis(history.clockOf(round));
      if (clock > since && clock >= earliest) {
        chosen.add(round);
        earliest = clock + step - JITTER;
      }
    }
    rounds = chosen.build().toArray();
    clocks =
        IntStream.of(rounds).mapToDouble(one -> MetricJson.millis(history.clockOf(one))).toArray();
    MetricJson.writeNow(catalog(), json);
  }

  private boolean writeClocks(JsonGenerator json) throws IOException {
    for (double clock : clocks) {
      json.writeNumber(clock);
    }
    return false;
  }

  private boolean writeValues(JsonGenerator json, Turn turn) throws IOException {
    while (written < lines.length) {
      writeValues(lines[written++], json);
      if (isFull() || turn.isOver()) {
        return true;
      }
    }
    return false;
  }

  private void writeValues(Line line, JsonGenerator json) throws IOException {
    if (line == null) {
      json.writeNull();
      return;
    }
    long[] values = new long[rounds.length];
    BitSet has = line.read(rounds, values);
    json.writeStartArray();
    for (int i = 0; i < values.length; i++) {
      json.writeString(has.get(i) ? line.text(values[i]) : null);
    }
    json.writeEndArray();
  }

  private boolean writeReturns(JsonGenerator json, Turn turn) throws IOException {
    while (returned < lines.length) {
      Line line = lines[returned++];
      BitSet positions = line == null ? new BitSet() : line.returns(rounds);
      json.writeStartArray();
      for (int i = positions.nextSetBit(0); i >= 0; i = positions.nextSetBit(i + 1)) {
        json.writeNumber(i);
      }
      json.writeEndArray();
      if (isFull() || turn.isOver()) {
        return true;
      }
    }
    return false;
  }
}
