package org.jmmv.web.metrics;

import static org.jmmv.web.metrics.Family.Kind.COUNTER;
import static org.jmmv.web.metrics.Family.Kind.GAUGE;
import static org.jmmv.web.metrics.Family.Kind.INFO;

import java.util.List;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogEntry;
import org.jmmv.core.EntryCursor;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.Printable;
import org.jmmv.pcp.Scale;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.watch.DirectoryStatus;
import org.jmmv.reader.watch.FileState;
import org.jmmv.reader.watch.Limit;
import org.jmmv.web.http.Body;

/** The series of this program, at the end of a page: what is served, and what is left out. */
final class JmmvSeries {
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
  private static final Family LIMIT =
      family("jmmv_limit", GAUGE, "", "How much each limit of jmmv permits");
  private static final Family LIMIT_USED =
      family("jmmv_limit_used", GAUGE, "", "How much of each limit of jmmv is used");
  private static final Family LONGEST_STEP =
      family(
          "jmmv_longest_step_seconds",
          GAUGE,
          "seconds",
          "For how long jmmv has served nobody else, at most, in the last minute or two");
  private static final Family DURATION =
      family("jmmv_scrape_duration_seconds", GAUGE, "seconds", "How long this page took");

  private static final Family DIRECTORY =
      family("jmmv_directory_readable", GAUGE, "", "1 if the directory can be read, otherwise 0");

  /** A number of nanoseconds is one of seconds with this number of decimals. */
  private static final int NANO_DECIMALS = 9;

  /** A family with series of each file. */
  private record OfFiles(Family family, FileSamples samples) {}

  /** Writes the samples of a file. */
  private interface FileSamples {
    void write(CatalogEntry file, LabelPair name, Plan plan, JmmvSeries to);
  }

  private static final List<OfFiles> OF_FILES =
      List.of(
          new OfFiles(
              family("jmmv_file_state", GAUGE, "", "1, with the state of each file"),
              (file, name, _, to) -> {
                String state =
                    file.state() == FileState.SERVED && file.isFaulty()
                        ? "partly served"
                        : file.state().toString();
                to.sample(List.of(name, new LabelPair("state", state)), 1, 0);
              }),
          new OfFiles(
              family(
                  "jmmv_file_mtime_seconds",
                  GAUGE,
                  "seconds",
                  "When each file was last written; on tmpfs, the time stays when only values change"),
              (file, name, _, to) -> {
                if (file.status().modified() != null) {
                  to.sample(List.of(name), file.status().modified().getEpochSecond(), 0);
                }
              }),
          new OfFiles(
              family(
                  "jmmv_file_start_time_seconds",
                  GAUGE,
                  "seconds",
                  "When the application has made each served file, as far as its generation is a"
                      + " time"),
              (file, name, _, to) -> {
                if (file.startNanos() != 0) {
                  to.sample(List.of(name), file.startNanos(), NANO_DECIMALS);
                }
              }),
          new OfFiles(
              family("jmmv_file_metrics", GAUGE, "", "The number of metrics in each served file"),
              (file, name, _, to) -> {
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
              (file, name, _, to) -> {
                if (file.state() == FileState.SERVED) {
                  to.sample(List.of(name), file.metrics() - file.served(), 0);
                }
              }),
          new OfFiles(
              family(
                  "jmmv_file_series_left_out",
                  GAUGE,
                  "",
                  "The number of series left out of each file with more than max_series"),
              (file, name, plan, to) -> {
                if (plan.series().leftOut(file.name()) > 0) {
                  to.sample(List.of(name), plan.series().leftOut(file.name()), 0);
                }
              }),
          new OfFiles(
              family(
                  "jmmv_file_faults",
                  COUNTER,
                  "",
                  "The number of faults found in each file, by their codes"),
              (file, name, _, to) ->
                  new TreeMap<>(file.status().faultCounts())
                      .forEach((kind, count) ->
                          to.sample(List.of(name, new LabelPair("code", kind.code())), count, 0))));

  /** The names that no other family may have. */
  static final List<String> NAMES =
      Stream.concat(
              Stream.of(
                  BUILD,
                  TARGET,
                  CONFLICTS,
                  METRICS,
                  SAMPLES,
                  LIMIT,
                  LIMIT_USED,
                  LONGEST_STEP,
                  DURATION,
                  DIRECTORY),
              OF_FILES.stream().map(OfFiles::family))
          .flatMap(family -> family.names().reserved().stream())
          .toList();

  private final Encoding encoding;
  private final EntryCursor entries;
  private int family; // index in OF_FILES
  private int others; // entries that are not served, of the family
  private boolean isContinued; // the family

  JmmvSeries(Encoding encoding) {
    entries = new EntryCursor(new Scope.NoFiles());
    this.encoding = encoding;
  }

  private static boolean has(Family family, FamilyFilter.Matcher matcher) {
    return matcher.hasName(family.names());
  }

  long bytes() {
    return entries.bytes();
  }

  private static Family family(String name, Family.Kind kind, String unit, String help) {
    FamilyName names = new FamilyName(kind, name, name + kind.suffix, unit, Scale.NONE);
    return new Family(names, help, 0);
  }

  /** Writes what does not depend on files. */
  void writeFirst(String version, Labels ofHost, FamilyFilter.Matcher matcher) {
    write(BUILD, List.of(new LabelPair("version", version)), 1, 0, matcher);
    write(TARGET, LabelPair.of(List.of(ofHost)), 1, 0, matcher);
  }

  /**
   * Writes series of some files: a part of a family, which begins and ends in one piece of the
   * page. Returns whether there are more.
   */
  boolean writeFiles(Catalog catalog, Plan plan, FamilyFilter.Matcher matcher, Turn turn) {
    if (family == OF_FILES.size()) {
      return false;
    }
    OfFiles part = OF_FILES.get(family);
    boolean hasMore = has(part.family, matcher);
    if (hasMore) {
      begin(part.family, isContinued);
      hasMore = entries.goOn(catalog, turn, file -> write(part, file, plan));
      isContinued = encoding.end();
    }
    if (!hasMore) {
      family++;
      entries.restart();
      others = 0;
      isContinued = false;
    }
    return true;
  }

  /** Writes the series of a file. Returns whether there is room for others. */
  private boolean write(OfFiles part, CatalogEntry file, Plan plan) {
    if (file.state() == FileState.SERVED || others++ < CatalogEntry.MAX_LISTED) {
      String name = Printable.utf8(file.name().toString());
      part.samples.write(file, new LabelPair("file", name), plan, this);
    }
    return encoding.size() < Body.PIECE;
  }

  /**
   * Writes what is known at the end.
   *
   * @param nanos how long the page took
   */
  void writeLast(
      Catalog catalog, Plan plan, SampleWriter samples, long nanos, FamilyFilter.Matcher matcher) {
    write(CONFLICTS, List.of(), plan.conflicts(), 0, matcher);
    write(METRICS, List.of(), plan.unsuited(), 0, matcher);
    if (has(SAMPLES, matcher)) {
      begin(SAMPLES, false);
      sample(List.of(new LabelPair("reason", "negative counter")), samples.negative(), 0);
      sample(List.of(new LabelPair("reason", "long text")), samples.tooLong(), 0);
      encoding.end();
    }
    if (has(DIRECTORY, matcher)) {
      begin(DIRECTORY, false);
      for (DirectoryStatus directory : catalog.begin(new Scope.NoFiles()).directories()) {
        String path = FileName.ofDirectory(0, directory.path()).toString();
        LabelPair name = new LabelPair("directory", Printable.utf8(path));
        sample(List.of(name), directory.isReadable() ? 1 : 0, 0);
      }
      encoding.end();
    }
    write(LIMIT, catalog::max, matcher);
    write(LIMIT_USED, catalog::used, matcher);
    write(
        LONGEST_STEP, List.of(), catalog.steps().nanos(System.nanoTime()), NANO_DECIMALS, matcher);
    write(DURATION, List.of(), nanos, NANO_DECIMALS, matcher);
  }

  private void write(Family ofLimits, ToLongFunction<Limit> value, FamilyFilter.Matcher matcher) {
    if (has(ofLimits, matcher)) {
      begin(ofLimits, false);
      for (Limit limit : Limit.COUNTED) {
        sample(List.of(new LabelPair("limit", limit.key())), value.applyAsLong(limit), 0);
      }
      encoding.end();
    }
  }

  private void write(
      Family one, List<LabelPair> labels, long value, int decimals, FamilyFilter.Matcher matcher) {
    if (has(one, matcher)) {
      begin(one, false);
      sample(labels, value, decimals);
      encoding.end();
    }
  }

  private void begin(Family one, boolean hasBegun) {
    encoding.begin(encoding.encode(one), List.of(), null, hasBegun);
  }

  private void sample(List<LabelPair> labels, long value, int decimals) {
    encoding.sample(Instance.NULL, labels);
    encoding.integer(value < 0, Math.abs(value), decimals);
  }
}
