package org.jmmv.reader;

/** What to do about several {@link FaultKind}s, and the words that they share. */
final class Advice {
  static final String NOT_FINISHED = "its application has not finished writing it (waited 5 s)";

  static final String WAIT =
      "check again in a few seconds; if that does not help, the application has ended while it"
          + " wrote the file: restart it";

  static final String WRITER =
      "the library that writes the file is wrong, or something has overwritten the file: restart"
          + " the application; if the fault returns, report it to the library's authors";

  static final String REMOVE = "remove it from the directory";

  static final String FEWER = "let the application write fewer entries, or several files";

  static final String RAISE =
      "remove files that are not needed, or raise the limit of the agent: see pmdajmmv(1)";

  static final String NAME_THE_METRIC =
      "give the metric a name of letters, digits, \"_\" and \".\"";

  static final String NAME_METRICS_APART =
      "give the metrics different names, none of which begins with another one and a dot";

  static final String DO_NOT_TRUNCATE =
      "check again; nothing may truncate the file of a running application";

  private Advice() {}
}
