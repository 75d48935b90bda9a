package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.HEADER_GENERATION1;
import static org.jmmv.reader.MmvLayout.HEADER_GENERATION2;
import static org.jmmv.reader.MmvLayout.HEADER_SIZE;

import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.MappedFile;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Faults;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.fault.Place;

/**
 * Reads the metadata of a mapped file, in as many turns as the caller wants to spend on it. The
 * file is at least as long as a header, whatever it contains. If it can't be served, the reader
 * keeps the mapping, so that a change of the generations can be detected.
 */
public final class MmvFileReader implements AutoCloseable {
  /**
   * Between two looks at the clock: some milliseconds at most. Most files have fewer steps, and are
   * always read in one turn.
   */
  private static final int STEPS_PER_LOOK = 16;

  private final FileName name;
  private final MmvMapping mapping;
  private final FileLimits limits;
  private final BooleanSupplier isPresent;
  private final long generation1;
  private final long generation2;
  private MmvHeader header; // null before the first turn, or if it is not that of an MMV file
  private SchemaReader schema; // null: nothing is half read

  private MmvFileReader(
      FileName name, MmvMapping mapping, FileLimits limits, BooleanSupplier isPresent) {
    this.name = name;
    this.mapping = mapping;
    this.limits = limits;
    this.isPresent = isPresent;
    generation1 = mapping.i64(HEADER_GENERATION1);
    generation2 = mapping.i64(HEADER_GENERATION2);
  }

  /**
   * Creates a reader for a mapped file, which it closes unless this method fails.
   *
   * @param name what identifies the file
   * @param limits what is read at most
   * @param isPresent whether the file is {@linkplain MmvFile#isCurrent current} as far as its
   *     application is concerned
   * @throws MmvFormatException if the file is too short or was truncated
   */
  public static MmvFileReader of(
      FileName name, MappedFile mapped, FileLimits limits, BooleanSupplier isPresent)
      throws MmvFormatException {
    MmvMapping mapping = new MmvMapping(mapped);
    if (mapping.size() < HEADER_SIZE) {
      throw new MmvFormatException(MmvHeader.tooShort(name, mapping.size()));
    }
    try {
      return mapping.read(() -> new MmvFileReader(name, mapping, limits, isPresent));
    } catch (MappingTruncated e) { // the file is shorter than a header now
      throw new MmvFormatException(Fault.of(FaultKind.TRUNCATED, Place.of(name)));
    }
  }

  /** Returns the file's status when it was mapped. */
  public FileStatus status() {
    return mapping.status();
  }

  /**
   * Returns the header, unchecked; null if the file is not an MMV file, which may be secret, or was
   * not read yet.
   */
  public MmvHeader header() {
    return header;
  }

  /** Returns whether a generation number has changed since the reader was created. */
  public boolean hasChanged() {
    return !mapping.hasGenerations(generation1, generation2);
  }

  /**
   * Reads and checks metadata.
   *
   * @param mayGoOn is asked every few milliseconds; false ends the turn
   * @return the file, which takes over the mapping; null if there is more to read
   * @throws MmvFormatException if nothing of the file can be read: it is not an MMV file, its
   *     header is invalid, its application is writing it ({@link FaultKind#isUnfinished}), or it
   *     was truncated while it was read
   */
  public MmvFile read(BooleanSupplier mayGoOn) throws MmvFormatException {
    Fault fault;
    try {
      MmvSchema read = mapping.read(() -> readOn(mayGoOn));
      return read == null ? null : new MmvFile(read, mapping, isPresent);
    } catch (MappingTruncated e) {
      fault = Fault.of(FaultKind.TRUNCATED, Place.of(name));
    } catch (RuntimeException e) { // an error in this program; other files must still be served
      fault = Fault.of(FaultKind.READER_ERROR, Place.of(name), e);
    }
    schema = null;
    throw new MmvFormatException(fault);
  }

  /** As {@link #read}, but an error in this program is not caught. */
  MmvSchema readOn(BooleanSupplier mayGoOn) throws MmvFormatException {
    if (schema == null) {
      SchemaInput in = new SchemaInput(name, mapping, limits.memory(), new Faults());
      header = MmvHeader.read(in);
      if (header.isInFlux()) {
        throw new MmvFormatException(header.inFlux(name));
      }
      VarHandle.acquireFence(); // AArch64 may reorder reads: the metadata after the generations,
      schema = new SchemaReader(in, header, limits);
    }
    int steps = 0;
    boolean hasMore;
    do {
      hasMore = schema.read();
    } while (hasMore && (++steps % STEPS_PER_LOOK != 0 || mayGoOn.getAsBoolean()));
    if (hasMore) {
      return null;
    }
    VarHandle.acquireFence(); // and before they are compared
    SchemaReader all = schema;
    schema = null;
    if (mapping.i64(HEADER_GENERATION1) != header.generation1()
        || mapping.i64(HEADER_GENERATION2) != header.generation2()) {
      throw new MmvFormatException(header.inFlux(name)); // the application rewrites the file
    }
    return all.schema();
  }

  @Override
  public void close() {
    mapping.close();
  }
}
