package org.jmmv.reader.watch;

import java.util.Comparator;
import org.jmmv.posix.FileStatus;

/**
 * What identifies a file, whatever its names are.
 *
 * @param device the major and minor number of the device
 * @param inode the inode number
 */
record FileId(long device, long inode) implements Comparable<FileId> {
  private static final Comparator<FileId> ORDER =
      Comparator.comparingLong(FileId::device).thenComparingLong(FileId::inode);

  static FileId of(FileStatus status) {
    return new FileId(status.device(), status.inode());
  }

  @Override
  public int compareTo(FileId other) {
    return ORDER.compare(this, other);
  }
}
