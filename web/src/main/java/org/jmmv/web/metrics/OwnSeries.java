package org.jmmv.web.metrics;

import static org.jmmv.web.metrics.Family.Kind.COUNTER;
import static org.jmmv.web.metrics.Family.Kind.GAUGE;
import static org.jmmv.web.metrics.Family.Kind.INFO;

import java.util.List;
import java.util.stream.Stream;
import org.jmmv.core.View;
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
    void write(FileRecords files, int file, OwnSeries to);
  }

  private static final List<OfFiles> OF_FILES =
      List.of(
          new OfFiles(
              family("jmmv_file_state", GAUGE, "", "1, with the state of each file"),
              (files, file, to) -> {
                LabelPair state = new LabelPair("state", files.state(file).toString());
                to.sample(List.of(files.name(file), state), 1, 0);
              }),
          new OfFiles(
              family(
                  "jmmv_file_mtime_seconds", GAUGE, "seconds", "When each file was last written"),
              (files, file, to) -> {
                if (files.hasTime(file)) {
                  to.sample(List.of(files.name(file)), files.modified(file), 0);
                }
              }),
          new OfFiles(
              family("jmmv_file_metrics", GAUGE, "", "The number of metrics in each served file"),
              (files, file, to) -> {
                if (files.state(file) == FileState.SERVED) {
                  to.sample(List.of(files.name(file)), files.metrics(file), 0);
                }
              }),
          new OfFiles(
              family(
                  "jmmv_file_metrics_lost",
                  GAUGE,
                  "",
                  "The number of metrics in each served file that are not served"),
              (files, file, to) -> {
                if (files.state(file) == FileState.SERVED) {
                  to.sample(List.of(files.name(file)), files.lost(file), 0);
                }
              }),
          new OfFiles(
              family(
                  "jmmv_file_faults",
                  COUNTER,
                  "",
                  "The number of faults found in each file, by their codes"),
              (files, file, to) ->
                  files.faults(
                      file,
                      (kind, count) -> {
                        LabelPair code = new LabelPair("code", kind.code());
                        to.sample(List.of(files.name(file), code), count, 0);
                      })));

  /** The names that no other family may have. */
  static final List<String> NAMES =
      Stream.concat(
              Stream.of(BUILD, TARGET, CONFLICTS, METRICS, SAMPLES, DURATION),
              OF_FILES.stream().map(OfFiles::family))
          .flatMap(family -> family.names().reserved().stream())
          .toList();

  /** The maximum number of files that a page has: everybody can create millions. */
  static final int MAX_FILES = 20_000;

  private static final int NANO_DECIMALS = 9;
  private static final int STEP = 64; // files

  private final PageBuffers buffers;
  private final FileRecords files; // none if no series of files is asked for
  private int family; // index in OF_FILES
  private int next; // index in files
  private boolean isContinued; // the family

  /**
   * Creates an object for one page.
   *
   * @param matcher whose names are asked for
   */
  OwnSeries(PageBuffers buffers, FamilyFilter.Matcher matcher, View view) {
    this.buffers = buffers;
    boolean isAskedFor = OF_FILES.stream().anyMatch(one -> has(one.family, matcher));
    files = new FileRecords(isAskedFor ? view.entries(MAX_FILES) : List.of());
  }

  private static boolean has(Family family, FamilyFilter.Matcher matcher) {
    return matcher.hasName(family.names());
  }

  /** Returns what is kept, in bytes. */
  long bytes() {
    return files.bytes();
  }

  private static Family family(String name, Family.Kind kind, String unit, String help) {
    FamilyName names = new FamilyName(kind, name, name + kind.suffix, unit, Scale.NONE);
    return new Family(names, help, List.of(), 0);
  }

  /** Writes what does not depend on files. */
  void writeFirst(String version, List<LabelPair> ofHost, FamilyFilter.Matcher matcher) {
    write(BUILD, List.of(new LabelPair("version", version)), 1, 0, matcher);
    write(TARGET, ofHost, 1, 0, matcher);
  }

  /**
   * Writes series of some files: a part of a family, which begins and ends in one piece of the
   * page. Returns whether there are more.
   */
  boolean writeFiles(FamilyFilter.Matcher matcher) {
    if (family == OF_FILES.size()) {
      return false;
    }
    OfFiles part = OF_FILES.get(family);
    int end = files.count();
    if (has(part.family, matcher)) {
      end = Math.min(next + STEP, end);
      begin(part.family, isContinued);
      while (next < end) {
        part.samples.write(files, next++, this);
      }
      isContinued |= buffers.encoding.end();
    }
    if (end == files.count()) {
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
  void writeLast(Plan plan, SampleWriter samples, long nanos, FamilyFilter.Matcher matcher) {
    write(CONFLICTS, List.of(), plan.conflicts(), 0, matcher);
    write(METRICS, List.of(), plan.unsuited(), 0, matcher);
    if (has(SAMPLES, matcher)) {
      begin(SAMPLES, false);
      sample(List.of(new LabelPair("reason", "negative counter")), samples.negative(), 0);
      sample(List.of(new LabelPair("reason", "long text")), samples.tooLong(), 0);
      buffers.encoding.end();
    }
    write(DURATION, List.of(), nanos, NANO_DECIMALS, matcher);
  }

  private void write(
      Family one, List<LabelPair> labels, long value, int decimals, FamilyFilter.Matcher matcher) {
    if (has(one, matcher)) {
      begin(one, false);
      sample(labels, value, decimals);
      buffers.encoding.end();
    }
  }

  private void begin(Family one, boolean hasBegun) {
    buffers.encoding.begin(buffers.encode(one, 0), hasBegun, buffers.out);
  }

  private void sample(List<LabelPair> labels, long value, int decimals) {
    buffers.encoding.sample(null, 0, 0, labels);
    buffers.encoding.integer(value < 0, Math.abs(value), decimals);
  }
}
