package org.jmmv.core;

import java.util.HashMap;
import java.util.Map;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InstanceTable;

/**
 * The indexes of the selected instances in the tables that a request reads. They are determined
 * once, as long as the selection is the same: thousands of metrics may share a large instance
 * domain, a client may request a metric thousands of times, and a request may take many turns.
 */
public final class Selections {
  /** The indexes of a selection, which never changes. */
  private static final class Determined {
    final InstanceFilter.Selection selection;
    final int[] indexes;

    Determined(InstanceFilter.Selection selection, InstanceTable table) {
      this.selection = selection;
      indexes = selection.indexes(table);
    }

    long bytes() {
      long own = HeapSize.ofHashEntry() + HeapSize.ofObject(2, 0);
      return own + selection.bytes() + HeapSize.ofInts(indexes.length);
    }
  }

  private final Map<Object, Determined> byTable = new HashMap<>(); // by its identity
  private long version;
  private long bytes;

  /** Creates an object for one request. */
  public Selections() {}

  /** Forgets the tables of former files, if the catalogue has changed since the last turn. */
  void begin(long catalogVersion) {
    if (catalogVersion != version) {
      version = catalogVersion;
      byTable.clear();
      bytes = 0;
    }
  }

  int[] of(InstanceFilter.Selection selection, InstanceTable table) {
    Determined last = byTable.get(table.identity());
    if (last != null && last.selection.equals(selection)) { // the same object
      return last.indexes;
    }
    Determined next = new Determined(selection, table);
    byTable.put(table.identity(), next);
    bytes += next.bytes() - (last == null ? 0 : last.bytes());
    return next.indexes;
  }

  /** Returns what it takes in the heap, in bytes. */
  public long bytes() {
    return HeapSize.ofObject(1, 2 * Long.BYTES) + bytes;
  }
}
