package org.jmmv.web.api;

import java.util.Locale;
import org.jmmv.core.CatalogEntry;
import org.jmmv.reader.watch.FileState;

/** Whether all is well with an entry of a directory, in the order of {@link FilesBody}. */
enum FileHealth {
  /** The file is not served because something is wrong with it. */
  REFUSED,

  /** The file is served, but not all of it. */
  PARTLY,

  /** All of the file is served. */
  SERVED,

  /**
   * Not served, and nothing is wrong: not an MMV file by its name, or its application has ended.
   */
  IGNORED;

  /** Returns the health of an entry. */
  static FileHealth of(CatalogEntry entry) {
    if (entry.state() == FileState.SERVED) {
      return entry.isFaulty() ? PARTLY : SERVED;
    }
    return entry.isFaulty() || entry.state() == FileState.OVER_LIMIT ? REFUSED : IGNORED;
  }

  /** Returns whether somebody should look at the entry. */
  boolean isUnhealthy() {
    return this == PARTLY || this == REFUSED;
  }

  /** Returns the name for programs. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
