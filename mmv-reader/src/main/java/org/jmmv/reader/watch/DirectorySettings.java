package org.jmmv.reader.watch;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jmmv.pcp.Labels;

/**
 * What the administrator has set for a directory.
 *
 * @param path the path; empty: {@code $PCP_TMP_DIR/mmv}
 * @param rules which files are served
 * @param prefix the components between {@code mmv} and the rest of the metrics' names, separated by
 *     dots; empty: none
 * @param labels labels of all clusters; those that a file has itself take precedence
 */
public record DirectorySettings(
    Optional<Path> path, FileRules rules, String prefix, Labels labels) {
  /** The rules, names and labels of pmdammv(1). */
  public static final DirectorySettings DEFAULT =
      new DirectorySettings(Optional.empty(), FileRules.DEFAULT, "", new Labels("", List.of()));

  /** Returns the same settings for another path. */
  public DirectorySettings at(Path directory) {
    return new DirectorySettings(Optional.of(directory), rules, prefix, labels);
  }
}
