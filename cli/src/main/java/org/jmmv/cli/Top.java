package org.jmmv.cli;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jmmv.cli.top.TopRun;
import org.jmmv.config.PcpConfig;
import org.jmmv.config.ServeCommand;
import org.jmmv.config.Settings;
import org.jmmv.reader.watch.DirectorySettings;
import picocli.CommandLine.ParseResult;

/** The command {@code jmmv top}: live values. */
final class Top {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private Top() {}

  /**
   * Shows the metrics of directories; by default of those of {@link
   * org.jmmv.config.DefaultDirectories}, with the settings of jmmv.toml(5).
   *
   * @throws IOException if a directory can't be read, if there is no terminal, or if {@code out}
   *     can't be written
   */
  static int run(ParseResult command, Map<String, String> environment, Writer out)
      throws IOException {
    PcpConfig config = PcpConfig.load(environment);
    List<Path> given = ServeCommand.directories(command);
    Settings settings =
        given.isEmpty()
            ? Check.settings(config)
            : Settings.DEFAULT.with(given.stream().map(DirectorySettings.DEFAULT::at).toList());
    Path directory = settings.directories().getFirst().path().orElseThrow();
    TopRun run =
        new TopRun(
            format(command),
            command.matchedOptionValue("--samples", Integer.MAX_VALUE),
            command.matchedOptionValue("--interval", INTERVAL),
            command.matchedOptionValue("--filter", ""),
            environment.getOrDefault("NO_COLOR", "").isEmpty());
    run.show(directory, config.version(), settings, out);
    return ExitStatus.GOOD;
  }

  private static TopRun.Format format(ParseResult command) {
    return command.hasMatchedOption("--once")
        ? TopRun.Format.TABLE
        : command.hasMatchedOption("--csv")
            ? TopRun.Format.CSV
            : command.hasMatchedOption("--json") ? TopRun.Format.JSON : TopRun.Format.SCREEN;
  }
}
