package org.jmmv.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what a mistyped word was meant to be. */
final class Suggestion {
  private Suggestion() {}

  /**
   * Returns the known word that differs least from another word; empty if all differ in more than
   * half of its letters.
   */
  static Optional<String> nearest(String word, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(other -> distance(word, other)))
        .filter(other -> distance(word, other) <= word.length() / 2);
  }

  /**
   * Returns how many letters have to be added, removed or replaced, or exchanged with the next one
   * (Damerau, 1964; Levenshtein, 1965).
   */
  private static int distance(String from, String to) {
    int[][] distances = new int[from.length() + 1][to.length() + 1]; // of their beginnings
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        int least = i == 0 || j == 0 ? i + j : distances[i - 1][j - 1] + differ(from, i, to, j);
        if (i > 0 && j > 0) {
          least = Math.min(least, 1 + Math.min(distances[i - 1][j], distances[i][j - 1]));
        }
        if (i > 1 && j > 1 && differ(from, i, to, j - 1) + differ(from, i - 1, to, j) == 0) {
          least = Math.min(least, 1 + distances[i - 2][j - 2]);
        }
        distances[i][j] = least;
      }
    }
    return distances[from.length()][to.length()];
  }

  /** Returns 1 if the letters with these numbers differ, otherwise 0. */
  private static int differ(String from, int i, String to, int j) {
    return from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
  }
}
