package org.jmmv.reader.watch;

import java.util.List;

/**
 * Rules for the files of a directory.
 *
 * @param include patterns of which the name of a file must match at least one; if there are none,
 *     all names are included
 * @param exclude patterns of which the name of a file must not match any
 * @param ignoresProcess whether a file with the PROCESS flag is served whether or not its process
 *     runs here, because its process ID is one of another PID namespace
 */
public record FileRules(
    List<NamePattern> include, List<NamePattern> exclude, boolean ignoresProcess) {
  /** The rules of pmdammv(1): all names, and files with the PROCESS flag while it runs. */
  public static final FileRules DEFAULT = new FileRules(List.of(), List.of(), false);

  public FileRules {
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
  }

  /** Returns whether files with a name are served. */
  boolean admits(byte[] name) {
    return (include.isEmpty() || include.stream().anyMatch(pattern -> pattern.matches(name)))
        && exclude.stream().noneMatch(pattern -> pattern.matches(name));
  }
}
