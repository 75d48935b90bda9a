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
 * Reads the values of metrics out of their files and decides what they mean: mmv(5).
 *
 * <p>Values are read some hundred at a time and handed over when it is certain that the file had
 * them, so that no sink ever sees what stood in the place of a page that is gone. Nothing is
 * allocated for a value.
 */
final class Values implements MmvFile.Reading {
  private static final int BATCH = 512;
  private static final int TEXT_BATCH = 32;
  private static final int TEXT_SIZE = 256;

  // what was read last
  private final int[] instances = new int[BATCH];
  private final long[] bits = new long[BATCH];
  private final byte[] text = new byte[TEXT_BATCH * TEXT_SIZE];
  private int count;
  private int status; // of the last instance that has no value

  // what is being read
  private ValuePlan plan;
  private MmvFile file;
  private int type;
  private InstanceFilter.Choice choice;
  private boolean hasSentinel;
  private int next;
  private int end; // of the values that stand in this file
  private long now;

  /**
   * Reads the values of a metric.
   *
   * @param type as in the file, {@link MmvMetric#ELAPSED} included
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

  /** Values of a type that can't be read. */
  private void refuse() {
    for (; next < end; next++) {
      if (choice.passes(plan.instance(next))) {
        status = type == ValueType.NOSUPPORT ? PmError.APPVERSION.code() : PmError.TYPE.code();
      }
    }
  }

  /** Numbers that stand for themselves, without a sentinel, and all of them are wanted. */
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

  /** Whether a number means "no value now": all 8 bytes ones, or NaN. */
  private boolean isSentinel(long value) {
    return switch (type) {
      case ValueType.FLOAT -> Float.isNaN(Float.intBitsToFloat((int) value));
      case ValueType.DOUBLE -> Double.isNaN(Double.longBitsToDouble(value));
      default -> value == -1;
    };
  }

  /** How long a timer has been running, in microseconds; 0 if it is not. */
  private long sinceStart(int value) {
    long start = file.extra(plan.index(value)); // negated, if it is running
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

  /** Forgets the time: what is read from now on is of another request. */
  void beginRequest() {
    now = 0;
  }

  /** Microseconds since the epoch, the same for all values of a request. */
  private long now() {
    if (now == 0) {
      Instant instant = Instant.now();
      now = instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
    }
    return now;
  }
}
