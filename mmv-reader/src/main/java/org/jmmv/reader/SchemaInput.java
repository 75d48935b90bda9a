package org.jmmv.reader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.jmmv.reader.MmvLayout.INT;
import static org.jmmv.reader.MmvLayout.LONG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a file as its metadata is read: every number and text once, with a digest of all
 * that was read, and with the faults found.
 */
final class SchemaInput {
  /** Faults beyond this number are only counted. */
  private static final int MAX_FAULTS = 20;

  /**
   * An entry of a section.
   *
   * @param kind what it describes, as faults call it: "metric"
   * @param index its place in the section, from 0 on
   * @param at where it begins, in bytes from the start of the file
   */
  record Entry(String kind, int index, long at) {}

  private final String file;
  private final MemorySegment bytes;
  private final long size;
  private final List<MmvFault> faults = new ArrayList<>();
  private int moreFaults;
  private long digest;

  SchemaInput(String file, MmvMapping mapping) {
    this.file = file;
    bytes = mapping.bytes();
    size = mapping.size();
  }

  /** The file's name. */
  String file() {
    return file;
  }

  /** The file's size in bytes. */
  long size() {
    return size;
  }

  /** Whether {@code count} entries from {@code offset} on lie in the file; for any numbers. */
  boolean fits(long offset, int count, int entrySize) {
    return offset >= 0 && offset <= size && count >= 0 && count <= (size - offset) / entrySize;
  }

  int i32(long offset) {
    int value = bytes.get(INT, offset);
    mix(value);
    return value;
  }

  long i64(long offset) {
    long value = bytes.get(LONG, offset);
    mix(value);
    return value;
  }

  /** The text at {@code offset} up to a NUL, at most {@code max} bytes. */
  String text(long offset, int max) {
    byte[] copy = new byte[max];
    MemorySegment.copy(bytes, JAVA_BYTE, offset, copy, 0, max);
    int length = 0;
    while (length < max && copy[length] != 0) {
      mix(copy[length]);
      length++;
    }
    mix(length);
    return new String(copy, 0, length, ISO_8859_1);
  }

  /** A step of FNV-1a, on 64 bits at a time. */
  private void mix(long value) {
    digest = (digest ^ value) * 0x100000001b3L;
    digest ^= digest >>> 32;
  }

  /** Differs, but for chance, between files whose metadata differs. */
  long digest() {
    return digest;
  }

  /** An exception for a file that can't be served because of its header. */
  MmvFormatException refused(long offset, String reason, Object... values) {
    return new MmvFormatException(new MmvFault(file, "header", offset, reason.formatted(values)));
  }

  /** Notes a fault of an entry. */
  void fault(Entry entry, String reason, Object... values) {
    addFault(entry.kind + "[" + entry.index + "]", entry.at, reason, values);
  }

  /** Notes a fault of the file as a whole. */
  void fault(String reason, Object... values) {
    addFault("", 0, reason, values);
  }

  private void addFault(String entry, long offset, String reason, Object... values) {
    if (faults.size() < MAX_FAULTS) {
      faults.add(new MmvFault(file, entry, offset, reason.formatted(values)));
    } else {
      moreFaults++;
    }
  }

  /** The first faults, and one more that counts the rest. */
  List<MmvFault> faults() {
    List<MmvFault> all = new ArrayList<>(faults);
    if (moreFaults > 0) {
      all.add(new MmvFault(file, "", 0, moreFaults + " more faults"));
    }
    return List.copyOf(all);
  }
}
