package org.jmmv.cli.top;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jmmv.cli.command.Command;
import org.jmmv.config.Converters;
import org.jmmv.config.DefaultDirectories;
import org.jmmv.config.PcpConfig;
import org.jmmv.config.Settings;
import org.jmmv.reader.watch.DirectorySettings;

/** The command {@code jmmv top}: live values. */
public final class Top extends Command {
  /** How often values are read unless the user says so: as top(1), and a rate needs two. */
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** The largest number that an option can have: nine digits never overflow. */
  private static final int MAX_SAMPLES = 999_999_999;

  private final Arg<List<Path>> directories = directories("the directories");
  private final Arg<String> filter =
      option(
          "TEXT",
          "show only values whose names contain this; * and ? in it stand for any characters;"
              + " between slashes, it is a regular expression",
          NameFilter::checked,
          "-f --filter");
  private final Arg<Duration> interval =
      option("SECONDS", "the time between two readings", Converters::interval, "-t --interval");
  private final Arg<List<Expressions.Definition>> expressions =
      options(
          "NAME=EXPR",
          "also show the values of an expression, as in pmRegisterDerived(3), by this name",
          Expressions.Definition::parse,
          "-e --expr");
  private final List<Arg<Boolean>> formats =
      exclusive(
          flagOf("print a table once, with rates", "--once"),
          flagOf("print a line of CSV for each value", "--csv"),
          flagOf("print a line of JSON for each sample", "--json"));
  private final Arg<Boolean> once = formats.get(0);
  private final Arg<Boolean> csv = formats.get(1);
  private final Arg<Boolean> json = formats.get(2);
  private final Arg<Integer> samples =
      option(
          "NUM",
          "with --csv and --json: stop after this number",
          Converters.numberUpTo(MAX_SAMPLES),
          "-s --samples");

  public Top() {
    super("show all metrics with their values, rates and history, every second");
  }

  @Override
  public Optional<String> warning() {
    return once.isGiven() && samples.isGiven()
        ? Optional.of("with --once, --samples is ignored: the table is printed once")
        : Optional.empty();
  }

  @Override
  public int run(Map<String, String> environment, Writer out) throws IOException {
    Optional<String> problem = new NameFilter(filter.or("")).problem();
    if (problem.isPresent()) {
      throw new IOException(problem.get());
    }
    PcpConfig config = PcpConfig.load(environment);
    List<Path> given = checked(directories);
    Settings settings =
        given.isEmpty()
            ? DefaultDirectories.settings(config)
            : Settings.DEFAULT.with(given.stream().map(DirectorySettings.DEFAULT::at).toList());
    try (LiveMetrics metrics = LiveMetrics.open(config.version(), settings)) {
      boolean isPrinted = formats.stream().anyMatch(Arg::isGiven);
      if (isPrinted || expressions.isGiven()) {
        metrics.catchUp();
      }
      metrics.define(expressions.or(List.of()));
      if (isPrinted) {
        int readings = once.isGiven() ? 2 : samples.or(Integer.MAX_VALUE);
        print(metrics, new Printout(out), readings, interval.or(INTERVAL));
      } else {
        boolean hasColors = environment.getOrDefault("NO_COLOR", "").isEmpty();
        showOnScreen(metrics, settings.paths(), hasColors);
      }
    }
    return GOOD;
  }

  private void showOnScreen(LiveMetrics metrics, List<Path> shown, boolean hasColors)
      throws IOException {
    try (Screen screen = Screen.open(hasColors)) {
      Runtime.getRuntime().addShutdownHook(new Thread(screen::close)); // after Ctrl-C and SIGTERM
      new LiveTable(screen, metrics, shown, filter.or(""), interval.or(INTERVAL)).run();
    }
  }

  /** Prints samples. A table is printed after two readings, so that it has the rates. */
  void print(LiveMetrics metrics, Printout out, int readings, Duration pause) throws IOException {
    if (csv.isGiven()) {
      out.csvTitles();
    }
    NameFilter names = new NameFilter(filter.or(""));
    long next = System.nanoTime();
    for (long done = 0; done < readings; done++) {
      sleepUntil(next);
      next = Math.max(next + pause.toNanos(), System.nanoTime()); // not all after a stop
      metrics.refresh();
      metrics.read(metrics.metrics());
      List<WatchedMetric> selected = names.select(metrics.metrics());
      Instant time = Instant.now().truncatedTo(ChronoUnit.MILLIS);
      if (csv.isGiven()) {
        out.csv(selected, time);
      } else if (json.isGiven()) {
        out.json(selected, time);
      } else if (done == 1) {
        out.table(selected);
      }
    }
  }

  private static void sleepUntil(long until) throws IOException {
    try {
      Thread.sleep(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted");
    }
  }
}
