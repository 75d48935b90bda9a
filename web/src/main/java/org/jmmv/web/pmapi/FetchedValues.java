package org.jmmv.web.pmapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Arrays;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;

/** Keeps values of metrics until they are written: 12 bytes each, and the bytes of strings. */
final class FetchedValues implements ValueSink {
  /** What a value of a metric needs at most, in bytes, if it is a string. */
  static final int STRING_BYTES = 12 + 256;

  /** What a value needs if it is a number. */
  static final int NUMBER_BYTES = 12;

  private static final int FEW = 16;

  private int[] instances = new int[FEW];
  private long[] bits = new long[FEW]; // of a string: the index of its first byte, and its length
  private byte[] texts = new byte[FEW];
  private int count;
  private int textEnd;
  private int textBegin; // of the metric that is being read
  private int[] ends = new int[FEW]; // of each metric, in the arrays of values
  private int[] types = new int[FEW]; // of each metric
  private int metrics;
  private int type; // of the metric that is being read

  /** Ends the values of a metric. */
  void endMetric() {
    if (metrics == ends.length) {
      ends = Arrays.copyOf(ends, 2 * metrics);
      types = Arrays.copyOf(types, 2 * metrics);
    }
    ends[metrics] = count;
    types[metrics] = type;
    metrics++;
    textBegin = textEnd;
  }

  @Override
  public void numbers(int numberType, int[] numbers, long[] values, int more) {
    type = numberType;
    reserve(more);
    System.arraycopy(numbers, 0, instances, count, more);
    System.arraycopy(values, 0, bits, count, more);
    count += more;
  }

  @Override
  public void text(int instance, byte[] bytes, int offset, int length) {
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
  }

  private void reserve(int more) {
    if (instances.length - count < more) {
      int length = Math.max(2 * instances.length, count + more);
      instances = Arrays.copyOf(instances, length);
      bits = Arrays.copyOf(bits, length);
    }
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

  /** Returns what the values need in the heap, in bytes. */
  long bytes() {
    return (long) NUMBER_BYTES * instances.length + texts.length + 2L * Integer.BYTES * ends.length;
  }
}
