package org.jmmv.config;

import java.nio.file.Path;
import java.util.Optional;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.reader.DirectorySettings;
import org.jmmv.reader.Limits;

/**
 * The content of the settings file, jmmv.toml(5). Options of the command line take precedence.
 *
 * @param limits the limits of what is served
 * @param hasStatus whether {@code mmv.control.file} and {@code mmv.control.agent} are served
 * @param log the log file, {@code -} for standard error; empty: the default
 * @param debug the debug options that are on
 * @param path the directory of the MMV files; empty: {@code $PCP_TMP_DIR/mmv}
 * @param directory what is set for the files of this directory
 */
public record Settings(
    Limits limits,
    boolean hasStatus,
    Optional<Path> log,
    DebugOptions debug,
    Optional<Path> path,
    DirectorySettings directory) {

  /** The settings without a file. */
  public static final Settings DEFAULT =
      new Settings(
          Limits.DEFAULT,
          true,
          Optional.empty(),
          new DebugOptions(),
          Optional.empty(),
          DirectorySettings.DEFAULT);
}
