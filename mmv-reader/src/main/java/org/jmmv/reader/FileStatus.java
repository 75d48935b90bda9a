package org.jmmv.reader;

/**
 * What statx(2) says of a file. Two equal ones mean that the file was neither replaced nor resized
 * nor written to, nor given to others, in between (stores through a mapping may show late).
 *
 * @param device the device's major and minor number
 * @param inode the inode's number; file systems use numbers again
 * @param size in bytes
 * @param modified time of the last modification, nanoseconds since the epoch
 * @param changed time of the last change of this status itself, likewise; nobody can set it back
 * @param mode type and permissions
 */
record FileStatus(long device, long inode, long size, long modified, long changed, int mode) {
  private static final int TYPE_MASK = 0xf000;
  private static final int TYPE_REGULAR = 0x8000;

  boolean isRegular() {
    return (mode & TYPE_MASK) == TYPE_REGULAR;
  }
}
