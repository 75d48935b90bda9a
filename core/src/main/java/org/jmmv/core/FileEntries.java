package org.jmmv.core;

import java.util.List;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.watch.DirectoryEntries;
import org.jmmv.reader.watch.EntryStatus;

/** The entries of the directories, and what is served of each. */
final class FileEntries {
  private final DirectoryEntries directories;
  private final FileMerger merger;
  private final NameTree names;

  /** Creates a look at the directories, the files that are served, and their names. */
  FileEntries(DirectoryEntries directories, FileMerger merger, NameTree names) {
    this.directories = directories;
    this.merger = merger;
    this.names = names;
  }

  /** Returns the names of the entries, see {@link CatalogEntry#MAX_LISTED}. */
  List<FileName> names() {
    return directories.names(CatalogEntry.MAX_LISTED);
  }

  /** Returns an entry, see {@link DirectoryEntries#status}. */
  CatalogEntry entry(FileName name) {
    return entry(directories.status(name));
  }

  /**
   * Returns a number that grows when the names of the entries, or their order, may have changed.
   */
  long version() {
    return directories.version();
  }

  /** Returns the next entries, see {@link DirectoryEntries#statuses(FileName, int)}. */
  List<CatalogEntry> next(FileName after, int max) {
    return directories.statuses(after, max).stream().map(this::entry).toList();
  }

  private CatalogEntry entry(EntryStatus status) {
    return new CatalogEntry(status, served(status), names, merger::conflicts);
  }

  /** Returns the file of a status, or null if it is not served. */
  private ServedFile served(EntryStatus status) {
    ServedFile file = status.file() == null ? null : merger.files().get(status.name());
    return file != null && file.file == status.file() ? file : null;
  }
}
