package org.jmmv.reader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.jmmv.reader.MmvLayout.LONG;
import static org.jmmv.reader.MmvLayout.STRING_SIZE;
import static org.jmmv.reader.MmvLayout.VALUE_EXTRA;
import static org.jmmv.reader.MmvLayout.VALUE_SIZE;
import static org.jmmv.reader.MmvLayout.VALUE_VALUE;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jmmv.reader.posix.FileStatus;
import org.jmmv.reader.posix.PosixDirectory;

/**
 * An MMV file: its checked metadata, and access to its current values.
 *
 * <p>A file may be truncated at any time. Therefore values are read only within {@link #read},
 * which throws {@link FileCutOff} in that case. The caller then passes the file to {@link
 * MmvDirectories#drop}.
 */
public final class MmvFile implements AutoCloseable {
  /** The length of an entry of the VALUES section in 8-byte words. */
  public static final int LONGS_PER_VALUE = VALUE_SIZE / Long.BYTES;

  private final FileName id;
  private final MmvSchema schema;
  private final MmvMapping mapping;
  private final MemorySegment bytes;
  private boolean isCutOff;

  /** Creates a file that is not in one of {@link MmvDirectories}. */
  MmvFile(MmvSchema schema, MmvMapping mapping) {
    this(new FileName(null, schema.file()), schema, mapping);
  }

  MmvFile(FileName id, MmvSchema schema, MmvMapping mapping) {
    this.id = id;
    this.schema = schema;
    this.mapping = mapping;
    bytes = mapping.bytes();
  }

  /**
   * Opens a single file, for tools. {@link Limits#DEFAULT} applies. A file with the PROCESS flag is
   * opened even if its process does not run. The caller has to close the file.
   *
   * @param path the file's path
   * @throws IOException if the file can't be opened or mapped, is not a regular file, or is
   *     truncated while it is read
   * @throws MmvFormatException if nothing of the file can be read: it is not an MMV file, its
   *     header is invalid, or it is in flux
   */
  public static MmvFile open(Path path) throws IOException, MmvFormatException {
    Path file = path.toAbsolutePath();
    String name = PosixDirectory.nameOf(file);
    PosixDirectory directory = new PosixDirectory(file.getParent());
    MmvMapping mapping = new MmvMapping(directory.map(name, Limits.DEFAULT.fileSize()));
    try {
      if (!mapping.hasHeader()) {
        throw refused(name, Header.tooShort(mapping.size()));
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
    } catch (RuntimeException e) { // an error in this program; other files must still be served
      throw refused(name, "can't be read: " + e);
    }
  }

  private static MmvFormatException refused(String name, String reason) {
    return new MmvFormatException(new MmvFault(name, reason));
  }

  /**
   * Code that reads values of a file. An implementation can be reused, so that reading allocates
   * nothing.
   */
  @FunctionalInterface
  public interface Reading extends MmvMapping.Reading<Void, RuntimeException> {
    /**
     * Reads values. It may be aborted at any point by an error that {@link MmvFile#read} catches,
     * so its effects must be repeatable.
     */
    void run();

    @Override
    default Void read() {
      run();
      return null;
    }
  }

  /**
   * Runs code that reads values of this file. It must not read values of other files.
   *
   * @param body the code
   * @throws FileCutOff if {@link #isCutOff}, or if the file was truncated and a removed page was
   *     read; the values read are invalid. From then on this method always throws it
   */
  public void read(Reading body) throws FileCutOff {
    if (isCutOff) {
      throw new FileCutOff(this, null);
    }
    try {
      mapping.read(body);
    } catch (MappingCutOff e) {
      isCutOff = true;
      throw new FileCutOff(this, e);
    }
  }

  /**
   * Returns whether values can't be read any more, because {@link #read} has thrown {@link
   * FileCutOff} or the application rewrites the file. Such a file is withdrawn soon.
   */
  public boolean isCutOff() {
    return isCutOff;
  }

  /** Makes {@link #read} throw {@link FileCutOff} from now on. */
  void cutOff() {
    isCutOff = true;
  }

  /** Returns the file's name in its directory. */
  public String name() {
    return schema.file();
  }

  /** Returns what identifies the file. */
  public FileName id() {
    return id;
  }

  /** Returns the checked metadata. */
  public MmvSchema schema() {
    return schema;
  }

  /**
   * Returns the 8 bytes of a value. Must be called within {@link #read}.
   *
   * @param index from {@link MmvMetric#value}
   */
  public long value(int index) {
    return bytes.get(LONG, schema.valuesOffset() + (long) index * VALUE_SIZE + VALUE_VALUE);
  }

  /**
   * Copies the 8 bytes of values that follow one another in the file. Must be called within {@link
   * #read}. Copying whole entries of the file at once takes less time than a look at each value.
   *
   * @param first the index of the first value, from {@link MmvMetric#value}
   * @param count the number of values, up to {@code entries.length / LONGS_PER_VALUE}
   * @param entries receives the entries of the file, from index 0 on
   * @param into receives the values
   * @param at the index in {@code into} of the first value
   */
  public void values(int first, int count, long[] entries, long[] into, int at) {
    long start = schema.valuesOffset() + (long) first * VALUE_SIZE;
    MemorySegment.copy(bytes, LONG, start, entries, 0, count * LONGS_PER_VALUE);
    for (int i = 0; i < count; i++) {
      into[at + i] = entries[i * LONGS_PER_VALUE + VALUE_VALUE / Long.BYTES];
    }
  }

  /**
   * Returns the extra 8 bytes of a value: the offset of a string, or the start of an elapsed time
   * (mmv(5)). Must be called within {@link #read}.
   *
   * @param index from {@link MmvMetric#value}
   */
  public long extra(int index) {
    return bytes.get(LONG, schema.valuesOffset() + (long) index * VALUE_SIZE + VALUE_EXTRA);
  }

  /**
   * Copies the text of a string value. Must be called within {@link #read}.
   *
   * @param extra the offset from {@link #extra}, in bytes from the start of the file; any number is
   *     allowed
   * @param into receives the text
   * @param at the index in {@code into} of the first byte; up to 256 bytes are overwritten
   * @return the text's length in bytes without its NUL, 0 to 255; a longer text is cut to 255
   *     bytes. -1 if there is no string at that offset, or if it has no NUL before the end of the
   *     file
   */
  public int text(long extra, byte[] into, int at) {
    if (extra <= 0 || extra >= mapping.size()) {
      return -1;
    }
    int most = (int) Math.min(STRING_SIZE, mapping.size() - extra);
    int length = 0;
    while (length < most) {
      // whole words as long as there are some: a look at a word takes as long as one at a byte
      boolean isWord = length + Long.BYTES <= most;
      long word = isWord ? bytes.get(LONG, extra + length) : bytes.get(JAVA_BYTE, extra + length);
      for (int end = length + (isWord ? Long.BYTES : 1); length < end; length++) {
        into[at + length] = (byte) word;
        if ((byte) word == 0) {
          return length;
        }
        word >>>= Byte.SIZE;
      }
    }
    return most == STRING_SIZE ? STRING_SIZE - 1 : -1;
  }

  /** Returns the file's status when it was opened. */
  public FileStatus status() {
    return mapping.status();
  }

  /** Returns whether both generation numbers are still those of the schema. */
  boolean isCurrent() {
    return mapping.hasGenerations(schema.generation(), schema.generation());
  }

  MmvMapping mapping() {
    return mapping;
  }

  /** Unmaps a file from {@link #open}. {@link MmvDirectories} closes its files itself. */
  @Override
  public void close() {
    mapping.close();
  }
}
