package org.jmmv.core;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jmmv.core.InDomAllocator.Origin;
import org.jmmv.reader.fault.FileName;

/**
 * Numbers that are assigned to files.
 *
 * @param clusters clusters by {@link FileName}; files that no longer exist come first, those that
 *     were removed the longest ago before others
 * @param inDoms serials of InDoms
 */
record Numbers(SequencedMap<String, Integer> clusters, Map<Origin, Integer> inDoms) {
  /** Stands, in changes, for the number of a file or an InDom that has none any more. */
  static final int NO_NUMBER = -1;

  static Numbers none() {
    return new Numbers(new LinkedHashMap<>(), Map.of());
  }

  int count() {
    return clusters.size() + inDoms.size();
  }

  /** Returns what has changed since others, for {@link #with}. */
  Numbers changesSince(Numbers before) {
    return new Numbers(changes(before.clusters, clusters), changes(before.inDoms, inDoms));
  }

  /** Returns these numbers with changes, which come last. */
  Numbers with(Numbers changes) {
    return new Numbers(with(clusters, changes.clusters), with(inDoms, changes.inDoms));
  }

  private static <T> SequencedMap<T, Integer> changes(
      Map<T, Integer> before, Map<T, Integer> after) {
    SequencedMap<T, Integer> changes = new LinkedHashMap<>();
    before.keySet().stream()
        .filter(key -> !after.containsKey(key))
        .forEach(key -> changes.put(key, NO_NUMBER));
    after.forEach((key, number) -> {
      if (!number.equals(before.get(key))) {
        changes.put(key, number);
      }
    });
    return changes;
  }

  private static <T> SequencedMap<T, Integer> with(
      Map<T, Integer> before, Map<T, Integer> changes) {
    SequencedMap<T, Integer> after = new LinkedHashMap<>(before);
    changes.forEach((key, number) -> {
      after.remove(key);
      if (number != NO_NUMBER) {
        after.put(key, number);
      }
    });
    return after;
  }
}
