package org.jmmv.reader;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.jmmv.reader.MmvLayout.LABEL_SIZE;
import static org.jmmv.reader.MmvLayout.STRING_SIZE;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Copies the metadata from a file while it is parsed. It takes the {@link Fingerprint} of all that
 * it copies, and collects the faults that are found.
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

  /** The size of the largest entry, that of the LABELS section, in bytes. */
  private static final int MAX_ENTRY_SIZE = LABEL_SIZE;

  private final String file;
  private final MmvMapping mapping;
  private final Faults faults;
  private final long maxMemory;
  private long memory = Memory.OF_FILE;
  private final Fingerprint.Builder fingerprint = new Fingerprint.Builder();
  private final byte[] entryBytes = new byte[MAX_ENTRY_SIZE]; // the entry that was loaded last
  private final ByteBuffer entry = ByteBuffer.wrap(entryBytes).order(ByteOrder.nativeOrder());
  private int entryOffset;
  private final byte[] stringBytes = new byte[STRING_SIZE]; // the last string
  private final ByteBuffer string = ByteBuffer.wrap(stringBytes).order(ByteOrder.nativeOrder());

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
    this.mapping = mapping;
  }

  /** Returns the file's name. */
  String file() {
    return file;
  }

  /** Returns the file's size in bytes. */
  long size() {
    return mapping.size();
  }

  /**
   * Returns whether {@code count} entries, starting at {@code offset}, lie within the file. All
   * arguments may have any value.
   */
  boolean fits(long offset, int count, int entrySize) {
    long size = size();
    return offset >= 0 && offset <= size && count >= 0 && count <= (size - offset) / entrySize;
  }

  /**
   * Copies an entry of the file, of which {@link #i32}, {@link #i64} and {@link #text} then read
   * the fields. The entry must lie within the file. So each byte of the metadata is read only once.
   *
   * @param offset in bytes from the start of the file
   * @param size at most {@value #MAX_ENTRY_SIZE} bytes
   */
  void load(long offset, int size) {
    entryOffset = Math.toIntExact(offset);
    mapping.bytes().get(entryOffset, entryBytes, 0, size);
    fingerprint.add(entryOffset, entry, size);
  }

  /** Returns a field of the entry that was loaded last, by its offset in the file. */
  int i32(long offset) {
    return entry.getInt(Math.toIntExact(offset - entryOffset));
  }

  /** Returns a field as {@link #i32} does. */
  long i64(long offset) {
    return entry.getLong(Math.toIntExact(offset - entryOffset));
  }

  /**
   * Returns a text in the entry that was loaded last, up to the first NUL, one char per byte.
   *
   * @param offset in bytes from the start of the file
   * @param max the maximum length in bytes
   */
  String text(long offset, int max) {
    return text(entryBytes, Math.toIntExact(offset - entryOffset), max);
  }

  /** Copies entries of the VALUES section, as {@link Fingerprint.Builder#addValues} wants them. */
  void values(long offset, long[] into, int entries) {
    mapping.copy(Math.toIntExact(offset), into, entries * MmvFile.LONGS_PER_VALUE);
    fingerprint.addValues(Math.toIntExact(offset), into, entries);
  }

  /**
   * Returns the string at {@code offset}, which must lie within the file. If the first 256 bytes
   * have no NUL, the string is cut to 255 bytes, as by pmdammv(1). Returns null if the file ends
   * before.
   */
  String string(long offset) {
    int known = (int) Math.min(STRING_SIZE, size() - offset);
    mapping.bytes().get(Math.toIntExact(offset), stringBytes, 0, known);
    String text = text(stringBytes, 0, Math.min(known, STRING_SIZE - 1));
    fingerprint.add(Math.toIntExact(offset), string, Math.min(known, text.length() + 1));
    boolean isCut = text.length() == known;
    return isCut ? null : text;
  }

  private static String text(byte[] bytes, int start, int max) {
    int length = 0;
    while (length < max && bytes[start + length] != 0) {
      length++;
    }
    return new String(bytes, start, length, ISO_8859_1);
  }

  /** Returns what identifies the metadata that has been read. */
  Fingerprint fingerprint() {
    return fingerprint.build();
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
