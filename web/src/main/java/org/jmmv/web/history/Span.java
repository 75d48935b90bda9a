package org.jmmv.web.history;

/**
 * The rounds of a history at the time of the current one.
 *
 * @param round the current one
 * @param first the first one of which anything is kept
 * @param kept the first one of which everything is kept; before it, only lines are that somebody
 *     has asked for
 */
record Span(int round, int first, int kept) {
  /**
   * Returns the first round of which a line is kept.
   *
   * @param asked the round in which somebody last asked for the line
   */
  int firstOf(int asked) {
    return asked >= first ? first : kept;
  }
}
