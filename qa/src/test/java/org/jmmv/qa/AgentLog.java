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

  private AgentLog() {}

  /** Returns a log without the lines that each start writes: empty if there are no problems. */
  static String problems(String log) {
    return START.matcher(log).replaceAll("");
  }
}
