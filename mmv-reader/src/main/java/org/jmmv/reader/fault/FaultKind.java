package org.jmmv.reader.fault;

import static org.jmmv.pcp.Printable.printable;
import static org.jmmv.reader.fault.FaultKind.Advice.*;

import java.util.List;
import java.util.Locale;

/**
 * The kinds of {@link Fault}. The text of each says what is wrong; its arguments are those of
 * {@link Fault#arguments}.
 *
 * <p>The name of a constant is its {@link #code}, which programs read: it never changes.
 */
public enum FaultKind {
  // ---------------------------------------------------------------- header and table of contents

  NOT_MMV(Loss.FILE, REMOVE, "not an MMV file: it does not begin with \"MMV\" and a NUL byte"),
  NUL_BYTES(Loss.FILE, REMOVE, "not an MMV file: it begins with four NUL bytes, not \"MMV\""),
  VERSION(
      Loss.FILE,
      "use a library that writes one of these versions, or a newer jmmv",
      "version %d is not supported, only 1, 2 and 3 are"),
  BYTE_ORDER(
      Loss.FILE,
      "serve the file on the machine that writes it: files can't be exchanged between machines of"
          + " different byte orders",
      "written by a machine of the other byte order (version %d of the format)"),
  CLUSTER(
      Loss.FILE,
      "give the application a cluster from 1 to 4095, or 0",
      "cluster %d is not in 0 to %d"),
  TOC_TOO_SHORT(Loss.FILE, WRITER, "%d entries in the table of contents, at least 2 are needed"),
  TOC_BEYOND_FILE(
      Loss.FILE, WRITER, "%d entries in the table of contents are beyond the file's %d bytes"),
  TOC_TOO_LONG(
      Loss.OTHER_ENTRIES, FEWER, "%d entries in the table of contents, at most %d are read"),
  SECTION_TYPE(Loss.SECTION, WRITER, "unknown section type %d"),
  SECTION_TOO_LONG(Loss.SECTION, FEWER, "%d %s entries, at most %d are served"),
  SECTION_BEYOND_FILE(
      Loss.SECTION, WRITER, "%d %s entries of %d bytes from %s on are beyond the file's %d bytes"),
  SECTION_OVERLAPS(Loss.SECTION, WRITER, "%s overlaps other sections"),
  SECTIONS_TOO_LONG(Loss.SECTION, FEWER, "earlier %s sections have %d entries, no more are served"),
  NO_VALUES(Loss.ALL_VALUES, WRITER, "there is no VALUES section"),

  // ---------------------------------------------------------------- sections

  SERIAL(
      Loss.RECORD, "give the instance domain a serial from 1 to 4194303", "serial %s is over %d"),
  INSTANCES_BEYOND_FILE(
      Loss.RECORD, WRITER, "%s instances from %s on are beyond the file's %d bytes"),
  TOO_MANY_INSTANCES(
      Loss.RECORD, FEWER, "%d instances are too many, at most %d of a file are served"),
  INSTANCES_OVERLAP(Loss.RECORD, WRITER, "the instances of the file's instance domains overlap"),
  NAME_IN_HEADER(Loss.RECORD, WRITER, "name offset %d is in the header"),
  NAME_BEYOND_FILE(Loss.RECORD, WRITER, "name offset %s is beyond the file's %d bytes"),
  NAME_UNTERMINATED(Loss.RECORD, WRITER, "name at offset %d has no NUL before the end of the file"),
  HELP_IN_HEADER(Loss.HELP, WRITER, "help offset %d is in the header"),
  HELP_BEYOND_FILE(Loss.HELP, WRITER, "help offset %s is beyond the file's %d bytes"),
  HELP_UNTERMINATED(Loss.HELP, WRITER, "help at offset %d has no NUL before the end of the file"),
  FILE_NAME(
      Loss.METRICS,
      "rename the file, or write it with the NOPREFIX flag",
      "the file's name can't be part of the metrics' names, because it has characters other than"
          + " letters, digits, \"_\" and \".\"; all metrics (%d) are left out"),
  FILE_NAME_DOTS(
      Loss.METRICS,
      "rename the file, or write it with the NOPREFIX flag",
      "the file's name can't be part of the metrics' names, because it begins or ends with a dot or"
          + " has two dots together; all metrics (%d) are left out"),
  NAME_EMPTY(Loss.RECORD, NAME_THE_METRIC, "the name is empty"),
  NAME_CHARACTERS(
      Loss.RECORD,
      NAME_THE_METRIC,
      "the name \"%s\" has characters other than letters, digits, \"_\" and \".\""),
  NAME_DOTS(
      Loss.RECORD,
      NAME_THE_METRIC,
      "the name \"%s\" begins or ends with a dot or has two dots together"),
  ITEM(Loss.RECORD, "give the metric an item from 0 to 1023", "item %s of %s is over %d"),
  ITEM_TAKEN(
      Loss.RECORD,
      "give each metric of the application an item of its own",
      "item %d of %s is already that of metric[%d]"),
  NO_INSTANCE_DOMAIN(
      Loss.RECORD,
      "write the instance domain into the file, or give the metric the serial 0 for none",
      "instance domain %s is not in the file"),
  VALUE_OF_NO_METRIC(Loss.RECORD, WRITER, "metric offset %s is that of no metric"),
  VALUE_OF_NO_INSTANCE(Loss.RECORD, WRITER, "instance offset %s is that of no instance"),
  NAMES_CUT(
      Loss.HINT,
      "give the metrics names that differ in the first 63 bytes, or write version 2 of the format",
      "the name %s, of which version 1 keeps 63 bytes, is also that of metric[%d]"),
  UNITS(
      Loss.HINT,
      "set the units with the constants of pmLookupDesc(3)",
      "no version of PCP knows the units %s (%08x)"),
  INSTANCE_NAME(
      Loss.HINT,
      "give each instance of an instance domain a name of its own",
      "the name \"%s\" is also that of another instance of the instance domain"),
  LABEL_NAME(Loss.LABEL, "name labels with letters, digits and \"_\"", "%s"),
  LABEL_OF_LATER_PCP(
      Loss.LABEL_RECORD,
      "let names of labels begin with a letter, or install PCP 7.2",
      "a name of a label that PCP serves from version 7.2 on"),
  LABEL(Loss.RECORD, "write labels as pmLookupLabels(3) defines them, at most 244 bytes", "%s"),

  // ---------------------------------------------------------------- hints of jmmv check

  NO_HELP(Loss.HINT, "add a help text that says what the value means", "%s has no help text"),
  NO_UNITS(Loss.HINT, "set units, for example a count of 1", "%s has no units"),
  FLOAT_IN_DOUBLE(
      Loss.HINT,
      "store a double, or give the metric the type FLOAT",
      "the value %2$s of %1$s, a DOUBLE, is denormal: a float was probably stored"),
  ELAPSED_TIME(
      Loss.HINT,
      "add up microseconds, and store minus the time of day only as the start of a section",
      "the elapsed time %2$s of %1$s is negative, or longer than 31 years"),
  COUNTER_DECREASED(
      Loss.HINT,
      "let the counter only increase, or give the metric the semantics instant",
      "the counter %s went from %s to %s"),
  WRITER_ENDED(
      Loss.HINT,
      "start the application again, or remove the file; a file with the PROCESS flag is served only"
          + " while its application runs, and stale in jmmv.toml(5) withdraws others",
      "its application has ended (process %d, last written %s), but it is served: it has no PROCESS flag"),
  SAME_IN_PROMETHEUS(
      Loss.HINT,
      "give the metrics names that differ in more than dots and underscores",
      "the names %s and %s are one name in Prometheus, which has no dots"),
  LABEL_IN_PROMETHEUS(
      Loss.HINT,
      "name labels with letters, digits and \"_\", and without \"__\" at the beginning",
      "the label %s has to get another name in Prometheus"),

  // ---------------------------------------------------------------- opening and reading

  DENIED(
      Loss.FILE,
      "let the agent's user, usually pcp, read the file, for example with chmod a+r",
      "can't be opened: Permission denied (%s)"),
  UNREADABLE(Loss.FILE, "see to it that the file can be opened", "can't be opened: %s"),
  TOO_LARGE(Loss.FILE, RAISE, "can't be opened: %s"),
  READ_IN_PART(
      Loss.OTHER_ENTRIES,
      "give the tool a larger heap: JMMV_JAVA_OPTS=-Xmx4g",
      "its metadata needs more than %d MiB, an eighth of the heap; only a part of it is shown"),
  READER_ERROR(Loss.FILE, "report it to the authors of jmmv", "can't be read: %s"),
  TRUNCATED(Loss.FILE, DO_NOT_TRUNCATE, "truncated while it was read"),
  UNREADABLE_PAGE(
      Loss.FILE,
      "make room on its file system; if that is not full, check the disk",
      "a page of it can't be read: it is a hole in the file and the file system is full, or the disk"
          + " fails"),
  VALUES_TRUNCATED(Loss.FILE, DO_NOT_TRUNCATE, "truncated while its values were read"),

  // ---------------------------------------------------------------- unfinished files

  TOO_SHORT(Loss.FILE, WAIT, "not an MMV file: it has %d bytes, a header has %d"),
  IN_FLUX(Loss.FILE, WAIT, "in flux: its generations are %s and %s, but must be equal and not 0"),
  UNWRITTEN(Loss.FILE, WAIT, NUL_BYTES.text),
  STAYS_TOO_SHORT(Loss.FILE, WAIT, TOO_SHORT.text + "; or " + NOT_FINISHED),
  STAYS_IN_FLUX(
      Loss.FILE,
      WAIT,
      NOT_FINISHED + ": its generations are %s and %s, but must be equal and not 0"),
  STAYS_UNWRITTEN(Loss.FILE, WAIT, NUL_BYTES.text + "; or " + NOT_FINISHED),
  NO_GENERATION(Loss.FILE, GENERATION, "in flux: its generations are 0"),
  STAYS_WITHOUT_GENERATION(
      Loss.FILE,
      GENERATION,
      "its generations are 0: "
          + NOT_FINISHED
          + ", or the clock from which it takes them was at 1970, or it sets none"),

  // ---------------------------------------------------------------- limits

  OVER_LIMIT(Loss.FILE, RAISE, "over %s"),
  ROOM_NEEDED(Loss.FILE, RAISE, "files of other users need room within %s"),

  // ---------------------------------------------------------------- conflicts between files

  NAME_TAKEN(Loss.RECORD, NAME_METRICS_APART, "the name %s is taken by %s"),
  NAME_CONFLICTS(Loss.NAME, NAME_METRICS_APART, "the name %s conflicts with %s of %s"),
  SHARED_PMID(
      Loss.VALUES,
      "give each application a cluster of its own, or 0 for one that the agent assigns",
      "its PMID %s is also that of %s of file %s, from which it differs in %s"),
  CLUSTER_LOST(
      Loss.NOTHING,
      "ask for a cluster in the application, so that its PMIDs never change",
      "its cluster %d is now that of file %s, whose header asks for it; another one is assigned to"
          + " this file, so that its PMIDs change"),

  // ---------------------------------------------------------------- directories

  DIRECTORY_DENIED(
      Loss.DIRECTORY,
      "let the agent's user, usually pcp, read and search the directory, for example with chmod"
          + " a+rx, and search those above it",
      "the directory can't be read: Permission denied (%s)"),
  DIRECTORY_UNREADABLE(
      Loss.DIRECTORY,
      "create the directory for the applications, mount it again if it was made anew (restart the"
          + " container), or correct its path in jmmv.toml(5)",
      "the directory can't be read: %s"),
  DIRECTORY_UNAVAILABLE(
      Loss.NOTHING,
      "give the agent more descriptors or memory",
      "the directory can't be read: %s, new files are not served yet"),
  DIRECTORY_READABLE(Loss.NOTHING, "nothing", "the directory can be read again"),
  CROWDED(
      Loss.NOTHING,
      "remove entries that are not needed",
      "more than %d entries in the directory, so that new files are found late"),

  // ---------------------------------------------------------------- entries that are not served

  NOT_READ_YET(Loss.ENTRY, RAISE, "not read yet"),
  BEING_WRITTEN(Loss.ENTRY, WAIT, "its application is writing it: its generations differ or are 0"),
  NO_HEADER_YET(
      Loss.ENTRY, WAIT, "too short for a header; its application may be about to write it"),
  REMOVED(Loss.ENTRY, "nothing, or restart its application", "it was removed"),
  PROCESS_ENDED(
      Loss.ENTRY,
      "start the application again; jmmv clean removes the file if it is not needed",
      "it has the PROCESS flag, and its process %d has ended"),
  STALE(
      Loss.ENTRY,
      "start the application again; jmmv clean --stale=TIME removes the file if it is not needed",
      "no process has it open for writing, last written %s"),
  HIDDEN(Loss.ENTRY, "rename the file", "its name begins with a dot"),
  EXCLUDED(
      Loss.ENTRY, "change include or exclude: see jmmv.toml(5)", "the settings exclude its name"),
  DIRECTORY(Loss.ENTRY, REMOVE, "a directory, or a symbolic link to one, not a regular file"),
  FIFO(Loss.ENTRY, REMOVE, "a FIFO, or a symbolic link to one, not a regular file"),
  SOCKET(Loss.ENTRY, REMOVE, "a socket, or a symbolic link to one, not a regular file"),
  DEVICE(Loss.ENTRY, REMOVE, "a device, or a symbolic link to one, not a regular file"),
  DANGLING(Loss.ENTRY, REMOVE, "a symbolic link whose target does not exist or can't be reached");

  /** How much a fault matters. */
  public enum Severity {
    /** Nothing is wrong with the entry, but it is not served. It is not logged as a fault. */
    INFO,

    /** All of it is served, but probably not as its author wants it. */
    HINT,

    /** A part is not served, or will not be as before. */
    WARNING,

    /** Nothing of the file or directory is served. */
    ERROR
  }

  /** What to do about several kinds, and the words that they share. */
  static final class Advice {
    static final String NOT_FINISHED = "its application has not finished writing it (waited 5 s)";

    static final String WAIT =
        "check again in a few seconds; if that does not help, the application has ended while it"
            + " wrote the file: restart it";

    static final String GENERATION =
        "if the application still writes the file, wait; otherwise set the clock, or let the program"
            + " that writes the file set a generation other than 0, and write the file again";

    static final String WRITER =
        "the library that writes the file is wrong, or something has overwritten the file: restart"
            + " the application; if the fault returns, report it to the library's authors";

    static final String REMOVE = "remove it from the directory";

    static final String FEWER = "let the application write fewer entries, or several files";

    static final String RAISE =
        "remove files that are not needed, or raise the limit: see LIMITS in jmmv.toml(5)";

    static final String NAME_THE_METRIC =
        "give the metric a name of letters, digits, \"_\" and \".\"";

    static final String NAME_METRICS_APART =
        "give the metrics different names, none of which begins with another one and a dot";

    static final String DO_NOT_TRUNCATE =
        "check again; nothing may truncate the file of a running application";

    private Advice() {}
  }

  private final Loss loss;
  private final String advice;
  private final String text;

  FaultKind(Loss loss, String advice, String text) {
    this.loss = loss;
    this.advice = advice;
    this.text = text;
  }

  /** Returns a name for programs, for example {@code section-beyond-file}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  boolean leavesOut() {
    return loss != Loss.HINT && loss != Loss.VALUES;
  }

  /** Returns how much faults of this kind matter. */
  public Severity severity() {
    return switch (loss) {
      case ENTRY -> Severity.INFO;
      case HINT -> Severity.HINT;
      case FILE, DIRECTORY -> Severity.ERROR;
      default -> Severity.WARNING;
    };
  }

  /** Returns whether it depends on the other files that there are. */
  public boolean isConflict() {
    return this == NAME_TAKEN || this == NAME_CONFLICTS || this == SHARED_PMID;
  }

  /** Returns whether the application may not have finished writing the file. */
  public boolean isUnfinished() {
    return this == TOO_SHORT || this == IN_FLUX || this == UNWRITTEN || this == NO_GENERATION;
  }

  /** Returns the kind of a file that stays {@linkplain #isUnfinished unfinished} for 5 s. */
  FaultKind afterWaiting() {
    return switch (this) {
      case TOO_SHORT -> STAYS_TOO_SHORT;
      case IN_FLUX -> STAYS_IN_FLUX;
      case UNWRITTEN -> STAYS_UNWRITTEN;
      case NO_GENERATION -> STAYS_WITHOUT_GENERATION;
      default -> throw new IllegalStateException(name());
    };
  }

  Loss loss() {
    return loss;
  }

  /** Returns what to do. */
  public String advice() {
    return advice;
  }

  /** Returns what is wrong; bytes of files in the arguments are escaped. */
  String problem(List<Object> arguments) {
    return text.formatted(
        arguments.stream()
            .map(argument -> argument instanceof Number ? argument : printable("" + argument))
            .toArray());
  }
}
