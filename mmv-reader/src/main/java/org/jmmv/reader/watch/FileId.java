package org.jmmv.reader.watch;

import org.jmmv.posix.FileStatus;

/**
 * What identifies a file, whatever its names are.
 *
 * @param device the major and minor number of the device
 * @param inode the inode number
 */
record FileId(long device, long inode) {
  static FileId of(FileStatus status) {
    return new FileId(status.device(), status.inode());
  }
}
