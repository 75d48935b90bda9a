package org.jmmv.web.pmapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.TextList;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.MmvFile;

/** Keeps the values of a metric until they are written: 12 bytes each, and the bytes of strings. */
final class FetchedMetric implements ValueSink {
  private final int pmid;
  private final TextList names = new TextList(); // files that share a metric may give it many
  private int[] instances = {};
  private long[] bits = {}; // of a string: the index of its first byte, and its length
  private byte[] texts = {};
  private int count;
  private int textEnd;
  private int type;

  FetchedMetric(int pmid, List<String> names) {
    this.pmid = pmid;
    names.forEach(this.names::add);
  }

  /** Returns what the values of a metric need at most, in bytes. */
  static long max(int type, int values) {
    int text = ValueType.size(type) > 0 ? 0 : MmvFile.TEXT_SIZE;
    return (long) (Integer.BYTES + Long.BYTES + text) * values;
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
      resize(Math.max(2 * instances.length, count + more));
    }
  }

  private void resize(int length) {
    instances = Arrays.copyOf(instances, length);
    bits = Arrays.copyOf(bits, length);
  }

  /** Gives up what is kept for further values: a client may take long to read these. */
  void trim() {
    resize(count);
    texts = Arrays.copyOf(texts, textEnd);
  }

  @Override
  public void none(int status) {}

  @Override
  public void clear() {
    count = 0;
    textEnd = 0;
  }

  int pmid() {
    return pmid;
  }

  TextList names() {
    return names;
  }

  int count() {
    return count;
  }

  /**
   * Writes a value. A number that JSON does not have, such as NaN, is null.
   *
   * @param index its index
   */
  void write(JsonGenerator json, int index) throws IOException {
    json.writeStartObject();
    json.writeFieldName("instance");
    if (instances[index] == Instance.NULL) {
      json.writeNull();
    } else {
      json.writeNumber(Integer.toUnsignedLong(instances[index])); // as pmproxy
    }
    json.writeFieldName("value");
    writeValue(json, bits[index]);
    json.writeEndObject();
  }

  private void writeValue(JsonGenerator json, long value) throws IOException {
    switch (type) {
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

  long bytes() {
    return HeapSize.ofObject(4, 4 * Integer.BYTES)
        + HeapSize.ofObject(2, Integer.BYTES)
        + names.bytes()
        + HeapSize.ofInts(instances.length)
        + HeapSize.ofLongs(bits.length)
        + HeapSize.ofBytes(texts.length);
  }
}
