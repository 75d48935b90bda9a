package org.jmmv.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.MmvFile;

/**
 * The values of a metric at one time, or the reason why there are none; see {@code pmValueSet} in
 * pmFetch(3). A value takes 12 bytes, and the bytes of a string.
 */
public final class KeptValues implements ValueSink {
  private int[] instances = {};
  private long[] bits = {}; // of a string: the index of its first byte, and its length
  private byte[] texts = {};
  private int count;
  private int textEnd;
  private int keptCount; // of values that stay when others are cleared
  private int keptTextEnd; // likewise
  private int type = ValueType.NOSUPPORT;
  private int status;

  /** Creates a set without values. */
  public KeptValues() {}

  /** Creates a set without values, with a reason: 0, or a negative code. */
  public static KeptValues ofStatus(int status) {
    KeptValues set = new KeptValues();
    set.status = status;
    return set;
  }

  /** Returns what the values of a metric need at most, in bytes. */
  public static long max(int type, int values) {
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
    if (texts.length - textEnd < length) {
      texts = Arrays.copyOf(texts, Math.max(2 * texts.length, textEnd + length));
    }
    System.arraycopy(bytes, offset, texts, textEnd, length);
    append(instance, (long) textEnd << Integer.SIZE | length);
    textEnd += length;
    return true;
  }

  /**
   * Adds a number. All numbers of a set have one type.
   *
   * @param value as in {@link ValueSink#numbers}
   */
  public void add(int numberType, int instance, long value) {
    type = numberType;
    append(instance, value);
  }

  /** Adds a value of another set, for an instance. All values of a set have one type. */
  public void add(int instance, KeptValues from, int index) {
    if (from.type == ValueType.STRING) {
      text(instance, from.texts, from.textStart(index), from.textLength(index));
    } else {
      add(from.type, instance, from.bits[index]);
    }
  }

  private void append(int instance, long value) {
    reserve(1);
    instances[count] = instance;
    bits[count++] = value;
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

  /** Gives up what is kept for further values. */
  public void trim() {
    resize(count);
    texts = Arrays.copyOf(texts, textEnd);
  }

  @Override
  public void none(int why) {
    status = why;
  }

  @Override
  public void beginReading() {
    keptCount = count;
    keptTextEnd = textEnd;
  }

  @Override
  public void clear() {
    count = keptCount;
    textEnd = keptTextEnd;
  }

  /** Returns why there are no values: 0, or a negative code; see {@link ValueSink#none}. */
  public int status() {
    return status;
  }

  /** Returns the number of values. */
  public int count() {
    return count;
  }

  /** Returns the type of the values, if there are any. */
  public int type() {
    return type;
  }

  /** Returns the instance of a value. */
  public int instance(int index) {
    return instances[index];
  }

  /** Returns a number as in {@link ValueSink#numbers}. */
  public long bits(int index) {
    return bits[index];
  }

  /** Returns a string, one char per byte. */
  public String text(int index) {
    return new String(texts, textStart(index), textLength(index), ISO_8859_1);
  }

  private int textStart(int index) {
    return (int) (bits[index] >>> Integer.SIZE);
  }

  private int textLength(int index) {
    return (int) bits[index];
  }

  /** Returns what it takes in the heap, in bytes. */
  public long bytes() {
    return HeapSize.ofObject(3, 6 * Integer.BYTES)
        + HeapSize.ofInts(instances.length)
        + HeapSize.ofLongs(bits.length)
        + HeapSize.ofBytes(texts.length);
  }
}
