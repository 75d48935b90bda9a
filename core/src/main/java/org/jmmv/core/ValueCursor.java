package org.jmmv.core;

import java.nio.IntBuffer;
import java.util.stream.IntStream;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.ValueSink;

/**
 * What {@link View#read} has not read of a metric. It is read in later views, in as many steps as
 * the turns and the sink need. The instances are those that there were at the first step: those
 * that have gone since have no values, and those that have come are not read.
 */
public final class ValueCursor {
  /**
   * How many instances are looked up at once. If it were all, each step would look up tens of
   * thousands, and read the values of a few: a metric of 19,000 entries took 29 s, not 55 ms.
   */
  private static final int BATCH = 1024;

  private final int pmid;
  private final int type;
  private final int inDom;
  private IntBuffer left; // numbers of instances; the array may be that of the catalogue

  /**
   * Creates a cursor.
   *
   * @param filter that of the first step
   * @param table the instances of the metric; null if it is singular
   * @param from the index in the table of the first instance whose value is left
   */
  ValueCursor(Metric metric, InstanceFilter filter, InstanceTable table, int from) {
    pmid = metric.pmid();
    type = metric.type();
    inDom = metric.inDom();
    left =
        table == null
            ? IntBuffer.wrap(new int[] {Instance.NULL})
            : filter.numbers(inDom, table, from);
  }

  /** Receives values after others, so it has to know no reason why there are none. */
  private record Rest(ValueSink sink) implements ValueSink {
    @Override
    public void beginReading() {
      sink.beginReading();
    }

    @Override
    public int numbers(int type, int[] instances, long[] bits, int count) {
      return sink.numbers(type, instances, bits, count);
    }

    @Override
    public boolean text(int instance, byte[] bytes, int offset, int length) {
      return sink.text(instance, bytes, offset, length);
    }

    @Override
    public void clear() {
      sink.clear();
    }
  }

  /** Returns the metric. */
  public int pmid() {
    return pmid;
  }

  /**
   * Reads values of some of the next instances, as {@link View#read} does.
   *
   * @param view that of a request about the metric
   * @return what is still left; null: nothing can be read any more. If the metric has gone, or has
   *     another type or instance domain, that is so although values are missing
   */
  public ValueCursor readNext(View view, Turn turn, ValueSink sink) {
    Metric metric = view.metric(pmid);
    if (metric == null || metric.type() != type || metric.inDom() != inDom) {
      return null;
    }
    int[] taken = new int[Math.min(left.remaining(), BATCH)];
    left.get(taken);
    InstanceFilter filter = new InstanceFilter(false);
    filter.set(inDom, false, taken.clone());
    int next = view.readUntil(metric, filter, turn, new Rest(sink));
    if (next != Metric.COMPLETE) {
      InstanceTable table = view.table(metric);
      giveBack(
          IntStream.of(taken)
              .filter(number -> table == null || table.indexOf(number) >= next)
              .toArray());
    }
    return left.hasRemaining() ? this : null;
  }

  /** Gives back some of those taken last, which have another order if that has changed. */
  private void giveBack(int... numbers) {
    int start = left.position() - numbers.length;
    if (left.slice(start, numbers.length).equals(IntBuffer.wrap(numbers))) {
      left.position(start);
    } else {
      left = IntBuffer.allocate(numbers.length + left.remaining()).put(numbers).put(left).flip();
    }
  }

  /**
   * Returns what is kept, in bytes. The numbers count in any case: if the catalogue changes, nobody
   * else keeps them.
   */
  public long bytes() {
    return HeapSize.ofObject(1, 3 * Integer.BYTES) + HeapSize.ofInts(left.capacity());
  }
}
