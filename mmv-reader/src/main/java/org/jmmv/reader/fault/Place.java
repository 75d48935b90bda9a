package org.jmmv.reader.fault;

/**
 * Where a fault is.
 *
 * @param file the file
 * @param section the section of the faulty record
 * @param index the index of the record in its section, from 0 on; -1 in the header and for the file
 *     as a whole
 * @param offset the offset of the record, or of the header's field, in bytes from the start of the
 *     file
 */
public record Place(FileName file, Section section, int index, long offset) {
  /** The sections of mmv(5), and what is outside of them. */
  public enum Section {
    FILE("file", "file"),
    HEADER("header", "header"),
    TOC("TOC", "entry"),
    INDOMS("indom", "instance domain"),
    INSTANCES("instance", "instance"),
    METRICS("metric", "metric"),
    VALUES("value", "value"),
    LABELS("label", "label");

    private final String entry;
    private final String record;

    Section(String entry, String record) {
      this.entry = entry;
      this.record = record;
    }

    /** Returns the name as in mmv(5), for example {@code METRICS}. */
    @Override
    public String toString() {
      return this == HEADER ? entry : name();
    }

    /** Returns what a record of the section is called in sentences. */
    String record() {
      return record;
    }
  }

  /** Returns the place of a fault of a file as a whole. */
  public static Place of(FileName file) {
    return new Place(file, Section.FILE, -1, 0);
  }

  /** Returns the place of a field of the header. */
  public static Place ofHeader(FileName file, long offset) {
    return new Place(file, Section.HEADER, -1, offset);
  }

  /** Returns the place within the file, for example {@code metric[3] at 416}; empty for a file. */
  @Override
  public String toString() {
    return section == Section.FILE
        ? ""
        : section.entry + (index < 0 ? "" : "[" + index + "]") + " at " + offset;
  }
}
