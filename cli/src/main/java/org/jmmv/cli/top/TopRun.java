package org.jmmv.cli.top;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jmmv.config.Settings;

/**
 * A run of {@code jmmv top}.
 *
 * @param format how values are shown
 * @param samples how often they are printed as CSV or JSON
 * @param interval the time from one reading of values to the next
 * @param filter only values are shown whose names this text selects, see {@link NameFilter}
 * @param hasColors whether the table on the terminal uses colours
 */
public record TopRun(
    Format format, int samples, Duration interval, String filter, boolean hasColors) {
  /** How values are shown. */
  public enum Format {
    /** A table on the terminal, until the user quits. */
    SCREEN,
    /** A table, once. */
    TABLE,
    /** A line for each value. */
    CSV,
    /** A JSON object for each sample. */
    JSON
  }

  /**
   * Shows the metrics of directories.
   *
   * @param pcpVersion PCP's version, as from {@link org.jmmv.config.PcpConfig#version}
   * @param settings the directories, each with a path, and the limits and rules that apply
   * @param out receives everything but the table on the terminal
   * @throws IOException if the filter is invalid, if a directory can't be read, if there is no
   *     terminal, or if {@code out} can't be written
   */
  public void show(int pcpVersion, Settings settings, Writer out) throws IOException {
    Path standard = settings.directories().getFirst().path().orElseThrow();
    Optional<String> problem = new NameFilter(filter).problem();
    if (problem.isPresent()) {
      throw new IOException(problem.get());
    }
    try (LiveMetrics metrics = LiveMetrics.open(standard, pcpVersion, settings)) {
      if (format == Format.SCREEN) {
        showOnScreen(metrics, settings.paths(standard));
      } else {
        metrics.catchUp();
        print(metrics, new Printout(out));
      }
    }
  }

  private void showOnScreen(LiveMetrics metrics, List<Path> directories) throws IOException {
    try (Screen screen = Screen.open(hasColors)) {
      Runtime.getRuntime().addShutdownHook(new Thread(screen::close)); // after Ctrl-C and SIGTERM
      new LiveTable(screen, metrics, directories, filter, interval).run();
    }
  }

  /** Prints samples. A table is printed after two readings, so that it has the rates. */
  private void print(LiveMetrics metrics, Printout out) throws IOException {
    if (format == Format.CSV) {
      out.csvTitles();
    }
    int readings = format == Format.TABLE ? 2 : samples;
    long start = System.nanoTime();
    for (long done = 0; done < readings; done++) {
      pause(start + done * interval.toNanos());
      metrics.refresh();
      metrics.read(metrics.metrics());
      List<WatchedMetric> selected = new NameFilter(filter).select(metrics.metrics());
      Instant time = Instant.now().truncatedTo(ChronoUnit.MILLIS);
      switch (format) {
        case CSV -> out.csv(selected, time);
        case JSON -> out.json(selected, time);
        default -> {
          if (done == 1) {
            out.table(selected);
          }
        }
      }
    }
  }

  private static void pause(long until) throws IOException {
    try {
      Thread.sleep(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted");
    }
  }
}
