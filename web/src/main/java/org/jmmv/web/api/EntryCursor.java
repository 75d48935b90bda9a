package org.jmmv.web.api;

import java.util.List;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogEntry;
import org.jmmv.core.Scope;
import org.jmmv.pcp.HeapSize;
import org.jmmv.reader.fault.FileName;

/** A way through the entries of all directories, in the order of their names, in steps. */
final class EntryCursor {
  /** Entries of a step: what is served of each is counted anew when names have changed. */
  private static final int STEP = 16;

  private final Catalog catalog;
  private boolean hasLookedForFiles;
  private FileName last; // null: at the beginning

  EntryCursor(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Goes back to the beginning. */
  void restart() {
    last = null;
  }

  /** Begins a request, and returns the next entries; none: there are no more. */
  List<CatalogEntry> next() {
    Scope scope = hasLookedForFiles ? new Scope.OfNone() : new Scope.OfAll();
    hasLookedForFiles = true;
    List<CatalogEntry> entries = catalog.begin(scope).entries(last, STEP);
    last = entries.isEmpty() ? last : entries.getLast().status().name();
    return entries;
  }

  long bytes() {
    return last == null ? 0 : HeapSize.of(last.name()) + HeapSize.of(last.directory());
  }
}
