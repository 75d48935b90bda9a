package org.jmmv.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.Limits;

/**
 * The content of the settings file, jmmv.toml(5). Options of the command line take precedence.
 *
 * @param limits the limits of what is served
 * @param hasStatus whether {@code mmv.control.file} and {@code mmv.control.agent} are served
 * @param log the log file, {@code -} for standard error; empty: {@code $PCP_LOG_DIR/pmcd/NAME.log}
 * @param debug the debug options that are on, as {@link org.jmmv.pcp.DebugOptions#names} has them
 * @param directories the directories of the MMV files, at least one and at most 100
 * @param http what {@code jmmv serve} offers over HTTP
 */
public record Settings(
    Limits limits,
    boolean hasStatus,
    Optional<Path> log,
    String debug,
    List<DirectorySettings> directories,
    HttpSettings http) {
  /** The settings without a file. */
  public static final Settings DEFAULT =
      new Settings(
          Limits.DEFAULT,
          true,
          Optional.empty(),
          "",
          List.of(DirectorySettings.DEFAULT),
          HttpSettings.DEFAULT);

  public Settings {
    directories = List.copyOf(directories);
  }

  /** Returns the same settings for other directories. */
  public Settings with(List<DirectorySettings> others) {
    return new Settings(limits, hasStatus, log, debug, others, http);
  }

  /** Returns the paths of the directories, each of which has one. */
  public List<Path> paths() {
    return directories.stream().map(directory -> directory.path().orElseThrow()).toList();
  }
}
