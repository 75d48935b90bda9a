package org.jmmv.core.derived;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.KeptValues;
import org.jmmv.core.Turn;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InstanceTable;

/** Calculates the values of a derived metric, in steps. */
public final class Evaluation {
  private final List<Operation> operations;
  private final Map<String, KeptValues> values;
  private final InstanceFilter filter;
  private final long nanos;
  private final KeptValues[] results;
  private int next;

  Evaluation(Program program, Map<String, KeptValues> values, InstanceFilter filter, long nanos) {
    operations = program.operations();
    this.values = values;
    this.filter = filter;
    this.nanos = nanos;
    results = new KeptValues[operations.size()];
  }

  /**
   * Goes on until the turn is over.
   *
   * @param instances returns the instances of an instance domain; none of an unknown one
   * @return whether there is more to do
   */
  public boolean goOn(IntFunction<InstanceTable> instances, Turn turn) {
    Moment moment = new Moment(nanos, values, filter, instances, turn);
    do {
      results[next] = operations.get(next).calculate(results, moment);
      next += results[next] == null ? 0 : 1;
    } while (next < results.length && !turn.isOver());
    boolean hasMore = next < results.length;
    if (!hasMore) {
      operations.forEach(operation -> operation.keep(results, nanos));
    }
    return hasMore;
  }

  /** Returns the values, once there is no more to do. */
  public KeptValues result() {
    return Objects.requireNonNull(results[results.length - 1], "there is more to do");
  }

  /** Returns what it takes in the heap, in bytes, without the values of metrics. */
  public long bytes() {
    Set<KeptValues> counted = new HashSet<>(values.values()); // compared by identity
    counted.add(null);
    long own = 0;
    for (KeptValues result : results) {
      own += counted.add(result) ? result.bytes() : 0;
    }
    return HeapSize.ofObject(5, Integer.BYTES + Long.BYTES)
        + HeapSize.ofReferences(results.length)
        + own;
  }
}
