package org.jmmv.pcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A list of texts with one char per byte. They are packed, so that it is known what they take. */
public final class TextList {
  private byte[] packed = new byte[0];
  private int[] ends = new int[0];
  private int size;

  /** Returns a list of texts. */
  public static TextList of(List<String> texts) {
    TextList list = new TextList();
    texts.forEach(list::add);
    return list;
  }

  /** Returns the parts of a text between its commas; none of an empty text. */
  public static TextList ofCommas(String text) {
    return text.isEmpty() ? new TextList() : of(List.of(text.split(",", -1)));
  }

  /** Adds a text. */
  public void add(String text) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    int begin = end(size);
    int end = Math.addExact(begin, bytes.length);
    if (end > packed.length) {
      packed = Arrays.copyOf(packed, capacity(packed.length, end));
    }
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, capacity(ends.length, size + 1));
    }
    System.arraycopy(bytes, 0, packed, begin, bytes.length);
    ends[size++] = end;
  }

  private static int capacity(int before, int needed) {
    return Math.max(before + before / 2, needed);
  }

  private int end(int count) {
    return count == 0 ? 0 : ends[count - 1];
  }

  /** Returns the number of texts. */
  public int size() {
    return size;
  }

  /**
   * Returns a text.
   *
   * @param index 0 to {@link #size} - 1
   */
  public String get(int index) {
    return new String(packed, end(index), ends[index] - end(index), ISO_8859_1);
  }

  /** Returns all texts. */
  public List<String> toList() {
    return IntStream.range(0, size).mapToObj(this::get).toList();
  }

  /** Returns what the list takes in the heap, in bytes. */
  public long bytes() {
    return HeapSize.ofBytes(packed.length) + HeapSize.ofInts(ends.length);
  }
}
