package org.jmmv.reader;

import java.util.List;

/**
 * What the administrator has set for a directory.
 *
 * @param rules which files are served
 * @param prefix the components between {@code mmv} and the rest of the metrics' names, separated by
 *     dots; empty: none
 * @param labels labels of all clusters; those that a file has itself take precedence
 */
public record DirectorySettings(FileRules rules, String prefix, Labels labels) {
  /** The rules, names and labels of pmdammv(1). */
  public static final DirectorySettings DEFAULT =
      new DirectorySettings(FileRules.DEFAULT, "", new Labels("", List.of()));
}
