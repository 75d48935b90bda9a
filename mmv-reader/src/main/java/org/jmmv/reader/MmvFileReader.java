package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.HEADER_GENERATION1;
import static org.jmmv.reader.MmvLayout.HEADER_GENERATION2;

import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Faults;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.fault.Place;

/** Reads the metadata of a mapped file, in as many turns as the caller wants to spend on it. */
public final class MmvFileReader {
  /** Between two looks at the clock: some milliseconds at most. */
  private static final int STEPS_PER_LOOK = 16;

  private final FileName name;
  private final MmvMapping mapping;
  private final FileLimits limits;
  private final BooleanSupplier isPresent;
  private MmvHeader header; // null before the first turn
  private SchemaReader reader;
  private MmvSchema schema; // null unless all was read

  MmvFileReader(FileName name, MmvMapping mapping, FileLimits limits, BooleanSupplier isPresent) {
    this.name = name;
    this.mapping = mapping;
    this.limits = limits;
    this.isPresent = isPresent;
  }

  /**
   * Reads and checks metadata.
   *
   * @param mayGoOn is asked every few milliseconds; false ends the turn
   * @return the file, which takes over the mapping; null if there is more to read
   * @throws MmvFormatException if nothing of the file can be read: it is not an MMV file, its
   *     header is invalid, its application is writing it ({@link FaultKind#isUnfinished}), or it
   *     was truncated meanwhile
   */
  public MmvFile read(BooleanSupplier mayGoOn) throws MmvFormatException {
    Fault fault;
    try {
      if (!mapping.read(() -> readOn(mayGoOn))) {
        return null;
      }
      if (schema != null) {
        return new MmvFile(schema, mapping, isPresent);
      }
      fault = header.inFlux(name);
    } catch (MappingTruncated e) {
      fault = Fault.of(FaultKind.TRUNCATED, Place.of(name));
    } catch (RuntimeException e) { // an error in this program; other files must still be served
      fault = Fault.of(FaultKind.READER_ERROR, Place.of(name), e);
    }
    throw new MmvFormatException(fault);
  }

  /**
   * Reads on.
   *
   * @return false if there is more to read; otherwise {@link #schema} has been read, or the file is
   *     in flux
   */
  boolean readOn(BooleanSupplier mayGoOn) throws MmvFormatException {
    if (header == null) {
      SchemaInput in = new SchemaInput(name, mapping, limits.memory(), new Faults());
      header = MmvHeader.read(in);
      if (header.isInFlux()) {
        return true;
      }
      VarHandle.acquireFence(); // AArch64 may reorder reads: the metadata after the generations,
      reader = new SchemaReader(in, header, limits);
    }
    int steps = 0;
    boolean hasMore;
    do {
      hasMore = reader.read();
    } while (hasMore && (++steps % STEPS_PER_LOOK != 0 || mayGoOn.getAsBoolean()));
    if (hasMore) {
      return false;
    }
    VarHandle.acquireFence(); // and before they are compared
    boolean isCurrent =
        mapping.i64(HEADER_GENERATION1) == header.generation1()
            && mapping.i64(HEADER_GENERATION2) == header.generation2();
    schema = isCurrent ? reader.schema() : null; // null: the application rewrites the file
    return true;
  }

  /** Returns what was read; null if the file is in flux. */
  MmvSchema schema() {
    return schema;
  }
}
