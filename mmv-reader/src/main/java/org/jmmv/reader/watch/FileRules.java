package org.jmmv.reader.watch;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Rules for the files of a directory.
 *
 * @param include patterns of which the name of a file must match at least one; if there are none,
 *     all names are included
 * @param exclude patterns of which the name of a file must not match any
 * @param process when a file with the PROCESS flag is served
 * @param staleAfter how long after its last change a file is served that no process has open for
 *     writing, whatever its flags are; empty: for ever
 */
public record FileRules(
    List<NamePattern> include,
    List<NamePattern> exclude,
    ProcessRule process,
    Optional<Duration> staleAfter) {
  /** All names, and files with the PROCESS flag while their application is there. */
  public static final FileRules DEFAULT =
      new FileRules(List.of(), List.of(), ProcessRule.AUTO, Optional.empty());

  public FileRules {
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
  }

  /** Returns whether it matters which files are open for writing. */
  public boolean needWriters() {
    return process == ProcessRule.AUTO || process == ProcessRule.OPEN || staleAfter.isPresent();
  }

  /** Returns whether files with a name are served. */
  boolean admits(byte[] name) {
    return (include.isEmpty() || include.stream().anyMatch(pattern -> pattern.matches(name)))
        && exclude.stream().noneMatch(pattern -> pattern.matches(name));
  }
}
