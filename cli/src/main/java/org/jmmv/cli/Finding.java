package org.jmmv.cli;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jmmv.reader.MmvFault;

/**
 * A fault of a file with its consequences, for {@code jmmv check}. All texts are printable ASCII.
 *
 * @param entry the faulty record as in the agent's log, for example "metric[3]"; empty for the file
 *     as a whole
 * @param offset the record's offset in bytes from the start of the file
 * @param problem what is wrong
 * @param loss what is not served
 * @param advice what to do
 * @param more the number of further faults of the same kind in the file
 */
record Finding(String entry, long offset, String problem, String loss, String advice, int more) {
  private static final String NOTHING_SERVED = "no metrics of the file are served";

  private static final Pattern ENTRY = Pattern.compile("(\\w+)\\[(\\d+)]");

  /** The sections of mmv(5) by the records that faults name. */
  private static final Map<String, String> SECTIONS =
      Map.of(
          "header", "header",
          "TOC", "TOC",
          "indom", "INDOMS",
          "instance", "INSTANCES",
          "metric", "METRICS",
          "value", "VALUES",
          "label", "LABELS");

  /** What the end of a fault's reason says about the loss. */
  private static final Pattern LOSS =
      Pattern.compile(
          "\\. No metrics of it are served\\.$|, (section ignored|help left out|left out"
              + "|served only by its PMID|no files)$");

  private static final String IN_FLUX =
      "check again in a few seconds; if that does not help, the application has ended while it wrote"
          + " the file: restart it";

  private static final String WRITER =
      "the library that writes the file is wrong, or something has overwritten the file: restart the"
          + " application; if the fault returns, report it to the library's authors";

  /**
   * What to do about a problem.
   *
   * @param problem a pattern for a part of the problem
   */
  private record Advice(Pattern problem, String text) {
    static Advice of(String problem, String text) {
      return new Advice(Pattern.compile(problem), text);
    }
  }

  /** The first that matches counts. */
  private static final List<Advice> ADVICE =
      List.of(
          Advice.of("^in flux|has not finished writing it", IN_FLUX),
          Advice.of("^not an MMV file|regular file$|symbolic link", "remove it from the directory"),
          Advice.of("^version", "use a library that writes one of these versions, or a newer jmmv"),
          Advice.of(
              "^cluster -?\\d+ is not in", "give the application a cluster from 1 to 4095, or 0"),
          Advice.of(
              "^can't be opened: Permission denied",
              "let the agent's user, usually pcp, read the file"),
          Advice.of(
              "--max-|need room within|^over a limit|^not read yet",
              "remove files that are not needed, or raise the limit of the agent: see pmdajmmv(1)"),
          Advice.of(
              "^the directory can't be read: Permission denied",
              "let the agent's user, usually pcp, read and search the directory, and search those"
                  + " above it"),
          Advice.of(
              "^the directory can't be read",
              "create the directory for the applications, or correct its path in jmmv.toml(5)"),
          Advice.of("^can't be opened", "see to it that the file can be opened"),
          Advice.of(
              "^truncated", "check again; nothing may truncate the file of a running application"),
          Advice.of("^\\d+ other names", "remove links to the file"),
          Advice.of("^all clusters", "remove files that are not needed; there are 4095 clusters"),
          Advice.of(
              "its process .*has ended$",
              "start the application again; jmmv clean removes the file if it is not needed"),
          Advice.of("^its name begins", "rename the file"),
          Advice.of("^the settings exclude", "change include or exclude: see jmmv.toml(5)"),
          Advice.of(
              "^the file's name can't", "rename the file, or write it with the NOPREFIX flag"),
          Advice.of(
              "^the name .* has characters|^the name is empty",
              "give the metric a name of letters, digits, \"_\" and \".\""),
          Advice.of("^item .* is over", "give the metric an item from 0 to 1023"),
          Advice.of(
              "^item .* is already", "give each metric of the application an item of its own"),
          Advice.of(
              "^the name .* (is taken|conflicts)",
              "give the metrics different names, none of which begins with another one and a dot"),
          Advice.of(
              "^its cluster .* is now that of",
              "ask for a cluster in the application, so that its PMIDs never change"),
          Advice.of("^serial", "give the instance domain a serial from 1 to 4194303"),
          Advice.of(
              "of the JSON text$",
              "write labels as pmLookupLabels(3) defines them, at most 244 bytes"),
          Advice.of(
              "at most \\d+ (are|of a file are) served|no more are served|at most 256 are read",
              "let the application write fewer entries, or several files"),
          Advice.of("", WRITER));

  /** Returns the finding for a fault. */
  static Finding of(MmvFault fault) {
    String reason = fault.reason();
    Matcher loss = LOSS.matcher(reason);
    boolean saysLoss = loss.find();
    String problem = saysLoss ? reason.substring(0, loss.start()) : reason;
    return new Finding(
        fault.entry(),
        fault.offset(),
        problem,
        saysLoss ? loss(fault.entry(), loss.group(1)) : otherLoss(reason),
        advice(problem),
        fault.more());
  }

  /** Returns the finding for a directory entry of which nothing is served. */
  static Finding notServed(String problem) {
    return of(new MmvFault("", problem + ". No metrics of it are served."));
  }

  /** Returns the finding for a file that its application may not have finished writing. */
  static Finding unfinished(MmvFault fault) {
    return new Finding(
        fault.entry(), fault.offset(), fault.reason(), NOTHING_SERVED, IN_FLUX, fault.more());
  }

  private static String loss(String entry, String suffix) {
    return switch (suffix) {
      case null -> NOTHING_SERVED;
      case "section ignored" -> "all entries of the section";
      case "help left out" -> "the help text";
      case "left out" ->
          "the " + entry.replaceFirst("\\[.*", "").replace("indom", "instance domain");
      case "served only by its PMID" -> "the name; the metric is served only by its PMID";
      default -> "all files"; // of a directory
    };
  }

  private static String otherLoss(String reason) {
    return reason.contains("metrics are left out")
        ? "all metrics of the file"
        : reason.contains("table of contents") ? "the other entries" : "nothing";
  }

  private static String advice(String problem) {
    return ADVICE.stream()
        .filter(advice -> advice.problem.matcher(problem).find())
        .findFirst()
        .orElseThrow()
        .text;
  }

  /** Returns the section of mmv(5), for example "METRICS"; empty for the file as a whole. */
  String section() {
    return SECTIONS.getOrDefault(entry.replaceFirst("\\[.*", ""), "");
  }

  /** Returns the index of the entry in its section; -1 if the fault is not one of an entry. */
  int index() {
    Matcher matcher = ENTRY.matcher(entry);
    return matcher.matches() ? Integer.parseInt(matcher.group(2)) : -1;
  }
}
