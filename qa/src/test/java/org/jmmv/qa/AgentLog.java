package org.jmmv.qa;

import java.util.regex.Pattern;

/** The agent's log. */
final class AgentLog {
  /** The line about what is served, with which a log begins. */
  private static final Pattern START =
      Pattern.compile(
          "^\\[.{19}\\] pmdajmmv\\(\\d+\\) Info: version .+: \\d+ metrics? of \\d+ files? in .+ are"
              + " served(; other files are still being read)?\\n",
          Pattern.MULTILINE);

  /** What is logged if files share a cluster but not their metrics, as those of many tests do. */
  private static final Pattern SHARED =
      Pattern.compile(
          "^\\[.{19}\\] pmdajmmv\\(\\d+\\) Warning: .* is also that of \\S+ of file .*\\n",
          Pattern.MULTILINE);

  private AgentLog() {}

  /**
   * Returns a log without the lines that each start writes, and those about files that share PMIDs:
   * empty if there are no problems.
   */
  static String problems(String log) {
    return SHARED.matcher(START.matcher(log).replaceAll("")).replaceAll("");
  }
}
