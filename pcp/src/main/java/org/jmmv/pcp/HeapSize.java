package org.jmmv.pcp;

/**
 * What objects take in the heap of a 64-bit HotSpot with compressed references, in bytes. The only
 * place with numbers of its object layout: what is kept for a client is counted with them.
 */
public final class HeapSize {
  private static final int HEADER = 12; // 8 with compact headers
  private static final int ARRAY_HEADER = 16;
  private static final int REFERENCE = 4;
  private static final int ALIGNMENT = 8;
  private static final int MAX_LATIN_1 = 0xff;

  private HeapSize() {}

  private static long aligned(long bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /**
   * Returns the size of an object, without those that it refers to.
   *
   * @param references the number of its fields that are references
   * @param bytes the size of its other fields
   */
  public static long ofObject(int references, int bytes) {
    return aligned(HEADER + (long) REFERENCE * references + bytes);
  }

  /** Returns the size of an array of bytes. */
  public static long ofBytes(int length) {
    return aligned(ARRAY_HEADER + (long) length);
  }

  /** Returns the size of an array of {@code int}s. */
  public static long ofInts(int length) {
    return aligned(ARRAY_HEADER + (long) Integer.BYTES * length);
  }

  /** Returns the size of an array of {@code long}s. */
  public static long ofLongs(int length) {
    return ARRAY_HEADER + (long) Long.BYTES * length;
  }

  /** Returns the size of an array of references, without the objects. */
  public static long ofReferences(int length) {
    return aligned(ARRAY_HEADER + (long) REFERENCE * length);
  }

  /** Returns the size of a text; null takes nothing. */
  public static long of(String text) {
    if (text == null) {
      return 0;
    }
    boolean isLatin1 = text.chars().allMatch(c -> c <= MAX_LATIN_1);
    return ofText(isLatin1 ? text.length() : 2 * text.length());
  }

  /** Returns the size of a text that takes a number of bytes: of one char per byte, its length. */
  public static long ofText(int bytes) {
    return ofObject(1, Integer.BYTES + 2) + ofBytes(bytes);
  }

  /** Returns the size of an entry of a {@code HashMap}, with its part of the table. */
  public static long ofHashEntry() {
    return ofObject(3, Integer.BYTES) + 2 * REFERENCE;
  }

  /** Returns the size of an entry of a {@code LinkedHashMap}, with its part of the table. */
  public static long ofLinkedEntry() {
    return ofObject(5, Integer.BYTES) + 2 * REFERENCE;
  }
}
