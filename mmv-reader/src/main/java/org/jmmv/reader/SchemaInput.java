package org.jmmv.reader;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.jmmv.reader.MmvLayout.STRING_SIZE;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Reads numbers and texts from a file while its metadata is parsed. It computes a digest of
 * everything that it reads, and collects the faults that are found.
 */
final class SchemaInput {
  /**
   * An entry of a section.
   *
   * @param kind the kind of the entry for messages, for example "metric"
   * @param index the index in the section, from 0 on
   * @param at the offset in bytes from the start of the file
   */
  record Entry(String kind, int index, long at) {}

  private final String file;
  private final ByteBuffer bytes;
  private final long size;
  private final Faults faults;
  private final long maxMemory;
  private long memory = Memory.OF_FILE;
  private long digest;
  private final byte[] textBytes = new byte[STRING_SIZE]; // of the last text

  /**
   * Creates the input for one file.
   *
   * @param maxMemory the maximum of {@link #memory}, in bytes
   * @param faults receives the faults that are found
   */
  SchemaInput(String file, MmvMapping mapping, long maxMemory, Faults faults) {
    this.faults = faults;
    this.file = file;
    this.maxMemory = maxMemory;
    bytes = mapping.bytes();
    size = mapping.size();
  }

  /** Returns the file's name. */
  String file() {
    return file;
  }

  /** Returns the file's size in bytes. */
  long size() {
    return size;
  }

  /**
   * Returns whether {@code count} entries, starting at {@code offset}, lie within the file. All
   * arguments may have any value.
   */
  boolean fits(long offset, int count, int entrySize) {
    return offset >= 0 && offset <= size && count >= 0 && count <= (size - offset) / entrySize;
  }

  int i32(long offset) {
    int value = bytes.getInt(Math.toIntExact(offset));
    mix(value);
    return value;
  }

  long i64(long offset) {
    long value = bytes.getLong(Math.toIntExact(offset));
    mix(value);
    return value;
  }

  /**
   * Copies 8-byte words, which does not add them to the digest. Copying many takes less time than a
   * look at each.
   */
  void copy(long offset, long[] into, int count) {
    bytes
        .slice(Math.toIntExact(offset), count * Long.BYTES)
        .order(bytes.order())
        .asLongBuffer()
        .get(into, 0, count);
  }

  /** Adds a word that was copied to the digest, and returns it. */
  long use(long word) {
    mix(word);
    return word;
  }

  /**
   * Returns the string at {@code offset}, which must lie within the file. If the first 256 bytes
   * have no NUL, the string is cut to 255 bytes, as by pmdammv(1). Returns null if the file ends
   * before.
   */
  String string(long offset) {
    int max = (int) Math.min(STRING_SIZE - 1, size - offset);
    String text = text(offset, max);
    boolean isCut = text.length() == max && offset + STRING_SIZE > size;
    return isCut ? null : text;
  }

  /**
   * Returns the text at {@code offset} up to the first NUL, at most {@code max} bytes, one char per
   * byte. {@code max} is at most {@link MmvLayout#STRING_SIZE}.
   */
  String text(long offset, int max) {
    bytes.get(Math.toIntExact(offset), textBytes, 0, max);
    int length = 0;
    while (length < max && textBytes[length] != 0) {
      mix(textBytes[length]);
      length++;
    }
    mix(length);
    return new String(textBytes, 0, length, ISO_8859_1);
  }

  /**
   * Adds a value to the digest: a step of FNV-1a with 64 bits at a time, and an additional shift.
   */
  private void mix(long value) {
    digest = (digest ^ value) * 0x100000001b3L;
    digest ^= digest >>> 32;
  }

  /** Returns a 64-bit hash of everything that has been read. */
  long digest() {
    return digest;
  }

  /**
   * Adds to the estimate of the heap that the file needs while it is served.
   *
   * @param bytes from {@link Memory}
   */
  void keep(long bytes) {
    memory += bytes;
  }

  /** Returns the estimate of the heap that the file needs while it is served, in bytes. */
  long memory() {
    return memory;
  }

  /** Returns whether the file needs too much memory, so that reading the rest is useless. */
  boolean isTooLarge() {
    return memory > maxMemory;
  }

  /** Creates an exception for a file whose header is invalid. */
  MmvFormatException refused(long offset, String reason, Object... values) {
    return new MmvFormatException(new MmvFault(file, "header", offset, reason.formatted(values)));
  }

  /**
   * Adds a fault of an entry.
   *
   * @param reason a format; faults with the same format are faults of one kind
   * @param values for the format; strings are escaped. That is done only for the first fault of a
   *     kind, because there can be millions
   */
  void fault(Entry entry, String reason, Object... values) {
    if (faults.isFirst(reason)) {
      String name = entry.kind + "[" + entry.index + "]";
      faults.add(reason, new MmvFault(file, name, entry.at, text(reason, values)));
    }
  }

  /** Returns how many faults of a kind are kept, while the others are only counted. */
  int mostFaults() {
    return faults.most();
  }

  /** Counts more faults of a kind that has a first one. */
  void moreFaults(String reason, int count) {
    faults.more(reason, count);
  }

  private static String text(String reason, Object... values) {
    return reason.formatted(
        Arrays.stream(values)
            .map(value -> value instanceof String text ? MmvFault.printable(text) : value)
            .toArray());
  }

  /** Adds a fault of the file as a whole. */
  void fault(String reason, Object... values) {
    if (faults.isFirst(reason)) {
      faults.add(reason, new MmvFault(file, text(reason, values)));
    }
  }

  /** Returns the first faults of each kind, with the number of the others. */
  List<MmvFault> faults() {
    return faults.list();
  }
}
