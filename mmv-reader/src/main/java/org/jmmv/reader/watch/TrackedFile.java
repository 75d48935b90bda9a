package org.jmmv.reader.watch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import org.jmmv.pcp.User;
import org.jmmv.posix.FileStatus;
import org.jmmv.reader.MmvHeader;
import org.jmmv.reader.fault.FileName;

/**
 * A regular file in a directory, and its state. What only one class knows about it is in an object
 * or a map of that class.
 */
final class TrackedFile {
  final WatchedDirectory directory;
  final FileName name;
  final byte[] bytes; // of the name in the directory
  final Presence presence;
  final FaultBook.History history = new FaultBook.History();
  final KnownFiles.Mark mark = new KnownFiles.Mark();

  private User owner; // null: the file was never in the backlog
  private FileStatus status; // null: the file was not examined yet, or it was removed
  private long loads;
  private boolean wasServed; // in a former state
  private boolean isInvalid; // examined again, although its status may be the same
  private boolean isOutdated; // also read again, although its metadata may be the same
  private LoadState state = new LoadState.Waiting();

  TrackedFile(WatchedDirectory directory, FileName name) {
    this.directory = directory;
    this.name = name;
    bytes = name.name().getBytes(ISO_8859_1);
    presence = new Presence(directory);
  }

  /**
   * Returns the owner of the directory entry when the file was last to be examined. For a symbolic
   * link it is that of the link.
   */
  User owner() {
    return owner;
  }

  /** Called when the file is to be examined. */
  void setOwner(User next) {
    owner = next;
  }

  /** Returns the file's status when it was last examined; null if it was not, or was removed. */
  FileStatus status() {
    return status;
  }

  /** Called when the file was examined, and perhaps read. */
  void examined(FileStatus next, boolean isRead) {
    status = next;
    loads += isRead ? 1 : 0;
    isOutdated &= !isRead;
    isInvalid = isOutdated;
  }

  long loads() {
    return loads;
  }

  /** Returns whether the file is to be examined although its status may be the same as before. */
  boolean isInvalid() {
    return isInvalid;
  }

  /** Makes the next scan find the file changed. */
  void invalidate() {
    isInvalid = true;
  }

  /** Returns whether the file was read with former settings. */
  boolean isOutdated() {
    return isOutdated;
  }

  /** Has the file read, when it is next examined, although it may be the same as before. */
  void setOutdated() {
    isOutdated = true;
  }

  LoadState state() {
    return state;
  }

  /** Returns whether a file has been served under this name before, since the entry was found. */
  boolean wasServed() {
    return wasServed;
  }

  /**
   * Returns whether a file has been served under this name before, also if it was removed since
   * then. If so, its owner is that of this file.
   */
  boolean isSuccessor() {
    return wasServed || (owner != null && directory.former.has(owner, name));
  }

  /** Enters a state. Called by {@link Ledger#transition} only, which keeps the books. */
  void enter(LoadState next) {
    wasServed |= isServed();
    state = next;
  }

  /**
   * Returns the header of the file, unchecked; null if it is not that of an MMV file, or the file
   * is neither mapped nor left out because of its application.
   */
  MmvHeader header() {
    if (state.dependsOnWriter()) {
      return presence.header(); // there may be too many files to have this one mapped
    }
    return state.reader() == null ? null : state.reader().header();
  }

  boolean isServed() {
    return state instanceof LoadState.Served;
  }

  /** Returns whether the file has an inode number, is served, and is not to be examined again. */
  boolean isServedAs(long inode) {
    return state instanceof LoadState.Served(_, long served) && served == inode && !isInvalid;
  }

  /** Returns the current status of the file, or null if it does not exist. */
  FileStatus currentStatus() {
    return directory.posix.status(name.name());
  }

  /** Returns whether the size or a time of the file has changed since it was examined. */
  boolean hasOtherStatus() {
    return !directory.posix.hasStatus(name.name(), status);
  }

  /** Returns the faults that the file has in its state. */
  List<CountedFault> faults() {
    if (isServed()) {
      return history.faults();
    }
    return state.fault() == null ? List.of() : List.of(history.counted(state.fault()));
  }
}
