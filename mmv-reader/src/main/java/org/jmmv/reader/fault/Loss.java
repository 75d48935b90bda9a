package org.jmmv.reader.fault;

/** What is lost by a fault. */
enum Loss {
  NOTHING("nothing", ""),

  /** All files of a directory. */
  DIRECTORY("all files", ", no files"),

  /** A file that has a fault. */
  FILE("all metrics of the file", ". No metrics of it are served."),

  /** An entry that has no fault, but is not served. */
  ENTRY("all metrics of the file", ""),

  /** All metrics of a file, but not its labels. */
  METRICS("all metrics of the file", ""),
  SECTION("all entries of the section", ", section ignored"),
  OTHER_ENTRIES("the other entries", ""),
  RECORD("the %s", ", left out"),
  NAME("the name; the metric is served only by its PMID", ", served only by its PMID"),

  /** The values of the faulty record, which are those of another file. */
  VALUES("the %s's own values", ", served with the values of that file"),

  /** Nothing: all is served as it is in the file, which is probably not what its author wants. */
  HINT("nothing", ""),
  ALL_VALUES("the values of all metrics", ", no metric has a value"),
  LABEL("the label of this name", ", label left out"),
  LABEL_RECORD("the label record", ", labels left out"),
  HELP("the help text", ", help left out");

  private final String text;
  private final String suffix;

  Loss(String text, String suffix) {
    this.text = text;
    this.suffix = suffix;
  }

  /** Returns what is lost by a fault in a section. */
  String of(Place.Section section) {
    return text.formatted(section.record());
  }

  /** Returns the end of the line for the log. */
  String suffix() {
    return suffix;
  }
}
