package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.SECTION_INDOMS;
import static org.jmmv.reader.MmvLayout.SECTION_LABELS;
import static org.jmmv.reader.MmvLayout.SECTION_METRICS;
import static org.jmmv.reader.MmvLayout.SECTION_VALUES;

import java.util.List;

/**
 * Reads a file's metadata and checks it.
 *
 * <p>What is broken is left out, with an {@link MmvFault} that says where; what is sound is kept.
 * Every byte is read once and judged as it was read, because the application may change it at any
 * moment. Work and memory are bounded by {@link Limits} and by the file's size, which neither all
 * sections together, nor the instances of all instance domains together, nor all strings together
 * may exceed.
 */
final class SchemaReader {
  private SchemaReader() {}

  /**
   * Reads a file that has a header.
   *
   * @param limits what all files may have together, and so this one
   * @return null if the file is in flux
   * @throws MmvFormatException if nothing of it can be served
   */
  static MmvSchema read(String file, MmvMapping mapping, Limits limits) throws MmvFormatException {
    SchemaInput in = new SchemaInput(file, mapping);
    Header header = Header.read(in);
    if (header == null) {
      return null;
    }
    int version = header.version();
    boolean prefixed = (header.flags() & MmvSchema.FLAG_NOPREFIX) == 0;
    StringSection strings = new StringSection(in);
    InDomSection inDoms = new InDomSection(in, version, limits.instances(), strings);
    MetricSection metrics = new MetricSection(in, version, prefixed, strings);
    Header.Section values = null;
    Header.Section labels = null;
    for (Header.Section section : header.sections(in, limits)) {
      switch (section.type()) {
        case SECTION_INDOMS -> inDoms.read(section);
        case SECTION_METRICS -> metrics.read(section);
        case SECTION_VALUES -> values = section; // the last one counts
        case SECTION_LABELS -> labels = section; // likewise
        default -> {} // instances and strings are found by their offsets
      }
    }
    if (values != null && metrics.count() > 0) {
      ValueSection.read(in, values, metrics, inDoms);
    }
    List<MmvLabel> labelRecords = labels == null ? List.of() : LabelSection.read(in, labels);
    if (mapping.generation1() != header.generation()
        || mapping.generation2() != header.generation()) {
      return null; // the application has begun anew meanwhile
    }
    return new MmvSchema(
        file,
        version,
        header.generation(),
        header.flags(),
        header.pid(),
        header.cluster(),
        metrics.metrics(),
        inDoms.inDoms(),
        labelRecords,
        values == null ? 0 : values.offset(),
        in.faults(),
        in.digest());
  }
}
