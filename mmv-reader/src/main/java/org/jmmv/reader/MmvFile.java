package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.STRING_SIZE;
import static org.jmmv.reader.MmvLayout.VALUE_EXTRA;
import static org.jmmv.reader.MmvLayout.VALUE_LONGS;
import static org.jmmv.reader.MmvLayout.VALUE_VALUE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.MappedFile;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.fault.Place;

/**
 * An MMV file: its checked metadata, and access to its current values.
 *
 * <p>A file may be truncated or rewritten at any time. Therefore values are read only within {@link
 * #read}, which throws {@link FileTruncated} in that case. The caller then passes the file to
 * {@link org.jmmv.reader.watch.DirectoryWatcher#withdraw}.
 */
public final class MmvFile implements AutoCloseable {
  /** The length of an entry of the VALUES section in 8-byte words. */
  public static final int LONGS_PER_VALUE = VALUE_LONGS;

  /** The word of an entry of the VALUES section that has the value. */
  public static final int VALUE = VALUE_VALUE / Long.BYTES;

  /** The word that has the offset of a string, or the start of an elapsed time. */
  public static final int EXTRA = VALUE_EXTRA / Long.BYTES;

  /** The maximum length of a text in bytes, with its NUL. */
  public static final int TEXT_SIZE = STRING_SIZE;

  private final MmvSchema schema;
  private final MmvMapping mapping;
  private final BooleanSupplier isPresent;
  private final long generation;
  private final LongBuffer values; // the words from the VALUES section on
  private boolean isTruncated;
  private boolean isRewritten;

  /** Creates a file whose application does not matter. */
  MmvFile(MmvSchema schema, MmvMapping mapping) {
    this(schema, mapping, () -> true);
  }

  /**
   * Creates a file.
   *
   * @param isPresent whether the file is to be served as far as its application is concerned
   */
  MmvFile(MmvSchema schema, MmvMapping mapping, BooleanSupplier isPresent) {
    this.isPresent = isPresent;
    this.schema = schema;
    this.mapping = mapping;
    generation = schema.header().generation1();
    ByteBuffer bytes = mapping.bytes();
    int start = (int) schema.valuesOffset();
    values = bytes.slice(start, bytes.capacity() - start).order(bytes.order()).asLongBuffer();
  }

  /**
   * Opens a single file, for tools. {@link FileLimits#DEFAULT} applies. A file with the PROCESS
   * flag is opened even if its process does not run. The caller has to close the file.
   *
   * @param path the file's path
   * @throws IOException if the file can't be opened or mapped, or is not a regular file
   * @throws MmvFormatException if nothing of the file can be read: it is not an MMV file, its
   *     header is invalid, it is in flux, or it is truncated while it is read
   */
  public static MmvFile open(Path path) throws IOException, MmvFormatException {
    Path file = path.toAbsolutePath();
    FileName name = FileName.of(PosixDirectory.nameOf(file));
    return open(new PosixDirectory(file.getParent()), name);
  }

  /** As {@link #open(Path)}, for a file of a directory. */
  public static MmvFile open(PosixDirectory directory, FileName name)
      throws IOException, MmvFormatException {
    MappedFile mapped = directory.map(name.name(), FileLimits.DEFAULT.size());
    try {
      return MmvFileReader.of(name, mapped, FileLimits.DEFAULT, () -> true).read(() -> true);
    } catch (MmvFormatException e) {
      mapped.close();
      throw e.fault().kind() == FaultKind.TRUNCATED
              && mapped.status().equalsButForTimes(directory.status(name.name()))
          ? new MmvFormatException(Fault.of(FaultKind.UNREADABLE_PAGE, Place.of(name)))
          : e;
    }
  }

  /**
   * Runs code that reads values of this file. It must not read values of other files. It may be
   * aborted at any point by an error that this method catches, so its effects must be repeatable.
   *
   * @param body the code. If it is used again, reading allocates nothing
   * @throws FileTruncated if {@link #isTruncated}, or if the file has been truncated or rewritten
   *     since it was opened; the values read are invalid. From then on this method always throws it
   */
  public void read(Runnable body) throws FileTruncated {
    try {
      if (!isTruncated && mapping.read(body, schema.header())) {
        return;
      }
      isRewritten |= !isTruncated;
    } catch (MappingTruncated e) {
      // isRewritten stays false: the generations may be there
    }
    isTruncated = true;
    throw new FileTruncated(this);
  }

  /** Returns whether {@link #read} has found that the application rewrites the file. */
  public boolean isRewritten() {
    return isRewritten;
  }

  /**
   * Returns whether values can't be read any more, because {@link #read} has thrown {@link
   * FileTruncated} or the application rewrites the file. Such a file is withdrawn soon.
   */
  public boolean isTruncated() {
    return isTruncated;
  }

  /** Makes {@link #read} throw {@link FileTruncated} from now on. */
  public void invalidate() {
    isTruncated = true;
  }

  /** Returns the file's name in its directory. */
  public String name() {
    return schema.file();
  }

  /** Returns what identifies the file. */
  public FileName id() {
    return schema.name();
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
    return word(index, VALUE);
  }

  /**
   * Returns the extra 8 bytes of a value: the offset of a string, or the start of an elapsed time
   * (mmv(5)). Must be called within {@link #read}.
   *
   * @param index from {@link MmvMetric#value}
   */
  public long extra(int index) {
    return word(index, EXTRA);
  }

  /**
   * Returns a word of a value's entry. Must be called within {@link #read}.
   *
   * @param index from {@link MmvMetric#value}
   * @param word {@link #VALUE} or {@link #EXTRA}
   */
  public long word(int index, int word) {
    return values.get(index * VALUE_LONGS + word);
  }

  /**
   * Copies entries of the VALUES section that follow one another. Must be called within {@link
   * #read}. Copying many at once takes less time than a look at each.
   *
   * @param first the index of the first entry, as from {@link MmvMetric#value}
   * @param count the number of entries
   * @param into receives {@link #LONGS_PER_VALUE} words for each, from index 0 on; {@link #VALUE}
   *     and {@link #EXTRA} are among them
   */
  public void entries(int first, int count, long[] into) {
    values.get(first * VALUE_LONGS, into, 0, count * VALUE_LONGS);
  }

  /**
   * Copies the texts of string values. Must be called within {@link #read}. Texts that follow one
   * another in the file, as applications write them, are copied at once.
   *
   * @param extras the offsets from {@link #extra}, in bytes from the start of the file; any numbers
   *     are allowed
   * @param count the number of texts
   * @param into receives each text at a multiple of {@link #TEXT_SIZE}; the bytes behind it are
   *     undefined
   * @param lengths receives the length of each text in bytes without its NUL, 0 to 255; a longer
   *     text is cut to 255 bytes. -1 if there is no string at that offset, or if it has no NUL
   *     before the end of the file
   */
  public void texts(long[] extras, int count, byte[] into, long[] lengths) {
    for (int done = 0; done < count; ) {
      long start = extras[done];
      int run = 1;
      while (start > 0
          && done + run < count
          && extras[done + run] == start + (long) run * TEXT_SIZE) {
        run++;
      }
      long room = start > 0 ? mapping.size() - start : 0;
      int size = (int) Math.clamp(room, 0L, (long) run * TEXT_SIZE);
      mapping.bytes().get(size == 0 ? 0 : (int) start, into, done * TEXT_SIZE, size);
      for (int end = done + run; done < end; done++) {
        lengths[done] = length(into, done * TEXT_SIZE, Math.clamp(size, 0, TEXT_SIZE));
        size -= TEXT_SIZE;
      }
    }
  }

  /** Returns the length of a text, or -1 if none of the {@code known} bytes is its end. */
  private static int length(byte[] text, int at, int known) {
    int length = 0;
    while (length < known && text[at + length] != 0) {
      length++;
    }
    return length < known ? length : known == TEXT_SIZE ? TEXT_SIZE - 1 : -1;
  }

  /** Returns the file's status when it was opened. */
  public FileStatus status() {
    return mapping.status();
  }

  /**
   * Returns whether the file is as it was read: both generation numbers are those of the schema,
   * and its application is still there. Otherwise its values must not be read, because the new
   * metadata may be at other offsets.
   */
  public boolean isCurrent() {
    return mapping.hasGenerations(generation, generation) && isPresent.getAsBoolean();
  }

  /**
   * Returns what compares the metadata with what the schema was made of, byte for byte; null if the
   * mapping may not show it: {@link MappedFile#isLayered}.
   */
  public MetadataComparison comparison() {
    return mapping.mapped().isLayered()
        ? null
        : new MetadataComparison(mapping, schema.fingerprint());
  }

  MmvMapping mapping() {
    return mapping;
  }

  /** Returns what {@linkplain #close closes} the file, and keeps nothing of its metadata. */
  public Runnable closing() {
    return mapping::close;
  }

  /** Unmaps a file from {@link #open}. A watcher closes its files itself. */
  @Override
  public void close() {
    mapping.close();
  }
}
