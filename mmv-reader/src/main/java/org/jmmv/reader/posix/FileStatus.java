package org.jmmv.reader.posix;

/**
 * The status of a file, as statx(2) returns it. As long as two are equal, the file has not been
 * replaced, resized, written to, or given to others in between; but stores through a mapping may
 * change the times late.
 *
 * @param device major and minor number of the device
 * @param inode inode number; file systems use the number of a deleted file again
 * @param size in bytes
 * @param modified time of the last modification, in nanoseconds since the epoch
 * @param changed time of the last change of this status, in nanoseconds since the epoch; unlike
 *     {@code modified}, it can't be set back
 * @param mode type and permissions
 */
public record FileStatus(
    long device, long inode, long size, long modified, long changed, int mode) {
  private static final int TYPE_MASK = 0xf000;
  private static final int TYPE_REGULAR = 0x8000;

  /** Whether it is the status of a regular file. */
  public boolean isRegular() {
    return (mode & TYPE_MASK) == TYPE_REGULAR;
  }
}
