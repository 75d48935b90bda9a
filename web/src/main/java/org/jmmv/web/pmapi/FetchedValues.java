package org.jmmv.web.pmapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Arrays;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;

/** Keeps values of metrics until they are written: 12 bytes each, and the bytes of strings. */
final class FetchedValues implements ValueSink {
  private static final int MAX_TEXT = 256; // bytes of a string in a file
  private static final int FEW = 16;

  private int[] instances = new int[FEW];
  private long[] bits = new long[FEW]; // of a string: the index of its first byte, and its length
  private byte[] texts = new byte[FEW];
  private int count;
  private int textEnd;
  private int textBegin; // of the metric that is being read
  private int[] ends = new int[FEW]; // of each metric, in the arrays of values
  private int[] types = new int[FEW]; // of each metric
  private int[] pmids = new int[FEW]; // of each metric
  private int[] endsOfNames = new int[FEW]; // of each metric
  private int metrics;
  private int type; // of the metric that is being read

  /** Returns what the values of a metric need at most, in bytes. */
  static long max(int type, int values) {
    int text = ValueType.size(type) > 0 ? 0 : MAX_TEXT;
    return (long) (Integer.BYTES + Long.BYTES + text) * values;
  }

  /**
   * Ends the values of a metric.
   *
   * @param endOfNames the number of names of this metric and those before
   */
  void endMetric(int pmid, int endOfNames) {
    if (metrics == ends.length) {
      resizeMetrics(2 * metrics);
    }
    ends[metrics] = count;
    types[metrics] = type;
    pmids[metrics] = pmid;
    endsOfNames[metrics] = endOfNames;
    metrics++;
    textBegin = textEnd;
  }

  @Override
  public int numbers(int numberType, int[] numbers, long[] values, int more) {
    type = numberType;
    reserve(more);
    System.arraycopy(numbers, 0, instances, count, more);
    System.arraycopy(values, 0, bits, count, more);
    count += more;
    return more;
  }

  @Override
  public boolean text(int instance, byte[] bytes, int offset, int length) {
    type = ValueType.STRING;
    reserve(1);
    if (texts.length - textEnd < length) {
      texts = Arrays.copyOf(texts, Math.max(2 * texts.length, textEnd + length));
    }
    System.arraycopy(bytes, offset, texts, textEnd, length);
    instances[count] = instance;
    bits[count] = (long) textEnd << Integer.SIZE | length;
    count++;
    textEnd += length;
    return true;
  }

  private void reserve(int more) {
    if (instances.length - count < more) {
      resizeValues(Math.max(2 * instances.length, count + more));
    }
  }

  private void resizeValues(int length) {
    instances = Arrays.copyOf(instances, length);
    bits = Arrays.copyOf(bits, length);
  }

  private void resizeMetrics(int length) {
    ends = Arrays.copyOf(ends, length);
    types = Arrays.copyOf(types, length);
    pmids = Arrays.copyOf(pmids, length);
    endsOfNames = Arrays.copyOf(endsOfNames, length);
  }

  /** Gives up what is kept for further values: a client may take long to read these. */
  void trim() {
    resizeValues(count);
    resizeMetrics(metrics);
    texts = Arrays.copyOf(texts, textEnd);
  }

  @Override
  public void none(int status) {}

  @Override
  public void clear() {
    count = begin(metrics);
    textEnd = textBegin;
  }

  /** Returns the index of the first value of a metric. */
  int begin(int metric) {
    return metric == 0 ? 0 : ends[metric - 1];
  }

  /** Returns the index behind the last value of a metric. */
  int end(int metric) {
    return ends[metric];
  }

  int pmid(int metric) {
    return pmids[metric];
  }

  /** Returns the number of names of a metric and those before it. */
  int endOfNames(int metric) {
    return endsOfNames[metric];
  }

  /** Returns the number of values. */
  int count() {
    return count;
  }

  /**
   * Writes a value. A number that JSON does not have, such as NaN, is null.
   *
   * @param metric the index of its metric
   * @param value its index
   */
  void write(JsonGenerator json, int metric, int value) throws IOException {
    json.writeStartObject();
    json.writeFieldName("instance");
    if (instances[value] == Instance.NULL) {
      json.writeNull();
    } else {
      json.writeNumber(Integer.toUnsignedLong(instances[value])); // as pmproxy
    }
    json.writeFieldName("value");
    writeValue(json, types[metric], bits[value]);
    json.writeEndObject();
  }

  private void writeValue(JsonGenerator json, int metricType, long value) throws IOException {
    switch (metricType) {
      case ValueType.I32 -> json.writeNumber((int) value);
      case ValueType.U32 -> json.writeNumber(Integer.toUnsignedLong((int) value));
      case ValueType.I64 -> json.writeNumber(value);
      case ValueType.U64 -> json.writeNumber(Long.toUnsignedString(value));
      case ValueType.FLOAT -> {
        float number = Float.intBitsToFloat((int) value);
        if (Float.isFinite(number)) {
          json.writeNumber(number);
        } else {
          json.writeNull();
        }
      }
      case ValueType.DOUBLE -> {
        double number = Double.longBitsToDouble(value);
        if (Double.isFinite(number)) {
          json.writeNumber(number);
        } else {
          json.writeNull();
        }
      }
      default ->
          json.writeString(new String(texts, (int) (value >>> Integer.SIZE), (int) value, UTF_8));
    }
  }

  /** Returns what {@link #trim} would leave, in bytes. */
  long used() {
    return (long) (Integer.BYTES + Long.BYTES) * count + textEnd + 4L * Integer.BYTES * metrics;
  }

  /** Returns what the arrays take in the heap, in bytes. */
  long bytes() {
    return HeapSize.ofInts(instances.length)
        + HeapSize.ofLongs(bits.length)
        + HeapSize.ofBytes(texts.length)
        + 4 * HeapSize.ofInts(ends.length);
  }
}
