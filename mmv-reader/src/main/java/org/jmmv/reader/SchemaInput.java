package org.jmmv.reader;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.jmmv.reader.MmvLayout.LABEL_SIZE;
import static org.jmmv.reader.MmvLayout.STRING_SIZE;
import static org.jmmv.reader.MmvLayout.VALUE_LONGS;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Faults;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.fault.Place;

/**
 * Copies the metadata from a file while it is parsed. It takes the {@link Fingerprint} of all that
 * it copies, and collects the faults that are found.
 */
final class SchemaInput {
  /** The size of the largest entry, that of the LABELS section, in bytes. */
  private static final int MAX_ENTRY_SIZE = LABEL_SIZE;

  private final FileName file;
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
  SchemaInput(FileName file, MmvMapping mapping, long maxMemory, Faults faults) {
    this.faults = faults;
    this.file = file;
    this.maxMemory = maxMemory;
    this.mapping = mapping;
  }

  FileName name() {
    return file;
  }

  /** Returns the file's name in its directory. */
  String file() {
    return file.name();
  }

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
    mapping.copy(Math.toIntExact(offset), into, entries * VALUE_LONGS);
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

  Place place(Place.Section section, int index, long offset) {
    return new Place(file, section, index, offset);
  }

  /** Creates an exception for a file whose header is invalid. */
  MmvFormatException refused(FaultKind kind, long offset, Object... arguments) {
    return new MmvFormatException(Fault.of(kind, Place.ofHeader(file, offset), arguments));
  }

  /** Adds a fault. Only of the first ones of a kind an object is made: there can be millions. */
  void fault(FaultKind kind, Place place, Object... arguments) {
    faults.add(kind, () -> Fault.of(kind, place, arguments));
  }

  Faults faults() {
    return faults;
  }
}
