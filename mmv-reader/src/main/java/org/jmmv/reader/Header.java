package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.*;

import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.SchemaInput.Entry;

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
    checkMagic(in, magic);
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
    checkMagic(in, in.i32(HEADER_MAGIC));
    return read(in, in.i64(HEADER_GENERATION1));
  }

  private static void checkMagic(SchemaInput in, int magic) throws MmvFormatException {
    if (magic != MAGIC) {
      throw new MmvFormatException(new MmvFault(in.file(), noMagic(magic)));
    }
  }

  private static Header read(SchemaInput in, long generation) throws MmvFormatException {
    int version = in.i32(HEADER_VERSION);
    if (version < 1 || version > 3) {
      throw in.refused(HEADER_VERSION, "version %d is not supported, only 1, 2 and 3 are", version);
    }
    int tocEntries = in.i32(HEADER_TOC_ENTRIES);
    if (tocEntries < 2) {
      throw in.refused(
          HEADER_TOC_ENTRIES,
          "%d entries in the table of contents, at least 2 are needed",
          tocEntries);
    }
    if (!in.fits(HEADER_SIZE, tocEntries, TOC_SIZE)) {
      throw in.refused(
          HEADER_TOC_ENTRIES,
          "%d entries in the table of contents are beyond the file's %d bytes",
          tocEntries,
          in.size());
    }
    int cluster = in.i32(HEADER_CLUSTER);
    if (cluster < 0 || cluster > Pmid.MAX_CLUSTER) {
      throw in.refused(HEADER_CLUSTER, "cluster %d is not in 0 to %d", cluster, Pmid.MAX_CLUSTER);
    }
    return new Header(
        version, generation, tocEntries, in.i32(HEADER_FLAGS), in.i32(HEADER_PID), cluster);
  }

  /**
   * Returns what is wrong with a file that begins with other bytes than an MMV file. The bytes are
   * not shown: the file may be a symbolic link, by which a user would read a file that only the
   * agent is permitted to read.
   */
  static String noMagic(int magic) {
    return magic == 0
        ? "not an MMV file: it begins with four NUL bytes, not \"MMV\""
        : "not an MMV file: it does not begin with \"MMV\" and a NUL byte";
  }

  /** Returns what is wrong with a file that is too short for a header. */
  static String tooShort(long size) {
    return "not an MMV file: it has %d bytes, a header has %d".formatted(size, HEADER_SIZE);
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
      in.fault(
          "%d entries in the table of contents, at most %d are read", tocEntries, MAX_TOC_ENTRIES);
    }
    for (int i = 0; i < Math.min(tocEntries, MAX_TOC_ENTRIES); i++) {
      Entry entry = new Entry("TOC", i, HEADER_SIZE + (long) i * TOC_SIZE);
      in.load(entry.at(), TOC_SIZE);
      int type = in.i32(entry.at() + TOC_TYPE);
      int count = in.i32(entry.at() + TOC_COUNT);
      long offset = in.i64(entry.at() + TOC_OFFSET);
      if (type == SECTION_INSTANCES || type == SECTION_STRINGS) {
        continue;
      }
      int entrySize = entrySize(type, version);
      if (entrySize == 0) {
        in.fault(entry, "unknown section type %d, section ignored", type);
        continue;
      }
      if (type == SECTION_METRICS) {
        metricEntries += Math.max(0, count);
      }
      int max = maxEntries(type, limits);
      if (count > max) {
        in.fault(
            entry,
            "%d %s entries, at most %d are served, section ignored",
            count,
            sectionName(type),
            max);
      } else if (!in.fits(offset, count, entrySize)) {
        in.fault(
            entry,
            "%d %s entries of %d bytes from %s on are beyond the file's %d bytes, section ignored",
            count,
            sectionName(type),
            entrySize,
            Long.toUnsignedString(offset),
            in.size());
      } else if (taken + (long) count * entrySize > in.size()) {
        in.fault(entry, "%s overlaps other sections, section ignored", sectionName(type));
      } else if (entries[type] >= maxInAll(type)) {
        in.fault(
            entry,
            "earlier %s sections have %d entries, no more are served, section ignored",
            sectionName(type),
            entries[type]);
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
