package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.HEADER_SIZE;
import static org.jmmv.reader.MmvLayout.LONG;
import static org.jmmv.reader.MmvLayout.STRING_SIZE;
import static org.jmmv.reader.MmvLayout.VALUE_EXTRA;
import static org.jmmv.reader.MmvLayout.VALUE_SIZE;
import static org.jmmv.reader.MmvLayout.VALUE_VALUE;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jmmv.reader.posix.PosixDirectory;

/**
 * An MMV file: its checked metadata, and its values as they are at the moment of the call.
 *
 * <p>A file may be cut short at any time. Values are therefore read in {@link #read}, which throws
 * {@link FileCutOff}; the caller then tells the directory to {@linkplain MmvDirectory#drop drop}
 * the file.
 */
public final class MmvFile implements AutoCloseable {
  /** Eight bytes of a byte array, the first one lowest, as the mapping has them. */
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private final MmvSchema schema;
  private final MmvMapping mapping;
  private final MemorySegment bytes;

  MmvFile(MmvSchema schema, MmvMapping mapping) {
    this.schema = schema;
    this.mapping = mapping;
    bytes = mapping.bytes();
  }

  /**
   * Opens a file by itself, for tools. Whether its process runs does not matter, and the default
   * {@link Limits} apply. The caller closes the file.
   *
   * @throws IOException if the file can't be opened or mapped, is not a regular file, or is cut
   *     short while it is read
   * @throws MmvFormatException if nothing of the file can be served: it is not an MMV file, broken,
   *     or in flux
   */
  public static MmvFile open(Path path) throws IOException, MmvFormatException {
    Path file = path.toAbsolutePath();
    String name = PosixDirectory.nameOf(file);
    PosixDirectory directory = new PosixDirectory(file.getParent());
    MmvMapping mapping = new MmvMapping(directory.map(name, Limits.DEFAULT.fileSize()));
    try {
      if (!mapping.hasHeader()) {
        throw refused(name, "too short: " + mapping.size() + " bytes, a header has " + HEADER_SIZE);
      }
      MmvSchema schema = readSchema(name, mapping, Limits.DEFAULT);
      if (schema == null) {
        throw refused(name, "in flux: its application has not finished writing it");
      }
      return new MmvFile(schema, mapping);
    } catch (IOException | MmvFormatException e) {
      mapping.close();
      throw e;
    }
  }

  /**
   * Reads and checks the metadata of a file that has a header.
   *
   * @return null if the file is in flux
   */
  static MmvSchema readSchema(String name, MmvMapping mapping, Limits limits)
      throws MmvFormatException, MappingCutOff {
    try {
      return mapping.read(() -> SchemaReader.read(name, mapping, limits));
    } catch (RuntimeException e) { // a fault of ours must not cost the other files
      throw refused(name, "can't be read: " + e);
    }
  }

  private static MmvFormatException refused(String name, String reason) {
    return new MmvFormatException(new MmvFault(name, "", 0, reason));
  }

  /** Reads values of a file. An object that is used again spares an allocation for each read. */
  @FunctionalInterface
  public interface Reading extends MmvMapping.Reading<Void, RuntimeException> {
    /** May be broken off at any point by what {@link MmvFile#read} catches. */
    void run();

    @Override
    default Void read() {
      run();
      return null;
    }
  }

  /**
   * Runs what reads this file's values, and no other file's.
   *
   * @throws FileCutOff if a page that was read is no longer in the file
   */
  public void read(Reading body) throws FileCutOff {
    try {
      mapping.read(body);
    } catch (MappingCutOff e) {
      throw new FileCutOff(this, e);
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
   * The 8 bytes of a value. To be called in {@link #read}.
   *
   * @param index from {@link MmvMetric#value}
   */
  public long value(int index) {
    return bytes.get(LONG, schema.valuesOffset() + (long) index * VALUE_SIZE + VALUE_VALUE);
  }

  /**
   * Copies the 8 bytes of several values. To be called in {@link #read}.
   *
   * @param indexes from {@link MmvMetric#value}
   * @param from the first of them to be copied
   * @param count the number of values to be copied
   * @param into receives the values, from its first element on
   */
  public void values(int[] indexes, int from, int count, long[] into) {
    MemorySegment segment = bytes;
    long start = schema.valuesOffset() + VALUE_VALUE;
    for (int i = 0; i < count; i++) {
      into[i] = segment.get(LONG, start + (long) indexes[from + i] * VALUE_SIZE);
    }
  }

  /**
   * The 8 bytes beside a value: a string's offset, or the start of an elapsed time. To be called in
   * {@link #read}.
   *
   * @param index from {@link MmvMetric#value}
   */
  public long extra(int index) {
    return bytes.get(LONG, schema.valuesOffset() + (long) index * VALUE_SIZE + VALUE_EXTRA);
  }

  /**
   * Copies the text of a string value, without its NUL. To be called in {@link #read}.
   *
   * @param extra where the value says that the text is, in bytes from the start of the file; any
   *     number
   * @param into gets the text
   * @param at where in {@code into}; up to 256 bytes from there on are written
   * @return the text's length, 0 to 255, or -1 if there is no such entry
   */
  public int text(long extra, byte[] into, int at) {
    if (extra <= 0 || extra > mapping.size() - STRING_SIZE) {
      return -1;
    }
    for (int i = 0; i < STRING_SIZE; i += Long.BYTES) { // until a word has a NUL
      long word = bytes.get(LONG, extra + i);
      WORD.set(into, at + i, word);
      long nul = (word - LOW_BITS) & ~word & HIGH_BITS; // the lowest bit set is that of a NUL
      if (nul != 0) {
        return Math.min(i + Long.numberOfTrailingZeros(nul) / Byte.SIZE, STRING_SIZE - 1);
      }
    }
    return STRING_SIZE - 1;
  }

  /** Whether the file still holds the metrics of its schema. */
  boolean isCurrent() {
    return mapping.hasGenerations(schema.generation(), schema.generation());
  }

  MmvMapping mapping() {
    return mapping;
  }

  /** Ends the mapping of a file from {@link #open}. A directory closes its files itself. */
  @Override
  public void close() {
    mapping.close();
  }
}
