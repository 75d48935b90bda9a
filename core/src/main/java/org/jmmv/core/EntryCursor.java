package org.jmmv.core;

import java.util.List;
import org.jmmv.pcp.HeapSize;
import org.jmmv.reader.fault.FileName;

/** A way through the entries of all directories, in the order of their names, in steps. */
public final class EntryCursor {
  /**
   * How many entries are looked up at once: each look-up sorts the names of all skipped entries, up
   * to 1,000 of a directory. One by one, 19,000 entries took 8 s, not 0.5 s.
   */
  private static final int BATCH = 16;

  private Scope scope; // of the next request
  private FileName last; // null: at the beginning

  /**
   * Creates a cursor.
   *
   * @param first the scope of the request of the first step; that of the others is {@link
   *     Scope.NoFiles}
   */
  public EntryCursor(Scope first) {
    scope = first;
  }

  /** Receives entries. */
  @FunctionalInterface
  public interface Receiver<E extends Exception> {
    /** Takes an entry. Returns whether it takes another one in this step. */
    boolean take(CatalogEntry entry) throws E;
  }

  /** Goes back to the beginning. */
  public void restart() {
    last = null;
  }

  /**
   * Begins a request, and passes some of the next entries to a receiver, until the turn is over: to
   * ask for what is served of an entry may take some milliseconds, as its names are then counted.
   *
   * @return whether there may be more
   */
  public <E extends Exception> boolean goOn(Catalog catalog, Turn turn, Receiver<E> receiver)
      throws E {
    View view = catalog.begin(scope);
    List<CatalogEntry> entries = view.entries(last, BATCH);
    scope = new Scope.NoFiles();
    for (CatalogEntry entry : entries) {
      last = entry.name();
      if (!receiver.take(entry) || view.isOver(turn)) {
        return true;
      }
    }
    return !entries.isEmpty();
  }

  /** Returns what is kept, in bytes. */
  public long bytes() {
    return last == null ? 0 : HeapSize.of(last.name()) + HeapSize.of(last.directory());
  }
}
