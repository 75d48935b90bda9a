package org.jmmv.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.watch.DirectoryEntries;
import org.jmmv.reader.watch.EntryStatus;
import org.jmmv.reader.watch.FileState;

/** The entries of the directories, and what is served of each. */
final class FileEntries {
  /**
   * The maximum number of entries of {@link #statuses}. Everybody can create millions of entries,
   * and a client gets some 300 bytes for each.
   */
  private static final int MAX_STATUSES = 20_000;

  private final DirectoryEntries directories;
  private final Map<FileName, ServedFile> files;
  private final NameTree names;

  /** Creates a look at the directories, the files that are served, and their names. */
  FileEntries(DirectoryEntries directories, Map<FileName, ServedFile> files, NameTree names) {
    this.directories = directories;
    this.files = files;
    this.names = names;
  }

  /** Returns the status of each entry, those of served files first, at most 20,000. */
  List<EntryStatus> statuses() {
    return directories.statuses(MAX_STATUSES);
  }

  /** Returns the same, with the skipped entries of the last call of {@link #statuses}. */
  List<EntryStatus> listed() {
    return directories.listed(MAX_STATUSES);
  }

  /**
   * Returns a number that grows when the names of the entries, or their order, may have changed.
   */
  long version() {
    return directories.version();
  }

  /** Returns all entries, served files first. */
  List<CatalogEntry> all() {
    return entries(directories.statuses(Integer.MAX_VALUE));
  }

  /** Returns the next entries, see {@link DirectoryEntries#statuses(FileName, int)}. */
  List<CatalogEntry> next(FileName after, int max) {
    return entries(directories.statuses(after, max));
  }

  private List<CatalogEntry> entries(List<EntryStatus> statuses) {
    List<CatalogEntry> entries = new ArrayList<>();
    for (EntryStatus status : statuses) {
      ServedFile file = served(status);
      entries.add(
          new CatalogEntry(
              status,
              state(status),
              file == null ? 0 : content(file).metrics(),
              file == null ? 0 : file.schema().metricEntries()));
    }
    return entries;
  }

  /** Returns the state, which for a file without a cluster is not that of the directory. */
  FileState state(EntryStatus status) {
    return status.file() != null && served(status) == null ? FileState.OVER_LIMIT : status.state();
  }

  /** Returns the file of a status, or null if it is not served. */
  ServedFile served(EntryStatus status) {
    ServedFile file = status.file() == null ? null : files.get(status.name());
    return file != null && file.file == status.file() ? file : null;
  }

  /** Returns what is served of a file. */
  ServedFile.Content content(ServedFile file) {
    return file.content(names);
  }
}
