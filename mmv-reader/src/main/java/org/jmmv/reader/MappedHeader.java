package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.HEADER_GENERATION1;
import static org.jmmv.reader.MmvLayout.HEADER_GENERATION2;
import static org.jmmv.reader.MmvLayout.HEADER_MAGIC;
import static org.jmmv.reader.MmvLayout.HEADER_PID;
import static org.jmmv.reader.MmvLayout.HEADER_VERSION;
import static org.jmmv.reader.MmvLayout.MAGIC;

import java.util.function.BooleanSupplier;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.MappedFile;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.fault.Place;

/**
 * A mapped file that is at least as long as a header, whatever it contains. It has the fields of
 * the header as they were when it was created, so that a change of them can be detected.
 */
public final class MappedHeader implements AutoCloseable {
  /**
   * Fields of a header, unchecked.
   *
   * @param version the version of the format
   * @param pid the application's process number
   * @param generation the first generation number
   */
  public record Fields(int version, int pid, long generation) {}

  private final MmvMapping mapping;
  private final int magic;
  private final long generation2;
  private final Fields fields;

  private MappedHeader(MmvMapping mapping) {
    this.mapping = mapping;
    magic = mapping.i32(HEADER_MAGIC);
    generation2 = mapping.i64(HEADER_GENERATION2);
    fields =
        new Fields(
            mapping.i32(HEADER_VERSION), mapping.i32(HEADER_PID), mapping.i64(HEADER_GENERATION1));
  }

  /**
   * Creates an object for a mapped file, which it closes.
   *
   * @param name what identifies the file
   * @throws MmvFormatException if the file is too short or was truncated; it is closed then
   */
  public static MappedHeader of(FileName name, MappedFile mapped) throws MmvFormatException {
    MmvMapping mapping = new MmvMapping(mapped);
    Fault fault;
    try {
      if (mapping.hasHeader()) {
        return mapping.read(() -> new MappedHeader(mapping));
      }
      fault = MmvHeader.tooShort(name, mapping.size());
    } catch (MappingTruncated e) { // the file is shorter than a header now
      fault = Fault.of(FaultKind.TRUNCATED, Place.of(name));
    }
    mapping.close();
    throw new MmvFormatException(fault);
  }

  /** Returns the file's status when it was mapped. */
  public FileStatus status() {
    return mapping.status();
  }

  /** Returns the fields; null if the file is not an MMV file: it may be secret. */
  public Fields fields() {
    return magic == MAGIC ? fields : null;
  }

  /** Returns whether a generation number has changed. */
  public boolean hasChanged() {
    return !mapping.hasGenerations(fields.generation, generation2);
  }

  /**
   * Returns what reads the metadata.
   *
   * @param name what identifies the file
   * @param limits what is read at most
   * @param isPresent whether the file is {@linkplain MmvFile#isCurrent current} as far as its
   *     application is concerned
   */
  public MmvFileReader reader(FileName name, FileLimits limits, BooleanSupplier isPresent) {
    return new MmvFileReader(name, mapping, limits, isPresent);
  }

  @Override
  public void close() {
    mapping.close();
  }
}
