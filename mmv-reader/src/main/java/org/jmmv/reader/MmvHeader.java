package org.jmmv.reader;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.jmmv.reader.MmvLayout.*;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.fault.Place;

/**
 * A file's header and table of contents. The fields are as in the file, without any check, until
 * {@link #check}.
 *
 * @param version the version; 1, 2 and 3 are supported
 * @param generation1 the first generation number
 * @param generation2 the second generation number
 * @param tocEntries the number of entries of the table of contents
 * @param flags the FLAG bits of {@link MmvSchema}, and possibly others
 * @param pid the application's process number
 * @param cluster the cluster; 0 if the agent has to assign one
 */
public record MmvHeader(
    int version,
    long generation1,
    long generation2,
    int tocEntries,
    int flags,
    int pid,
    int cluster) {

  // what is not within these years is no time, and would be shown as the start of a counter
  private static final long EARLIEST = Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();
  private static final long LATEST = Instant.parse("2200-01-01T00:00:00Z").getEpochSecond();

  /**
   * Returns when the file was made, in nanoseconds since the epoch, or 0 if the generation is not a
   * time. libpcp_mmv writes seconds in the upper half and microseconds in the lower one, others
   * write seconds.
   */
  public long startNanos() {
    long upper = generation1 >>> 32;
    long lower = generation1 & 0xffffffffL;
    long seconds = upper == 0 ? lower : upper;
    long micros = upper == 0 ? 0 : lower;
    boolean isTime = seconds >= EARLIEST && seconds < LATEST && micros < SECONDS.toMicros(1);
    return isTime ? SECONDS.toNanos(seconds) + MICROSECONDS.toNanos(micros) : 0;
  }

  /**
   * An entry of the table of contents.
   *
   * @param index the entry's position in the table
   * @param type the section's type, one of the SECTION constants of mmv(5) if it is valid
   * @param count the number of the section's entries
   * @param offset the section's offset in bytes from the start of the file
   */
  public record Section(int index, int type, int count, long offset) {
    /** Returns the section's name in mmv(5), such as METRICS; "type 7" for an unknown type. */
    public String name() {
      return sectionName(type);
    }

    /** Returns the offset of this entry in bytes from the start of the file. */
    public long entryOffset() {
      return HEADER_SIZE + (long) index * TOC_SIZE;
    }
  }

  /**
   * The checked table of contents.
   *
   * @param sections the valid sections of the types INDOMS, METRICS, VALUES and LABELS, in the
   *     order of the table; all their entries lie within the file
   * @param metricEntries the number of entries of all METRICS sections, including invalid sections
   * @param hasValues whether there is a VALUES section, which may be invalid
   */
  record Contents(List<Section> sections, long metricEntries, boolean hasValues) {}

  /**
   * Reads the header. Nothing of a file is read that does not begin as an MMV file: it may be a
   * symbolic link, by which a user would read a file that only the agent is permitted to read.
   *
   * @throws MmvFormatException if the file is too short for a header or not an MMV file, or if
   *     nothing has been written yet
   */
  static MmvHeader read(SchemaInput in) throws MmvFormatException {
    if (in.size() < HEADER_SIZE) {
      throw new MmvFormatException(tooShort(in.name(), in.size()));
    }
    in.load(0, HEADER_SIZE);
    int magic = in.i32(HEADER_MAGIC);
    long generation = in.i64(HEADER_GENERATION1);
    if (magic != MAGIC) {
      FaultKind kind =
          magic != 0
              ? FaultKind.NOT_MMV
              : generation != 0 ? FaultKind.NUL_BYTES : FaultKind.UNWRITTEN;
      throw new MmvFormatException(Fault.of(kind, Place.of(in.name())));
    }
    return new MmvHeader(
        in.i32(HEADER_VERSION),
        generation,
        in.i64(HEADER_GENERATION2),
        in.i32(HEADER_TOC_ENTRIES),
        in.i32(HEADER_FLAGS),
        in.i32(HEADER_PID),
        in.i32(HEADER_CLUSTER));
  }

  /** Returns the fault of a file that has no header. */
  static Fault tooShort(FileName name, long size) {
    return Fault.of(FaultKind.TOO_SHORT, Place.of(name), size, HEADER_SIZE);
  }

  /** Returns the fault of a file whose generations differ or are 0. */
  Fault inFlux(FileName name) {
    Place place = Place.ofHeader(name, HEADER_GENERATION1);
    if (generation1 == 0 && generation2 == 0) {
      return Fault.of(FaultKind.NO_GENERATION, place);
    }
    return Fault.of(
        FaultKind.IN_FLUX,
        place,
        Long.toUnsignedString(generation1),
        Long.toUnsignedString(generation2));
  }

  /** Returns whether the application has not finished writing the metadata. */
  public boolean isInFlux() {
    return generation1 == 0 || generation1 != generation2;
  }

  /**
   * Checks the version, the cluster, and that the table of contents lies within the file.
   *
   * @throws MmvFormatException if the header is invalid
   */
  void check(SchemaInput in) throws MmvFormatException {
    int reversed = Integer.reverseBytes(version);
    if (isSupported(reversed)) {
      throw in.refused(FaultKind.BYTE_ORDER, HEADER_VERSION, reversed);
    }
    if (!isSupported(version)) {
      throw in.refused(FaultKind.VERSION, HEADER_VERSION, version);
    }
    if (tocEntries < 2) {
      throw in.refused(FaultKind.TOC_TOO_SHORT, HEADER_TOC_ENTRIES, tocEntries);
    }
    if (!in.fits(HEADER_SIZE, tocEntries, TOC_SIZE)) {
      throw in.refused(FaultKind.TOC_BEYOND_FILE, HEADER_TOC_ENTRIES, tocEntries, in.size());
    }
    if (cluster < 0 || cluster > Pmid.MAX_CLUSTER) {
      throw in.refused(FaultKind.CLUSTER, HEADER_CLUSTER, cluster, Pmid.MAX_CLUSTER);
    }
  }

  private static boolean isSupported(int version) {
    return version >= 1 && version <= 3;
  }

  /**
   * Reads the entries of the table of contents that lie within the file, at most {@value
   * MmvLayout#MAX_TOC_ENTRIES}. They are not checked.
   */
  List<Section> toc(SchemaInput in) {
    List<Section> toc = new ArrayList<>();
    for (int i = 0; i < Math.min(tocEntries, MAX_TOC_ENTRIES); i++) {
      long at = HEADER_SIZE + (long) i * TOC_SIZE;
      if (!in.fits(at, 1, TOC_SIZE)) {
        break;
      }
      in.load(at, TOC_SIZE);
      toc.add(
          new Section(i, in.i32(at + TOC_TYPE), in.i32(at + TOC_COUNT), in.i64(at + TOC_OFFSET)));
    }
    return toc;
  }

  /**
   * Reads and checks the table of contents. Sections that would make all sections together larger
   * than the file are left out; otherwise a small file with overlapping sections could cause much
   * work. The sections INSTANCES and STRINGS are not checked, because the entries of other sections
   * refer to instances and strings by their offsets, which need not be in these sections.
   *
   * <p>Faults are added to {@code in}.
   */
  Contents contents(SchemaInput in, FileLimits limits) {
    List<Section> sections = new ArrayList<>();
    long metricEntries = 0;
    boolean hasValues = false;
    long taken = 0;
    int[] entries = new int[SECTION_LABELS + 1]; // by section type
    if (tocEntries > MAX_TOC_ENTRIES) {
      in.fault(FaultKind.TOC_TOO_LONG, Place.of(in.name()), tocEntries, MAX_TOC_ENTRIES);
    }
    for (Section section : toc(in)) {
      Place entry = in.place(Place.Section.TOC, section.index, section.entryOffset());
      int type = section.type;
      int count = section.count;
      if (type == SECTION_INSTANCES || type == SECTION_STRINGS) {
        continue;
      }
      int entrySize = entrySize(type, version);
      if (entrySize == 0) {
        in.fault(FaultKind.SECTION_TYPE, entry, type);
        continue;
      }
      if (type == SECTION_METRICS) {
        metricEntries += Math.max(0, count);
      }
      hasValues |= type == SECTION_VALUES;
      int max = maxEntries(type, limits);
      if (count > max) {
        in.fault(FaultKind.SECTION_TOO_LONG, entry, count, section.name(), max);
      } else if (!in.fits(section.offset, count, entrySize)) {
        in.fault(
            FaultKind.SECTION_BEYOND_FILE,
            entry,
            count,
            section.name(),
            entrySize,
            Long.toUnsignedString(section.offset),
            in.size());
      } else if (taken + (long) count * entrySize > in.size()) {
        in.fault(FaultKind.SECTION_OVERLAPS, entry, section.name());
      } else if (entries[type] >= maxInAll(type)) {
        in.fault(FaultKind.SECTIONS_TOO_LONG, entry, section.name(), entries[type]);
      } else {
        taken += (long) count * entrySize;
        entries[type] += count;
        sections.add(section);
      }
    }
    return new Contents(sections, metricEntries, hasValues);
  }

  /** Returns the maximum number of entries of a section. A section with more entries is ignored. */
  private static int maxEntries(int type, FileLimits limits) {
    return switch (type) {
      case SECTION_INDOMS -> MAX_INDOMS;
      case SECTION_METRICS -> MAX_METRICS;
      case SECTION_VALUES -> limits.values();
      case SECTION_LABELS -> MAX_LABELS;
      default -> throw new IllegalArgumentException("section type " + type);
    };
  }

  /**
   * Returns the number of entries of all sections of a type after which further sections are
   * ignored.
   */
  private static int maxInAll(int type) {
    return switch (type) {
      case SECTION_INDOMS -> MAX_INDOMS;
      case SECTION_METRICS -> MAX_METRICS_OF_FILE;
      default -> Integer.MAX_VALUE; // only the last section is read
    };
  }
}
