package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.SECTION_INDOMS;
import static org.jmmv.reader.MmvLayout.SECTION_LABELS;
import static org.jmmv.reader.MmvLayout.SECTION_METRICS;
import static org.jmmv.reader.MmvLayout.SECTION_VALUES;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Place;

/**
 * Reads and checks the metadata of a file, step by step.
 *
 * <p>Invalid records are left out, with an {@link Fault} for each kind of fault; valid ones are
 * kept. Every field is read only once, and the value that was read is the one that is checked,
 * because the application may change the file at any time. Time and memory are bounded by {@link
 * FileLimits} and by the size of the file: neither all sections, nor the instances of all instance
 * domains may be larger than the file in total. Each of their records has at most three strings of
 * at most 255 bytes, wherever the strings are. Reading ends early if the file needs more memory
 * than a file may use, which the schema then shows.
 */
final class SchemaReader {
  private final SchemaInput in;
  private final MmvHeader header;
  private final MmvHeader.Contents contents;
  private final InDomSection inDoms;
  private final MetricSection metrics;
  private final Queue<BooleanSupplier> parts = new ArrayDeque<>(); // return whether to go on
  private MmvHeader.Section values;
  private List<MmvLabel> labels = List.of();

  /**
   * Reads the table of contents. If the file is in flux, the schema can be half of the old metadata
   * and half of the new.
   *
   * @throws MmvFormatException if the header is invalid
   */
  SchemaReader(SchemaInput in, MmvHeader header, FileLimits limits) throws MmvFormatException {
    header.check(in);
    this.in = in;
    this.header = header;
    int version = header.version();
    boolean prefixed = (header.flags() & MmvSchema.FLAG_NOPREFIX) == 0;
    StringSection strings = new StringSection(in);
    inDoms = new InDomSection(in, version, limits.instances(), strings);
    metrics = new MetricSection(in, version, prefixed, strings);
    contents = header.contents(in, limits);
    MmvHeader.Section lastLabels = null;
    for (MmvHeader.Section section : contents.sections()) {
      switch (section.type()) {
        case SECTION_INDOMS -> parts.add(inDoms.reading(section));
        case SECTION_METRICS -> add(() -> metrics.read(section));
        case SECTION_VALUES -> values = section; // if there are several, the last one counts
        case SECTION_LABELS -> lastLabels = section; // as for values
        default -> throw new AssertionError("section type " + section.type());
      }
    }
    add(() -> metrics.leaveOutUndefined(inDoms));
    if (!contents.hasValues()) {
      add(this::reportNoValues);
    }
    if (lastLabels != null) {
      MmvHeader.Section section = lastLabels;
      add(() -> labels = LabelSection.read(in, section));
    }
    if (values != null) { // last, because of Fingerprint
      parts.add(new ValueSection(in, values, metrics, inDoms)::read);
    }
  }

  private void add(Runnable part) {
    parts.add(() -> {
      part.run();
      return false;
    });
  }

  private void reportNoValues() {
    if (metrics.count() > 0) {
      in.fault(FaultKind.NO_VALUES, Place.of(in.name()));
    }
  }

  /**
   * Reads some records, which takes less than a millisecond, or a few for a METRICS section.
   *
   * @return whether there are more
   */
  boolean read() {
    if (!parts.isEmpty() && !parts.element().getAsBoolean()) {
      parts.remove();
    }
    return !parts.isEmpty() && !in.isTooLarge();
  }

  /** Returns what was read. */
  MmvSchema schema() {
    return new MmvSchema(
        in.name(),
        header,
        metrics.metrics(),
        inDoms.inDoms(),
        labels,
        values == null ? 0 : values.offset(),
        contents.metricEntries(),
        in.faults().list(),
        in.memory(),
        in.fingerprint());
  }
}
