package org.jmmv.reader;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Faults;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.fault.Place;

/**
 * What a single file contains, also if it is damaged or in flux, for tools that show it. The header
 * and the table of contents are as in the file, without any check; the rest is what the agent would
 * read.
 *
 * <p>Time and memory are bounded as for the agent: {@link FileLimits#DEFAULT} applies.
 */
public final class InspectedFile implements AutoCloseable {
  /** The maximum number of faults of a kind that tools show: a damaged file can have millions. */
  public static final int MANY_FAULTS = 1000;

  private final FileName name;
  private final MmvMapping mapping;
  private final int maxFaults;
  private MmvHeader header;
  private List<MmvHeader.Section> toc = List.of();
  private MmvFile file;
  private final List<Fault> faults = new ArrayList<>();

  private InspectedFile(FileName name, MmvMapping mapping, int maxFaults) {
    this.name = name;
    this.mapping = mapping;
    this.maxFaults = maxFaults;
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
   * @param maxFaults the maximum number of faults of a kind that {@link #faults} has, at least 1;
   *     the agent has 1 for its log
   */
  public static InspectedFile open(PosixDirectory directory, FileName name, int maxFaults)
      throws IOException {
    MmvMapping mapping = new MmvMapping(directory.map(name.name(), FileLimits.DEFAULT.size()));
    InspectedFile inspected = new InspectedFile(name, mapping, maxFaults);
    try {
      inspected.read();
    } catch (IOException e) {
      mapping.close();
      throw e;
    }
    return inspected;
  }

  private void read() throws MappingTruncated {
    try {
      file = mapping.read(this::readMapping);
      faults.addAll(file.schema().faults());
    } catch (MmvFormatException e) {
      faults.add(e.fault());
    }
  }

  private MmvFile readMapping() throws MmvFormatException {
    FileLimits limits = FileLimits.DEFAULT;
    SchemaInput in = new SchemaInput(name, mapping, limits.memory(), new Faults(maxFaults));
    header = MmvHeader.read(in);
    if (header.isInFlux()) {
      faults.add(header.inFlux(name));
    }
    toc = header.toc(in);
    SchemaReader reader = new SchemaReader(in, header, limits);
    while (reader.read()) {}
    if (in.isTooLarge()) {
      faults.add(Fault.of(FaultKind.READ_IN_PART, Place.of(name), limits.memory() >> 20));
    }
    return new MmvFile(reader.schema(), mapping);
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
  public MmvHeader header() {
    return header;
  }

  /** Returns the entries of the table of contents that lie within the file, at most 256. */
  public List<MmvHeader.Section> toc() {
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
