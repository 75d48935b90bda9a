package org.jmmv.core;

import java.util.HashMap;
import java.util.Map;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InstanceTable;

/**
 * The indexes of the selected instances in the tables that a request reads. They are determined
 * once: thousands of metrics may share a large instance domain, a client may request a metric
 * thousands of times, and a request may take many turns.
 */
public final class Selections {
  /** What indexes depend on. Both are compared by identity: neither ever changes. */
  private record Selected(InstanceFilter.Selection selection, Object table) {}

  private final Map<Selected, int[]> indexes = new HashMap<>();
  private long version;
  private long bytes;

  /** Creates an object for one request. */
  public Selections() {}

  /** Forgets the tables of former files, if the catalogue has changed since the last turn. */
  void begin(long catalogVersion) {
    if (catalogVersion != version) {
      version = catalogVersion;
      indexes.clear();
      bytes = 0;
    }
  }

  int[] of(InstanceFilter.Selection selection, InstanceTable table) {
    if (selection.isOfOneStep()) {
      return selection.indexes(table);
    }
    return indexes.computeIfAbsent(
        new Selected(selection, table.identity()),
        _ -> {
          int[] determined = selection.indexes(table);
          bytes += HeapSize.ofHashEntry() + HeapSize.ofObject(3, 0) + selection.bytes();
          bytes += HeapSize.ofInts(determined.length);
          return determined;
        });
  }

  /** Returns what it takes in the heap, in bytes. */
  public long bytes() {
    return HeapSize.ofObject(1, 2 * Long.BYTES) + bytes;
  }
}
