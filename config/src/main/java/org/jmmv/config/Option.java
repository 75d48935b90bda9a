package org.jmmv.config;

import org.jmmv.reader.Limits;

/** The options of the command line, in the order in which the usage message has them. */
enum Option {
  DEBUG('D', "debug", "LIST", "log the work of these debug options, see pmdbg(1)"),
  DOMAIN('d', "domain", "NUM", "number of the metrics' domain, 70 by default"),
  LOG('l', "log", "FILE", "log here instead of mmv.log in pmcd's log directory"),
  USERNAME('U', "username", "USER", "do the work as this user instead of PCP's"),
  INET('i', "inet", "PORT", "wait for pmcd at this IPv4 port or service"),
  IPV6('6', "ipv6", "PORT", "wait for pmcd at this IPv6 port or service"),
  UNIX('u', "unix", "FILE", "wait for pmcd at this Unix domain socket"),
  PIPE('p', "pipe", null, "talk with pmcd through a pipe, the default"),
  MAX_FILE_SIZE("max-file-size", "bytes of a file", Limits.DEFAULT.fileSize()),
  MAX_FILES("max-files", "files", Limits.DEFAULT.files()),
  MAX_METRICS("max-metrics", "metrics in all", Limits.DEFAULT.metrics()),
  MAX_INSTANCES("max-instances", "instances in all", Limits.DEFAULT.instances()),
  MAX_VALUES("max-values", "values in all", Limits.DEFAULT.values()),
  MAX_LABELS("max-labels", "labels in all", Limits.DEFAULT.labels()),
  HELP('?', "help", null, "show this text and exit"),
  VERSION(Option.NO_LETTER, "version", null, "show the version and exit");

  private static final char NO_LETTER = 0;

  /** The short form's letter, or 0. */
  final char letter;

  /** The long form's name. */
  final String longName;

  /** What its value is, or null if it has none. */
  final String label;

  private final String text;

  Option(char letter, String longName, String label, String text) {
    this.letter = letter;
    this.longName = longName;
    this.label = label;
    this.text = text;
  }

  Option(String longName, String what, int byDefault) {
    this(
        NO_LETTER,
        longName,
        "NUM",
        "serve at most so many " + what + ", " + byDefault + " by default");
  }

  /** The short form if there is one, as messages call it. */
  @Override
  public String toString() {
    return letter == NO_LETTER ? "--" + longName : "-" + letter;
  }

  /** One or two lines for the usage message, with the text in the given column. */
  String usage(int column) {
    String head = "  ";
    if (letter != NO_LETTER) {
      head += this + (label == null ? "" : " " + label) + ", ";
    }
    head += "--" + longName + (label == null ? "" : "=" + label);
    return head.length() < column
        ? head + " ".repeat(column - head.length()) + text + "\n"
        : head + "\n" + " ".repeat(column) + text + "\n";
  }
}
