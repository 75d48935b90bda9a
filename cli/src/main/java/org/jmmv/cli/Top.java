package org.jmmv.cli;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jmmv.cli.top.NameFilter;
import org.jmmv.cli.top.TopRun;
import org.jmmv.config.Converters;
import org.jmmv.config.DefaultDirectories;
import org.jmmv.config.PcpConfig;
import org.jmmv.config.Settings;
import org.jmmv.reader.watch.DirectorySettings;

/** The command {@code jmmv top}: live values. */
final class Top extends Command {
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final int MAX_SAMPLES = 999_999_999;

  private final Arg<List<Path>> directories = directories("the directories");
  private final Arg<String> filter =
      option(
          "TEXT",
          "show only values whose names contain this; * and ? in it stand for any characters;"
              + " between slashes, it is a regular expression",
          NameFilter::checked,
          "-f",
          "--filter");
  private final Arg<Duration> interval =
      option("SECONDS", "the time between two readings", Converters::interval, "-t", "--interval");
  private final List<Arg<Boolean>> formats =
      exclusive(
          flagOf("print a table once, with rates", "--once"),
          flagOf("print a line of CSV for each value", "--csv"),
          flagOf("print a line of JSON for each sample", "--json"));
  private final Arg<Integer> samples =
      option(
          "NUM",
          "with --csv and --json: stop after this number",
          Converters.numberUpTo(MAX_SAMPLES),
          "-s",
          "--samples");

  Top() {
    super("show all metrics with their values, rates and history, every second");
  }

  private TopRun.Format format() {
    return formats.get(0).isGiven()
        ? TopRun.Format.TABLE
        : formats.get(1).isGiven()
            ? TopRun.Format.CSV
            : formats.get(2).isGiven() ? TopRun.Format.JSON : TopRun.Format.SCREEN;
  }

  @Override
  Optional<String> warning() {
    return format() == TopRun.Format.TABLE && samples.isGiven()
        ? Optional.of("with --once, --samples is ignored: the table is printed once")
        : Optional.empty();
  }

  @Override
  int run(Map<String, String> environment, Writer out) throws IOException {
    PcpConfig config = PcpConfig.load(environment);
    List<Path> given = checked(directories);
    Settings settings =
        given.isEmpty()
            ? DefaultDirectories.settings(config)
            : Settings.DEFAULT.with(given.stream().map(DirectorySettings.DEFAULT::at).toList());
    TopRun run =
        new TopRun(
            format(),
            samples.or(Integer.MAX_VALUE),
            interval.or(INTERVAL),
            filter.or(""),
            environment.getOrDefault("NO_COLOR", "").isEmpty());
    run.show(config.version(), settings, out);
    return ExitStatus.GOOD;
  }
}
