package org.jmmv.core;

import java.time.Instant;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.FileCutOff;
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
final class Values implements MmvFile.Reading {
  private static final int BATCH = 512;
  private static final int TEXT_BATCH = 32;
  private static final int TEXT_SIZE = 256;

  // the current batch
  private final int[] instances = new int[BATCH];
  private final long[] bits = new long[BATCH];
  private final byte[] text = new byte[TEXT_BATCH * TEXT_SIZE];
  private int count;
  private int status; // the reason why the last instance without a value has none

  // the metric being read
  private ValuePlan plan;
  private MmvFile file;
  private int type;
  private InstanceFilter.Choice choice;
  private boolean hasSentinel;
  private int next;
  private int end; // of the values in this file, exclusive
  private long now;

  /**
   * Reads the values of a metric.
   *
   * @param metric the locations of the values
   * @param type the type in the file, which may be {@link MmvMetric#ELAPSED}
   * @param choice the instances to read
   * @param sink receives the values, or the status of the last selected instance if there are no
   *     values
   * @throws FileCutOff if a file was truncated
   */
  void read(ValuePlan metric, int type, InstanceFilter.Choice choice, ValueSink sink)
      throws FileCutOff {
    plan = metric;
    this.type = type;
    this.choice = choice;
    status = 0;
    boolean isText = type == ValueType.STRING;
    boolean any = false;
    for (next = 0; next < plan.count(); ) {
      file = plan.file(next);
      hasSentinel = file.schema().has(MmvSchema.FLAG_SENTINEL);
      end = plan.endOfRun(next);
      while (next < end) {
        file.read(this);
        any |= count > 0;
        if (isText) {
          for (int i = 0; i < count; i++) {
            sink.text(instances[i], text, i * TEXT_SIZE, (int) bits[i]);
          }
        } else if (count > 0) {
          sink.numbers(type == MmvMetric.ELAPSED ? ValueType.I64 : type, instances, bits, count);
        }
      }
    }
    if (!any) {
      sink.none(plan.hasLast(choice) ? status : PmError.INST.code());
    }
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
          ValueType.DOUBLE -> {
        if (hasSentinel || !choice.isAll()) {
          readNumbers();
        } else {
          readPlainNumbers();
        }
      }
      case MmvMetric.ELAPSED -> readNumbers();
      case ValueType.STRING -> readTexts();
      default -> refuse();
    }
  }

  /** Skips values of a type that can't be read, and sets the status. */
  private void refuse() {
    for (; next < end; next++) {
      if (choice.passes(plan.instance(next))) {
        status = type == ValueType.NOSUPPORT ? PmError.APPVERSION.code() : PmError.TYPE.code();
      }
    }
  }

  /** Reads numbers if the file has no sentinels and all instances are selected. */
  private void readPlainNumbers() {
    count = Math.min(BATCH, end - next);
    plan.copy(next, count, instances, bits);
    next += count;
  }

  private void readNumbers() {
    for (; next < end && count < BATCH; next++) {
      int instance = plan.instance(next);
      if (choice.passes(instance)) {
        long value = file.value(plan.index(next));
        if (hasSentinel && isSentinel(value)) {
          status = 0;
        } else {
          instances[count] = instance;
          bits[count++] = type == MmvMetric.ELAPSED ? value + sinceStart(next) : value;
        }
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
    return start < 0 ? now() + start : 0;
  }

  private void readTexts() {
    boolean isAll = choice.isAll();
    for (; next < end && count < TEXT_BATCH; next++) {
      int instance = plan.instance(next);
      if (isAll || choice.passes(instance)) {
        int length = file.text(file.extra(plan.index(next)), text, count * TEXT_SIZE);
        if (length < 0) {
          status = PmError.GENERIC.code();
        } else if (length == 0 && hasSentinel) {
          status = 0;
        } else {
          instances[count] = instance;
          bits[count++] = length;
        }
      }
    }
  }

  /** Starts a request: running timers are read with the time of its first such value. */
  void beginRequest() {
    now = 0;
  }

  /** Returns the time in microseconds since the epoch, the same for all values of a request. */
  private long now() {
    if (now == 0) {
      Instant instant = Instant.now();
      now = instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
    }
    return now;
  }
}
