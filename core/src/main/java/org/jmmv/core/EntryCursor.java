package org.jmmv.core;

import java.util.List;
import org.jmmv.pcp.HeapSize;
import org.jmmv.reader.fault.FileName;

/** A way through the entries of all directories, in the order of their names, in steps. */
public final class EntryCursor {
  /** Entries of a step: what is served of each is counted anew when names have changed. */
  private static final int STEP = 16;

  private final Catalog catalog;
  private Scope scope; // of the next request
  private FileName last; // null: at the beginning

  /**
   * Creates a cursor.
   *
   * @param first the scope of the request of the first step; that of the others is {@link
   *     Scope.OfNone}
   */
  public EntryCursor(Catalog catalog, Scope first) {
    this.catalog = catalog;
    scope = first;
  }

  /** Goes back to the beginning. */
  public void restart() {
    last = null;
  }

  /** Begins a request, and returns the next entries; none: there are no more. */
  public List<CatalogEntry> next() {
    List<CatalogEntry> entries = catalog.begin(scope).entries(last, STEP);
    scope = new Scope.OfNone();
    last = entries.isEmpty() ? last : entries.getLast().name();
    return entries;
  }

  /** Returns what is kept, in bytes. */
  public long bytes() {
    return last == null ? 0 : HeapSize.of(last.name()) + HeapSize.of(last.directory());
  }
}
