package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.*;

import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.Pmid;

/**
 * The checked header of a file.
 *
 * @param version 1, 2 or 3
 * @param generation the value of both generation numbers, not 0
 * @param tocEntries the number of entries of the table of contents, at least 2; the table lies
 *     within the file
 * @param flags the FLAG bits of {@link MmvSchema}, and possibly others
 * @param pid the application's process number, unchecked
 * @param cluster 0 to 4095
 */
record Header(int version, long generation, int tocEntries, int flags, int pid, int cluster) {

  /**
   * An entry of the table of contents.
   *
   * @param type one of the SECTION constants of {@link MmvLayout}
   * @param count the number of the section's entries, which all lie within the file
   * @param offset the section's offset in bytes from the start of the file
   */
  record Section(int type, int count, long offset) {}

  /**
   * The table of contents.
   *
   * @param sections the valid sections of the types INDOMS, METRICS, VALUES and LABELS, in the
   *     order of the table
   * @param metricEntries the number of entries of all METRICS sections, including invalid sections
   */
  record Contents(List<Section> sections, long metricEntries) {}

  /**
   * Reads the header.
   *
   * @return null if the file is in flux
   * @throws MmvFormatException if the file is not an MMV file, or its header is invalid
   */
  static Header read(SchemaInput in) throws MmvFormatException {
    in.load(0, HEADER_SIZE);
    long generation = in.i64(HEADER_GENERATION1);
    int magic = in.i32(HEADER_MAGIC);
    if (magic == 0 && generation == 0) {
      return null; // all zeros: nothing has been written yet
    }
    checkMagic(in, magic, generation);
    if (generation == 0 || generation != in.i64(HEADER_GENERATION2)) {
      return null;
    }
    return read(in, generation);
  }

  /**
   * Reads the header of a file in any state, for tools.
   *
   * @return the header, whose generation is the first of both numbers
   * @throws MmvFormatException if the file is not an MMV file, or its header is invalid
   */
  static Header readInAnyState(SchemaInput in) throws MmvFormatException {
    in.load(0, HEADER_SIZE);
    long generation = in.i64(HEADER_GENERATION1);
    checkMagic(in, in.i32(HEADER_MAGIC), generation);
    return read(in, generation);
  }

  /**
   * Checks that the file begins as an MMV file. Its first bytes are not shown otherwise: the file
   * may be a symbolic link, by which a user would read a file that only the agent is permitted to
   * read.
   */
  private static void checkMagic(SchemaInput in, int magic, long generation)
      throws MmvFormatException {
    if (magic != MAGIC) {
      FaultKind kind =
          magic != 0
              ? FaultKind.NOT_MMV
              : generation != 0 ? FaultKind.NUL_BYTES : FaultKind.UNWRITTEN;
      throw new MmvFormatException(Fault.of(kind, Place.of(in.name())));
    }
  }

  private static Header read(SchemaInput in, long generation) throws MmvFormatException {
    int version = in.i32(HEADER_VERSION);
    if (version < 1 || version > 3) {
      throw in.refused(FaultKind.VERSION, HEADER_VERSION, version);
    }
    int tocEntries = in.i32(HEADER_TOC_ENTRIES);
    if (tocEntries < 2) {
      throw in.refused(FaultKind.TOC_TOO_SHORT, HEADER_TOC_ENTRIES, tocEntries);
    }
    if (!in.fits(HEADER_SIZE, tocEntries, TOC_SIZE)) {
      throw in.refused(FaultKind.TOC_BEYOND_FILE, HEADER_TOC_ENTRIES, tocEntries, in.size());
    }
    int cluster = in.i32(HEADER_CLUSTER);
    if (cluster < 0 || cluster > Pmid.MAX_CLUSTER) {
      throw in.refused(FaultKind.CLUSTER, HEADER_CLUSTER, cluster, Pmid.MAX_CLUSTER);
    }
    return new Header(
        version, generation, tocEntries, in.i32(HEADER_FLAGS), in.i32(HEADER_PID), cluster);
  }

  /**
   * Reads the table of contents, at most {@value MmvLayout#MAX_TOC_ENTRIES} entries. Sections that
   * would make all sections together larger than the file are left out; otherwise a small file with
   * overlapping sections could cause much work. The sections INSTANCES and STRINGS are not checked,
   * because the entries of other sections refer to instances and strings by their offsets, which
   * need not be in these sections.
   *
   * <p>Faults are added to {@code in}.
   */
  Contents contents(SchemaInput in, Limits limits) {
    List<Section> sections = new ArrayList<>();
    long metricEntries = 0;
    long taken = 0;
    int[] entries = new int[SECTION_LABELS + 1]; // by section type
    if (tocEntries > MAX_TOC_ENTRIES) {
      in.fault(FaultKind.TOC_TOO_LONG, Place.of(in.name()), tocEntries, MAX_TOC_ENTRIES);
    }
    for (int i = 0; i < Math.min(tocEntries, MAX_TOC_ENTRIES); i++) {
      Place entry = in.place(Place.Section.TOC, i, HEADER_SIZE + (long) i * TOC_SIZE);
      in.load(entry.offset(), TOC_SIZE);
      int type = in.i32(entry.offset() + TOC_TYPE);
      int count = in.i32(entry.offset() + TOC_COUNT);
      long offset = in.i64(entry.offset() + TOC_OFFSET);
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
      int max = maxEntries(type, limits);
      if (count > max) {
        in.fault(FaultKind.SECTION_TOO_LONG, entry, count, sectionName(type), max);
      } else if (!in.fits(offset, count, entrySize)) {
        in.fault(
            FaultKind.SECTION_BEYOND_FILE,
            entry,
            count,
            sectionName(type),
            entrySize,
            Long.toUnsignedString(offset),
            in.size());
      } else if (taken + (long) count * entrySize > in.size()) {
        in.fault(FaultKind.SECTION_OVERLAPS, entry, sectionName(type));
      } else if (entries[type] >= maxInAll(type)) {
        in.fault(FaultKind.SECTIONS_TOO_LONG, entry, sectionName(type), entries[type]);
      } else {
        taken += (long) count * entrySize;
        entries[type] += count;
        sections.add(new Section(type, count, offset));
      }
    }
    return new Contents(sections, metricEntries);
  }

  /** Returns the maximum number of entries of a section. A section with more entries is ignored. */
  private static int maxEntries(int type, Limits limits) {
    return switch (type) {
      case SECTION_INDOMS -> MAX_INDOMS;
      case SECTION_METRICS -> MAX_METRICS;
      case SECTION_VALUES -> limits.of(Limit.VALUES);
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
