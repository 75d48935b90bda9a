package org.jmmv.reader.watch;

import java.util.List;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.fault.Fault;

/**
 * What has changed. The lists of files are in the order of {@link org.jmmv.reader.fault.FileName}.
 *
 * @param withdrawn files that are no longer served; their values can be read until the next {@link
 *     DirectoryWatcher#poll}
 * @param loaded files that are served from now on. A file that was rewritten is in both lists, as
 *     two objects. Its faults are to be {@linkplain DirectoryWatcher#record recorded}
 * @param faults faults of files that are not served, and of directories, which were not published
 *     before
 * @param records an estimate of the work of merging the change, in records
 * @param hasMore whether there is more to do, and time for it
 */
public record Change(
    List<MmvFile> withdrawn,
    List<MmvFile> loaded,
    List<Fault> faults,
    int records,
    boolean hasMore) {
  /** Nothing has changed. */
  static final Change NONE = new Change(List.of(), List.of(), List.of(), 0, false);

  /** Returns whether the set of files has changed. */
  public boolean hasFiles() {
    return !withdrawn.isEmpty() || !loaded.isEmpty();
  }
}
