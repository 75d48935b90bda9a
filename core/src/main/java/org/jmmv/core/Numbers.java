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
  static Numbers none() {
    return new Numbers(new LinkedHashMap<>(), Map.of());
  }

  int count() {
    return clusters.size() + inDoms.size();
  }
}
