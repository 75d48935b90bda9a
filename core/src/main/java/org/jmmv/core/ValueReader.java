package org.jmmv.core;

import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.FileTruncated;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.MmvSchema;

/**
 * Reads the values of metrics from their files and interprets them as mmv(5) defines: sentinels,
 * elapsed times, strings, unsupported types.
 *
 * <p>Values are read in batches of up to 512 numbers or 32 strings. A batch is passed to the sink
 * after {@link MmvFile#read} has returned. If a page of the mapping no longer exists, that call
 * throws, and the sink receives nothing of the batch. Nothing is allocated per value.
 */
final class ValueReader implements Runnable {
  /**
   * With fewer values at once, calls of the sink would cost as much as the values. The buffers for
   * these take 40 KB.
   */
  private static final int BATCH = 512;

  /** As {@link #BATCH}, for texts: each has room for 256 bytes. */
  private static final int TEXT_BATCH = 32;

  // the current batch
  private final int[] instances = new int[BATCH];
  private final long[] bits = new long[BATCH];
  private final long[] entries = // of the file
      new long[BATCH * ValuePlan.MAX_ENTRIES_PER_VALUE * MmvFile.LONGS_PER_VALUE];
  private final byte[] text = new byte[TEXT_BATCH * MmvFile.TEXT_SIZE];
  private final long[] lengths = new long[TEXT_BATCH]; // of the texts that were read
  private final int[] texts = new int[TEXT_BATCH]; // where in text each value begins
  private int count;
  private int status; // the reason why the last instance without a value has none

  // the metric being read
  private RequestState request;
  private ValuePlan plan;
  private int[] chosen; // the values to read, as indexes into the plan; null: all
  private MmvFile file;
  private int type;
  private boolean hasSentinel;
  private int next; // position in chosen
  private int end; // of the positions whose values are in this file, exclusive

  /**
   * Reads the values of a metric.
   *
   * @param metric the locations of the values
   * @param type the type in the file, which may be {@link MmvMetric#ELAPSED}
   * @param selection the instances to read
   * @param turn when it is over, a batch of strings is the last one
   * @param sink receives the values, or the status of the last instance that was read if there are
   *     no values
   * @param state that of the request
   * @return as {@link View#readUntil}
   * @throws FileTruncated if a file was truncated
   */
  int read(
      ValuePlan metric,
      int type,
      InstanceFilter.Selection selection,
      Turn turn,
      ValueSink sink,
      RequestState state)
      throws FileTruncated {
    request = state;
    plan = metric;
    this.type = type;
    int[] selected = state.indexes(selection, plan.table());
    chosen = selected == null ? null : plan.valuesOf(selected);
    int total = chosen == null ? plan.count() : chosen.length;
    status = 0;
    boolean isText = type == ValueType.STRING;
    boolean any = false;
    for (next = 0; next < total; ) {
      file = plan.file(value(next));
      hasSentinel = file.schema().has(MmvSchema.FLAG_SENTINEL);
      end = endOfRun(total);
      if (file.isTruncated() && !state.truncated().contains(file)) {
        next = end; // it is rewritten, and withdrawn later
      }
      while (next < end) {
        if (isText && next > 0 && request.isOver(turn)) {
          if (!any) {
            sink.none(status);
          }
          return indexOf(plan.instance(value(next)));
        }
        read(file);
        any |= count > 0;
        int taken = isText ? passTexts(sink) : passNumbers(sink);
        if (taken < count) {
          return indexOf(instances[taken]);
        }
      }
    }
    if (!any) {
      sink.none(plan.hasLast(selected) ? status : PmError.INST.code());
    }
    return Metric.COMPLETE;
  }

  /** Forgets the metric that was read last, whose file may be closed. */
  void forget() {
    request = null;
    plan = null;
    chosen = null;
    file = null;
  }

  private int indexOf(int instance) {
    return plan.table() == null ? 0 : plan.table().indexOf(instance);
  }

  /** Passes the batch to a sink. Returns how many values it has taken. */
  private int passNumbers(ValueSink sink) {
    int shown = type == MmvMetric.ELAPSED ? ValueType.I64 : type;
    return count == 0 ? 0 : sink.numbers(shown, instances, bits, count);
  }

  private int passTexts(ValueSink sink) {
    int taken = 0;
    while (taken < count && sink.text(instances[taken], text, texts[taken], (int) bits[taken])) {
      taken++;
    }
    return taken;
  }

  private void read(MmvFile from) throws FileTruncated {
    try {
      from.read(this);
    } catch (FileTruncated e) {
      request.addTruncated(from);
      throw e;
    }
  }

  /** Returns the index in the plan of the value at a position. */
  private int value(int position) {
    return chosen == null ? position : chosen[position];
  }

  /** Returns the end (exclusive) of the positions from {@code next} on that are in {@code file}. */
  private int endOfRun(int total) {
    if (plan.isInOneFile()) {
      return total;
    }
    int last = next + 1;
    while (last < total && plan.file(value(last)) == file) {
      last++;
    }
    return last;
  }

  @Override
  public void run() {
    count = 0;
    switch (type) {
      case ValueType.I32,
          ValueType.U32,
          ValueType.I64,
          ValueType.U64,
          ValueType.FLOAT,
          ValueType.DOUBLE ->
          readNumbers();
      case MmvMetric.ELAPSED -> readTimers();
      case ValueType.STRING -> readTexts();
      default -> refuse();
    }
  }

  /** Skips values of a type that can't be read, and sets the status. */
  private void refuse() {
    status = type == ValueType.NOSUPPORT ? PmError.APPVERSION.code() : PmError.TYPE.code();
    next = end;
  }

  private void readNumbers() {
    copy(MmvFile.VALUE, BATCH);
    if (hasSentinel) {
      leaveOutSentinels();
    }
  }

  /** Copies a word of each of the next values, and their instances. */
  private void copy(int word, int max) {
    count = Math.min(max, end - next);
    if (chosen == null) {
      plan.copy(next, count, word, instances, bits, entries);
    } else {
      for (int i = 0; i < count; i++) {
        instances[i] = plan.instance(chosen[next + i]);
        bits[i] = file.word(plan.index(chosen[next + i]), word);
      }
    }
    next += count;
  }

  private void leaveOutSentinels() {
    int all = count;
    count = 0;
    for (int i = 0; i < all; i++) {
      if (!isSentinel(bits[i])) {
        instances[count] = instances[i];
        bits[count++] = bits[i];
      }
    }
  }

  private void readTimers() {
    for (; next < end && count < BATCH; next++) {
      int at = value(next);
      long value = file.value(plan.index(at));
      if (!hasSentinel || !isSentinel(value)) {
        instances[count] = plan.instance(at);
        bits[count++] = value + sinceStart(at);
      }
    }
  }

  /**
   * Returns whether a number is a sentinel ("no value at the moment"): NaN, or for integers 8 bytes
   * of ones.
   */
  private boolean isSentinel(long value) {
    return switch (type) {
      case ValueType.FLOAT -> Float.isNaN(Float.intBitsToFloat((int) value));
      case ValueType.DOUBLE -> Double.isNaN(Double.longBitsToDouble(value));
      default -> value == -1;
    };
  }

  /** Returns how long a timer has been running in microseconds; 0 if it is not running. */
  private long sinceStart(int value) {
    long start = file.extra(plan.index(value)); // negative if it is running
    return start < 0 ? request.now() + start : 0;
  }

  private void readTexts() {
    copy(MmvFile.EXTRA, TEXT_BATCH);
    int all = count;
    count = 0;
    file.texts(bits, all, text, lengths);
    for (int i = 0; i < all; i++) {
      if (lengths[i] < 0) {
        status = PmError.GENERIC.code();
      } else if (lengths[i] == 0 && hasSentinel) {
        status = 0;
      } else {
        instances[count] = instances[i];
        texts[count] = i * MmvFile.TEXT_SIZE;
        bits[count++] = lengths[i];
      }
    }
  }
}
