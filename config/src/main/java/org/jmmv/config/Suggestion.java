package org.jmmv.config;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds what a mistyped word was meant to be. */
final class Suggestion {
  private Suggestion() {}

  /**
   * Returns the known word that differs least from another word; empty if all differ in more than
   * half of its letters.
   */
  static Optional<String> nearest(String word, List<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(other -> distance(word, other)))
        .filter(other -> distance(word, other) <= word.length() / 2);
  }

  /** Returns how many letters have to be added, removed or replaced (Levenshtein, 1965). */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
