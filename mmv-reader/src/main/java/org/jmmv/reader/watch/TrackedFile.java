package org.jmmv.reader.watch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.Instant;
import java.util.List;
import org.jmmv.pcp.User;
import org.jmmv.posix.FileStatus;
import org.jmmv.reader.fault.FileName;

/** A regular file in a directory, and its state. */
final class TrackedFile {
  /**
   * The names that a user has given a file. Nobody else's links keep a file from being served under
   * its own name.
   *
   * @param owner of the directory entries
   */
  record Names(FileId file, User owner) {}

  final WatchedDirectory directory;
  final FileName name;
  final byte[] bytes; // of the name in the directory

  /** What is known about the file's application. */
  final Presence presence;

  /** The file's faults. */
  final FaultBook.Page page = new FaultBook.Page();

  /** The file's status when it was last examined; null has the next scan find it changed. */
  FileStatus status;

  /** When the file was last written, as of its last examination; null if there was none. */
  Instant modified;

  /** Whether the file is to be read again although it has not changed. */
  boolean isToReload;

  // kept by KnownFiles
  long scan; // number of the last scan that has found the file
  int place; // index in the order of that scan
  boolean isRemoved; // whether a scan has found that the file was removed

  // kept by Backlog
  FileId file; // what the name stood for when it was added
  Owner owner; // of the directory entry, which for a symbolic link is that of the link
  boolean isWaiting;
  long work; // an estimate of the time for examining the file
  long turn; // when it is this file's turn among those of its owner

  // kept by Loader
  long loads; // how often the file was read
  Retry rest; // when the file may be examined again, because that took long; otherwise null

  Names names; // kept by Ledger: those that this one counts among; null: it is not mapped
  private LoadState state = new LoadState.Waiting();
  private long servedInode;

  TrackedFile(WatchedDirectory directory, FileName name) {
    this.directory = directory;
    this.name = name;
    bytes = name.name().getBytes(ISO_8859_1);
    presence = new Presence(directory);
  }

  LoadState state() {
    return state;
  }

  boolean isServed() {
    return state instanceof LoadState.Served;
  }

  /** Enters a state. Called by {@link Ledger#transition} only, which keeps the books. */
  void enter(LoadState next) {
    state = next;
    servedInode = isServed() ? status.inode() : 0;
  }

  /**
   * Returns the inode number of the file if it is served, otherwise 0. It is copied from the
   * status, because a scan compares it with every directory entry.
   */
  long servedInode() {
    return servedInode;
  }

  /** Makes the next scan find the file changed, and has it read although it may be the same. */
  void invalidate() {
    status = null;
    servedInode = 0;
    isToReload = true;
  }

  /** Returns the current status of the file, or null if it does not exist. */
  FileStatus currentStatus() {
    return directory.posix.status(name.name());
  }

  /** Returns whether the size or a time of a file has changed, unless it is examined anyway. */
  boolean hasOtherStatus() {
    return !isWaiting && !directory.posix.hasStatus(name.name(), status);
  }

  /** Returns the faults that the file has in its state. */
  List<CountedFault> faults() {
    if (isServed()) {
      return page.faults();
    }
    return state.fault() == null ? List.of() : List.of(page.counted(state.fault()));
  }
}
