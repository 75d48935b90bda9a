package org.jmmv.reader;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jmmv.posix.PosixDirectory;

/** One of {@link MmvDirectories}: its settings and the files that scans have found in it. */
public final class MmvDirectory {
  final Path path;
  final long rank; // orders the directories; 0 for the first
  final FaultBook.Page page = new FaultBook.Page();
  final String name; // the path, one char per byte
  final PosixDirectory posix;
  final DirectoryScan scan;
  final SkippedEntries skipped;
  private DirectorySettings settings;

  /**
   * Creates an object for a directory, which need not exist. Nothing is read.
   *
   * @param rank as in {@link FileName}
   * @param listingTime the time for listing skipped entries, of all directories
   * @param changed receives each file that a scan finds to be new or changed
   */
  MmvDirectory(
      Path path,
      long rank,
      TimeCredit listingTime,
      LongSupplier nanoTime,
      Consumer<TrackedFile> changed) {
    this.path = path;
    this.rank = rank;
    name = nameOf(path);
    posix = new PosixDirectory(path);
    scan = new DirectoryScan(this, nanoTime, changed);
    skipped = new SkippedEntries(this, listingTime, nanoTime);
  }

  /**
   * Sets what may change while the directory is served.
   *
   * @param maxEntries the maximum number of entries that are read at once, and of known files
   */
  void set(DirectorySettings settings, int maxEntries) {
    this.settings = settings;
    scan.setMaxEntries(maxEntries);
    skipped.setMaxEntries(maxEntries);
  }

  /** Returns what the administrator has set for the directory. */
  public DirectorySettings settings() {
    return settings;
  }

  /** Returns the path. */
  public Path path() {
    return path;
  }

  /** Returns a path as in a {@link FileName}, one char per byte. */
  public static String nameOf(Path path) {
    return new String(PosixDirectory.bytes(path), ISO_8859_1);
  }

  List<TrackedFile> trackedFiles() {
    return scan.trackedFiles();
  }

  /** Returns the entries that are skipped, see {@link SkippedEntries}. */
  List<EntryStatus> skipped() {
    return skipped.list(file -> scan.tracked(file) != null).stream()
        .filter(status -> scan.tracked(status.name().name()) == null) // found since that listing
        .toList();
  }

  /** Returns what identifies a file of this directory; for an empty name, the directory itself. */
  FileName named(String file) {
    return new FileName(rank, name, file);
  }
}
