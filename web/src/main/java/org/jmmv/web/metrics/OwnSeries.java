package org.jmmv.web.metrics;

import static org.jmmv.web.metrics.Family.Kind.GAUGE;
import static org.jmmv.web.metrics.Family.Kind.INFO;

import java.util.List;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogEntry;
import org.jmmv.pcp.Printable;

/** The series of this program, at the end of a page: what is served, and what is left out. */
final class OwnSeries {
  private static final Family BUILD = family("jmmv_build_info", GAUGE, "", "The version of jmmv");
  private static final Family TARGET = family("target", INFO, "", "The host");
  private static final Family STATE =
      family("jmmv_file_state", GAUGE, "", "1, with the state of each file");
  private static final Family MTIME =
      family("jmmv_file_mtime_seconds", GAUGE, "seconds", "When each file was last written");
  private static final Family CONFLICTS =
      family(
          "jmmv_names_in_conflict",
          GAUGE,
          "",
          "The number of metrics left out because others have their names");
  private static final Family METRICS =
      family(
          "jmmv_metrics_left_out",
          GAUGE,
          "",
          "The number of metrics left out because of their type, such as texts that may change at"
              + " any time");
  private static final Family SAMPLES =
      family("jmmv_samples_left_out", GAUGE, "", "The number of samples left out of this page");
  private static final Family DURATION =
      family("jmmv_scrape_duration_seconds", GAUGE, "seconds", "How long this page took");

  /** The names that no other family may have. */
  static final List<String> NAMES =
      List.of(
          BUILD.name(),
          TARGET.name(),
          TARGET.name() + "_info",
          STATE.name(),
          MTIME.name(),
          CONFLICTS.name(),
          METRICS.name(),
          SAMPLES.name(),
          DURATION.name());

  /** The maximum number of files that a page has: everybody can create millions. */
  static final int MAX_FILES = 20_000;

  private static final int FILE_BYTES = 100; // of an entry in the heap
  private static final int NANO_DECIMALS = 9;
  private static final int STEP = 64; // files

  private final Encoding encoding;
  private final Bytes out;
  private final FamilyFilter filter;
  private final List<CatalogEntry> files; // empty if no series of files is asked for
  private int next; // of the files, which are counted twice: for STATE, and for MTIME
  private final int end; // of the files, likewise

  /**
   * Creates an object for one page.
   *
   * @param filter whose names are asked for
   */
  OwnSeries(Encoding encoding, Bytes out, FamilyFilter filter, Catalog catalog) {
    this.encoding = encoding;
    this.out = out;
    this.filter = filter;
    boolean hasState = filter.hasName(STATE);
    boolean hasTime = filter.hasName(MTIME);
    files = hasState || hasTime ? catalog.entries(MAX_FILES) : List.of();
    next = hasState ? 0 : files.size();
    end = hasTime ? 2 * files.size() : files.size();
  }

  /** Returns what is kept, in bytes. */
  long bytes() {
    return (long) FILE_BYTES * files.size();
  }

  private static Family family(String name, Family.Kind kind, String unit, String help) {
    Family.Source none = new Family.Source(name, 0, 0, 0, 0, 0);
    String series = name + kind.suffix;
    return new Family(none, kind, name, series, unit, help, Scale.NONE, List.of(), List.of(), 0);
  }

  /** Writes what does not depend on files. */
  void writeFirst(String version, List<LabelPair> ofHost) {
    write(BUILD, List.of(new LabelPair("version", version)), 1, 0);
    write(TARGET, ofHost, 1, 0);
  }

  /** Writes series of some files. Returns whether there are more. */
  boolean writeFiles() {
    for (int i = 0; i < STEP && next < end; i++) {
      if (next % files.size() == 0) {
        begin(next == 0 ? STATE : MTIME);
      }
      write(files.get(next % files.size()), next >= files.size());
      next++;
      if (next % files.size() == 0) {
        encoding.end();
      }
    }
    return next < end;
  }

  private void write(CatalogEntry file, boolean isTime) {
    LabelPair name = new LabelPair("file", Printable.utf8(file.status().name().toString()));
    if (!isTime) {
      sample(List.of(name, new LabelPair("state", file.state().toString())), 1, 0);
    } else if (file.status().modified() != null) {
      sample(List.of(name), file.status().modified().getEpochSecond(), 0);
    }
  }

  /**
   * Writes what is known at the end.
   *
   * @param nanos how long the page took
   */
  void writeLast(Plan plan, SampleWriter samples, long nanos) {
    write(CONFLICTS, List.of(), plan.conflicts().size(), 0);
    write(METRICS, List.of(), plan.unsuited(), 0);
    if (filter.hasName(SAMPLES)) {
      begin(SAMPLES);
      sample(List.of(new LabelPair("reason", "negative counter")), samples.negative(), 0);
      sample(List.of(new LabelPair("reason", "long text")), samples.tooLong(), 0);
      encoding.end();
    }
    write(DURATION, List.of(), nanos, NANO_DECIMALS);
  }

  private void write(Family family, List<LabelPair> labels, long value, int decimals) {
    if (filter.hasName(family)) {
      begin(family);
      sample(labels, value, decimals);
      encoding.end();
    }
  }

  private void begin(Family family) {
    encoding.begin(encoding.encode(family), false, out);
  }

  private void sample(List<LabelPair> labels, long value, int decimals) {
    encoding.sample(null, 0, 0, labels);
    encoding.integer(value < 0, Math.abs(value), decimals);
  }
}
