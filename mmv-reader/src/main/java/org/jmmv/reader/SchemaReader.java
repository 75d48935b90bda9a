package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.SECTION_INDOMS;
import static org.jmmv.reader.MmvLayout.SECTION_LABELS;
import static org.jmmv.reader.MmvLayout.SECTION_METRICS;
import static org.jmmv.reader.MmvLayout.SECTION_VALUES;

import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * Reads and checks the metadata of a file.
 *
 * <p>Invalid records are left out, with an {@link Fault} for each kind of fault; valid ones are
 * kept. Every field is read only once, and the value that was read is the one that is checked,
 * because the application may change the file at any time. Time and memory are bounded by {@link
 * Limits} and by the size of the file: neither all sections, nor the instances of all instance
 * domains may be larger than the file in total. Each of their records has at most three strings of
 * at most 255 bytes, wherever the strings are. Reading ends early if the file needs more memory
 * than a file may use, which the schema then shows.
 */
final class SchemaReader {
  private SchemaReader() {}

  /**
   * Reads a file that is at least as long as a header.
   *
   * @param file what identifies the file
   * @param mapping the file's bytes
   * @param limits the limits for all files together, which also apply to a single file
   * @return null if the file is in flux
   * @throws MmvFormatException if the file is not an MMV file, its header is invalid, or nothing
   *     has been written yet
   */
  static MmvSchema read(FileName file, MmvMapping mapping, Limits limits)
      throws MmvFormatException {
    SchemaInput in = new SchemaInput(file, mapping, limits.memoryOfOneFile(), new Faults());
    MmvHeader header = MmvHeader.read(in);
    if (header.isInFlux()) {
      return null;
    }
    VarHandle.acquireFence(); // AArch64 may reorder reads: the metadata after the generations,
    MmvSchema schema = read(in, header, limits);
    VarHandle.acquireFence(); // and before they are compared
    boolean isCurrent =
        mapping.generation1() == header.generation1()
            && mapping.generation2() == header.generation2();
    return isCurrent ? schema : null; // null: the application has started to rewrite the file
  }

  /**
   * Reads what follows a header. If the file is in flux, the schema can be half of the old metadata
   * and half of the new.
   *
   * @throws MmvFormatException if the header is invalid
   */
  static MmvSchema read(SchemaInput in, MmvHeader header, Limits limits) throws MmvFormatException {
    header.check(in);
    int version = header.version();
    boolean prefixed = (header.flags() & MmvSchema.FLAG_NOPREFIX) == 0;
    StringSection strings = new StringSection(in);
    InDomSection inDoms = new InDomSection(in, version, limits.of(Limit.INSTANCES), strings);
    MetricSection metrics = new MetricSection(in, version, prefixed, strings);
    MmvHeader.Section values = null;
    MmvHeader.Section labels = null;
    MmvHeader.Contents contents = header.contents(in, limits);
    for (MmvHeader.Section section : contents.sections()) {
      if (in.isTooLarge()) {
        break;
      }
      switch (section.type()) {
        case SECTION_INDOMS -> inDoms.read(section);
        case SECTION_METRICS -> metrics.read(section);
        case SECTION_VALUES -> values = section; // if there are several, the last one counts
        case SECTION_LABELS -> labels = section; // as for values
        default -> throw new AssertionError("section type " + section.type());
      }
    }
    if (!contents.hasValues() && metrics.count() > 0) {
      in.fault(FaultKind.NO_VALUES, Place.of(in.name()));
    }
    List<MmvLabel> labelRecords = labels == null ? List.of() : LabelSection.read(in, labels);
    if (values != null && metrics.count() > 0) {
      in.keep(values.count() * Memory.OF_VALUE);
      if (!in.isTooLarge()) {
        ValueSection.read(in, values, metrics, inDoms); // last, because of Fingerprint
      }
    }
    return new MmvSchema(
        in.name(),
        version,
        header.generation1(),
        header.flags(),
        header.pid(),
        header.cluster(),
        metrics.metrics(),
        inDoms.inDoms(),
        labelRecords,
        values == null ? 0 : values.offset(),
        contents.metricEntries(),
        in.faults().list(),
        in.memory(),
        in.fingerprint());
  }
}
