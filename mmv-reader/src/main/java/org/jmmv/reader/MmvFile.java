package org.jmmv.reader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.jmmv.reader.MmvLayout.LONG;
import static org.jmmv.reader.MmvLayout.STRING_SIZE;
import static org.jmmv.reader.MmvLayout.VALUE_EXTRA;
import static org.jmmv.reader.MmvLayout.VALUE_SIZE;
import static org.jmmv.reader.MmvLayout.VALUE_VALUE;

import java.lang.foreign.MemorySegment;

/**
 * A file that is served: its checked metadata, and its values as they are at the moment of the
 * call.
 *
 * <p>A file may be cut short at any time. Reading what is gone raises {@link InternalError}, at the
 * latest in {@link #awaitFault}; whoever catches it tells the directory to {@linkplain
 * MmvDirectory#drop drop} the file.
 */
public final class MmvFile {
  /** Volatile, so that the loop that it ends is not taken for one that needs no safepoint. */
  private static volatile int safepoints = 3;

  private final MmvSchema schema;
  private final MmvMapping mapping;
  private final MemorySegment bytes;

  MmvFile(MmvSchema schema, MmvMapping mapping) {
    this.schema = schema;
    this.mapping = mapping;
    bytes = mapping.bytes();
  }

  /**
   * Raises the {@link InternalError} of an earlier read now, if there is one to come: compiled code
   * goes on with any number in the place of what it could not read, up to a safepoint, which may be
   * in a caller. To be called before a file's values are used, another file's are read, or a {@code
   * try} ends.
   */
  public static void awaitFault() {
    int passed = 0;
    while (passed < safepoints) {
      passed++;
    }
  }

  /** Reads values of one file. */
  @FunctionalInterface
  public interface Reading {
    /** May be broken off at any point by what {@link #read} catches. */
    void run();
  }

  /**
   * Runs what reads this file's values, and nothing that reads another file's.
   *
   * @throws FileCutOff if a page that was read is no longer in the file
   */
  public void read(Reading body) throws FileCutOff {
    try {
      body.run();
      awaitFault();
    } catch (InternalError cutOff) {
      throw new FileCutOff(this, cutOff);
    }
  }

  /** The file's name in its directory. */
  public String name() {
    return schema.file();
  }

  /** What the file says about its metrics. */
  public MmvSchema schema() {
    return schema;
  }

  /**
   * The 8 bytes of a value.
   *
   * @param index from {@link MmvMetric#value}
   */
  public long value(int index) {
    return bytes.get(LONG, schema.valuesOffset() + (long) index * VALUE_SIZE + VALUE_VALUE);
  }

  /**
   * The 8 bytes beside a value, which strings and elapsed times use.
   *
   * @param index from {@link MmvMetric#value}
   */
  public long extra(int index) {
    return bytes.get(LONG, schema.valuesOffset() + (long) index * VALUE_SIZE + VALUE_EXTRA);
  }

  /**
   * Copies the text of a string value, without its NUL.
   *
   * @param extra where the text's entry in the file is said to be, in bytes
   * @param into at least 256 bytes
   * @return the text's length, 0 to 255, or -1 if there is no such entry
   */
  public int text(long extra, byte[] into) {
    if (extra <= 0 || extra > mapping.size() - STRING_SIZE) {
      return -1;
    }
    MemorySegment.copy(bytes, JAVA_BYTE, extra, into, 0, STRING_SIZE);
    int length = 0;
    while (length < STRING_SIZE - 1 && into[length] != 0) {
      length++;
    }
    return length;
  }

  /** Whether the file still holds the metrics of its schema. */
  boolean isCurrent() {
    return mapping.generation1() == schema.generation()
        && mapping.generation2() == schema.generation();
  }

  MmvMapping mapping() {
    return mapping;
  }
}
