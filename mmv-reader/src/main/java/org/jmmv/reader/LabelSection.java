package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.LABEL_FLAGS;
import static org.jmmv.reader.MmvLayout.LABEL_IDENTITY;
import static org.jmmv.reader.MmvLayout.LABEL_INSTANCE;
import static org.jmmv.reader.MmvLayout.LABEL_JSON;
import static org.jmmv.reader.MmvLayout.LABEL_JSON_SIZE;
import static org.jmmv.reader.MmvLayout.LABEL_SIZE;

import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.LabelParser;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Place;

/** Reads the LABELS section. */
final class LabelSection {
  private LabelSection() {}

  /**
   * Returns the valid labels, in the order of the section. An invalid label adds a fault to {@code
   * in}.
   */
  static List<MmvLabel> read(SchemaInput in, MmvHeader.Section section) {
    List<MmvLabel> labels = new ArrayList<>(section.count());
    for (int i = 0; i < section.count(); i++) {
      long at = section.offset() + (long) i * LABEL_SIZE;
      in.load(at, LABEL_SIZE);
      int flags = in.i32(at + LABEL_FLAGS);
      int identity = in.i32(at + LABEL_IDENTITY);
      int instance = in.i32(at + LABEL_INSTANCE);
      String json = in.text(at + LABEL_JSON, LABEL_JSON_SIZE);
      Place place = in.place(Place.Section.LABELS, i, at);
      try {
        LabelParser.Relaxed parsed = LabelParser.parseRelaxed(json, flags);
        if (parsed.skipped() != null) {
          in.fault(FaultKind.LABEL_NAME, place, parsed.skipped());
        }
        labels.add(new MmvLabel(flags, identity, instance, parsed.labels(), !parsed.isStrict()));
        in.keep(Memory.ofLabel(json));
      } catch (IllegalArgumentException e) {
        in.fault(FaultKind.LABEL, place, e.getMessage());
      }
    }
    return List.copyOf(labels);
  }
}
