package org.jmmv.web.metrics;

import static org.jmmv.web.metrics.Family.Kind.COUNTER;
import static org.jmmv.web.metrics.Family.Kind.GAUGE;
import static org.jmmv.web.metrics.Family.Kind.INFO;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jmmv.core.CatalogEntry;
import org.jmmv.core.View;
import org.jmmv.pcp.Printable;
import org.jmmv.reader.watch.FileState;

/** The series of this program, at the end of a page: what is served, and what is left out. */
final class OwnSeries {
  private static final Family BUILD = family("jmmv_build_info", GAUGE, "", "The version of jmmv");
  private static final Family TARGET = family("target", INFO, "", "The host");
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

  /** A family with series of each file. */
  private record OfFiles(Family family, FileSamples samples) {}

  /** Writes the samples of a file. */
  private interface FileSamples {
    void write(CatalogEntry file, LabelPair name, OwnSeries to);
  }

  private static final List<OfFiles> OF_FILES =
      List.of(
          new OfFiles(
              family("jmmv_file_state", GAUGE, "", "1, with the state of each file"),
              (file, name, to) -> {
                LabelPair state = new LabelPair("state", file.state().toString());
                to.sample(List.of(name, state), 1, 0);
              }),
          new OfFiles(
              family(
                  "jmmv_file_mtime_seconds", GAUGE, "seconds", "When each file was last written"),
              (file, name, to) -> {
                if (file.status().modified() != null) {
                  to.sample(List.of(name), file.status().modified().getEpochSecond(), 0);
                }
              }),
          new OfFiles(
              family("jmmv_file_metrics", GAUGE, "", "The number of metrics in each served file"),
              (file, name, to) -> {
                if (file.state() == FileState.SERVED) {
                  to.sample(List.of(name), file.metrics(), 0);
                }
              }),
          new OfFiles(
              family(
                  "jmmv_file_metrics_lost",
                  GAUGE,
                  "",
                  "The number of metrics in each served file that are not served"),
              (file, name, to) -> {
                if (file.state() == FileState.SERVED) {
                  to.sample(List.of(name), file.metrics() - file.served(), 0);
                }
              }),
          new OfFiles(
              family(
                  "jmmv_file_faults",
                  COUNTER,
                  "",
                  "The number of faults found in each file, by their codes"),
              (file, name, to) ->
                  new TreeMap<>(file.status().faultCounts())
                      .forEach((kind, count) ->
                          to.sample(List.of(name, new LabelPair("code", kind.code())), count, 0))));

  /** The names that no other family may have. */
  static final List<String> NAMES =
      Stream.concat(
              Stream.of(BUILD, TARGET, CONFLICTS, METRICS, SAMPLES, DURATION),
              OF_FILES.stream().map(OfFiles::family))
          .flatMap(family -> family.reserved().stream())
          .toList();

  /** The maximum number of files that a page has: everybody can create millions. */
  static final int MAX_FILES = 20_000;

  private static final int FILE_BYTES = 100; // of an entry in the heap
  private static final int NANO_DECIMALS = 9;
  private static final int STEP = 64; // files

  private final Encoding encoding;
  private final Bytes out;
  private final FamilyFilter filter;
  private final List<OfFiles> ofFiles; // those that are asked for
  private final List<CatalogEntry> files; // empty if no series of files is asked for
  private int family; // index in ofFiles
  private int next; // index in files
  private boolean isContinued; // the family

  /**
   * Creates an object for one page.
   *
   * @param filter whose names are asked for
   */
  OwnSeries(Encoding encoding, Bytes out, FamilyFilter filter, View view) {
    this.encoding = encoding;
    this.out = out;
    this.filter = filter;
    ofFiles = OF_FILES.stream().filter(one -> filter.hasName(one.family)).toList();
    files = ofFiles.isEmpty() ? List.of() : view.entries(MAX_FILES);
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

  /**
   * Writes series of some files: a part of a family, which begins and ends in one piece of the
   * page. Returns whether there are more.
   */
  boolean writeFiles() {
    if (family == ofFiles.size()) {
      return false;
    }
    OfFiles part = ofFiles.get(family);
    begin(part.family, isContinued);
    for (int end = Math.min(next + STEP, files.size()); next < end; next++) {
      CatalogEntry file = files.get(next);
      String name = Printable.utf8(file.status().name().toString());
      part.samples.write(file, new LabelPair("file", name), this);
    }
    isContinued |= encoding.end();
    if (next == files.size()) {
      family++;
      next = 0;
      isContinued = false;
    }
    return true;
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
      begin(SAMPLES, false);
      sample(List.of(new LabelPair("reason", "negative counter")), samples.negative(), 0);
      sample(List.of(new LabelPair("reason", "long text")), samples.tooLong(), 0);
      encoding.end();
    }
    write(DURATION, List.of(), nanos, NANO_DECIMALS);
  }

  private void write(Family one, List<LabelPair> labels, long value, int decimals) {
    if (filter.hasName(one)) {
      begin(one, false);
      sample(labels, value, decimals);
      encoding.end();
    }
  }

  private void begin(Family one, boolean isSameFamily) {
    encoding.begin(encoding.encode(one), isSameFamily, out);
  }

  private void sample(List<LabelPair> labels, long value, int decimals) {
    encoding.sample(null, 0, 0, labels);
    encoding.integer(value < 0, Math.abs(value), decimals);
  }
}
