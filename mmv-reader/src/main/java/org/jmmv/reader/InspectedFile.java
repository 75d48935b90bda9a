package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.*;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.PosixDirectory;

/**
 * What a single file contains, also if it is damaged or in flux, for tools that show it. The header
 * and the table of contents are as in the file, without any check; the rest is what the agent would
 * read.
 *
 * <p>Time and memory are bounded as for the agent: {@link Limits#DEFAULT} applies.
 */
public final class InspectedFile implements AutoCloseable {
  /**
   * The header, unchecked.
   *
   * @param version the version; 1, 2 and 3 are supported
   * @param generation1 the first generation number
   * @param generation2 the second generation number; if both differ or are 0, the file is in flux
   * @param tocEntries the number of entries of the table of contents
   * @param flags the FLAG bits of {@link MmvSchema}, and possibly others
   * @param pid the application's process number
   * @param cluster the cluster; 0 if the agent has to assign one
   */
  public record RawHeader(
      int version,
      long generation1,
      long generation2,
      int tocEntries,
      int flags,
      int pid,
      int cluster) {

    /** Returns whether the application has not finished writing the metadata. */
    public boolean isInFlux() {
      return generation1 == 0 || generation1 != generation2;
    }
  }

  /**
   * An entry of the table of contents, unchecked.
   *
   * @param offset the entry's offset in bytes from the start of the file
   * @param type the section's type
   * @param count the number of the section's entries
   * @param section the section's offset in bytes from the start of the file
   */
  public record TocEntry(long offset, int type, int count, long section) {
    /** Returns the section's name in mmv(5), such as METRICS; "type 7" for an unknown type. */
    public String name() {
      return switch (type) {
        case SECTION_INSTANCES -> "INSTANCES";
        case SECTION_STRINGS -> "STRINGS";
        default -> entrySize(type, 1) == 0 ? "type " + type : sectionName(type);
      };
    }
  }

  /** The maximum number of faults of a kind that tools show. */
  public static final int MANY_FAULTS = 1000;

  private final FileName name;
  private final MmvMapping mapping;
  private final int mostFaults;
  private RawHeader header;
  private final List<TocEntry> toc = new ArrayList<>();
  private MmvFile file;
  private final List<Fault> faults = new ArrayList<>();

  private InspectedFile(FileName name, MmvMapping mapping, int mostFaults) {
    this.name = name;
    this.mapping = mapping;
    this.mostFaults = mostFaults;
  }

  /**
   * Opens a file. The caller has to close it.
   *
   * @throws IOException if the file can't be opened or mapped, is not a regular file, is larger
   *     than the limit, or is truncated while it is read
   */
  public static InspectedFile open(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    if (absolute.getFileName() == null) {
      throw new IOException("not a regular file");
    }
    PosixDirectory directory = new PosixDirectory(absolute.getParent());
    return open(directory, FileName.of(PosixDirectory.nameOf(absolute)), MANY_FAULTS);
  }

  /**
   * As {@link #open(Path)}, for a file of a directory.
   *
   * @param name what identifies the file
   * @param mostFaults the maximum number of faults of a kind that {@link #faults} has, at least 1;
   *     the agent has 1 for its log
   */
  public static InspectedFile open(PosixDirectory directory, FileName name, int mostFaults)
      throws IOException {
    MmvMapping mapping = new MmvMapping(directory.map(name.name(), Limit.FILE_SIZE.byDefault()));
    InspectedFile inspected = new InspectedFile(name, mapping, mostFaults);
    try {
      inspected.read();
    } catch (IOException e) {
      mapping.close();
      throw e;
    }
    return inspected;
  }

  private void read() throws MappingTruncated {
    if (!mapping.hasHeader()) {
      faults.add(MappedHeader.tooShort(name, mapping));
      return;
    }
    try {
      mapping.read(this::readHeader);
      Faults found = new Faults(mostFaults);
      MmvSchema schema =
          mapping.read(() -> SchemaReader.readInAnyState(name, mapping, Limits.DEFAULT, found));
      file = new MmvFile(schema, mapping);
      faults.addAll(schema.faults());
    } catch (MmvFormatException e) {
      faults.add(e.fault());
    }
  }

  private Void readHeader() {
    SchemaInput in = new SchemaInput(name, mapping, Long.MAX_VALUE, new Faults());
    in.load(0, HEADER_SIZE);
    if (in.i32(HEADER_MAGIC) != MAGIC) {
      return null; // nothing of another file is shown, see Header.noMagic
    }
    RawHeader raw =
        new RawHeader(
            in.i32(HEADER_VERSION),
            in.i64(HEADER_GENERATION1),
            in.i64(HEADER_GENERATION2),
            in.i32(HEADER_TOC_ENTRIES),
            in.i32(HEADER_FLAGS),
            in.i32(HEADER_PID),
            in.i32(HEADER_CLUSTER));
    header = raw;
    if (raw.isInFlux()) {
      faults.add(MappedHeader.inFlux(name, raw.generation1, raw.generation2));
    }
    for (int i = 0; i < Math.min(raw.tocEntries, MAX_TOC_ENTRIES); i++) {
      long at = HEADER_SIZE + (long) i * TOC_SIZE;
      if (!in.fits(at, 1, TOC_SIZE)) {
        break;
      }
      in.load(at, TOC_SIZE);
      toc.add(
          new TocEntry(at, in.i32(at + TOC_TYPE), in.i32(at + TOC_COUNT), in.i64(at + TOC_OFFSET)));
    }
    return null;
  }

  /** Returns the file's name in its directory, one char per byte. */
  public String name() {
    return name.name();
  }

  /** Returns the file's status when it was opened. */
  public FileStatus status() {
    return mapping.status();
  }

  /** Returns the header, or null if the file is too short for one or is not an MMV file. */
  public RawHeader header() {
    return header;
  }

  /** Returns the entries of the table of contents that lie within the file, at most 256. */
  public List<TocEntry> toc() {
    return List.copyOf(toc);
  }

  /**
   * Returns the checked contents, or null if the header is invalid. If the file is in flux, they
   * can be wrong, but reading them is safe. Closing this object unmaps the file.
   */
  public MmvFile file() {
    return file;
  }

  /**
   * Returns the faults because of which parts of the file, or all of it, are not served: the first
   * ones of each kind, with the number of the others.
   */
  public List<Fault> faults() {
    return List.copyOf(faults);
  }

  @Override
  public void close() {
    mapping.close();
  }
}
