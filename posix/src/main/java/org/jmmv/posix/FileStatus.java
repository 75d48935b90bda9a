package org.jmmv.posix;

import java.time.Instant;

/**
 * The status of a file, from statx(2). If two statuses are equal, the file was not replaced,
 * resized or written to in between, and its owner and permissions have not changed. Exception:
 * stores through a mapping may change the times later than the contents.
 *
 * @param device the major and minor number of the device
 * @param inode the inode number; file systems reuse the numbers of deleted files
 * @param size the size in bytes
 * @param modified the time of the last modification in seconds since the epoch; users can set any
 * @param modifiedNanos the nanoseconds of that second
 * @param changed the time of the last change of the contents or the status, in nanoseconds since
 *     the epoch; unlike {@code modified}, users can't set it
 * @param mode the file type and permissions: inode(7)
 * @param owner the user ID of the owner
 */
public record FileStatus(
    long device,
    long inode,
    long size,
    long modified,
    int modifiedNanos,
    long changed,
    int mode,
    int owner) {
  private static final int TYPE_MASK = 0xf000;
  private static final int MODE_MASK = 0xfff;
  private static final int TYPE_FIFO = 0x1000;
  private static final int TYPE_DIRECTORY = 0x4000;
  private static final int TYPE_REGULAR = 0x8000;
  private static final int TYPE_LINK = 0xa000;
  private static final int TYPE_SOCKET = 0xc000;

  /** The types of files: inode(7). */
  public enum Type {
    REGULAR,
    DIRECTORY,
    LINK,
    FIFO,
    SOCKET,
    DEVICE
  }

  /** Returns the type of the file. */
  public Type type() {
    return switch (mode & TYPE_MASK) {
      case TYPE_REGULAR -> Type.REGULAR;
      case TYPE_DIRECTORY -> Type.DIRECTORY;
      case TYPE_LINK -> Type.LINK;
      case TYPE_FIFO -> Type.FIFO;
      case TYPE_SOCKET -> Type.SOCKET;
      default -> Type.DEVICE;
    };
  }

  /**
   * Returns the time of the last modification, in whole seconds. A year beyond a billion, which
   * tmpfs permits, becomes the first or last one of {@link Instant}.
   */
  public Instant modifiedTime() {
    return Instant.ofEpochSecond(
        Math.clamp(modified, Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()));
  }

  /** Returns owner and permissions for a message. */
  public Permissions permissions() {
    return new Permissions(owner, mode & MODE_MASK);
  }

  /** Returns whether another status differs at most in the times. */
  public boolean equalsButForTimes(FileStatus other) {
    return other != null
        && equals(
            new FileStatus(
                other.device,
                other.inode,
                other.size,
                modified,
                modifiedNanos,
                changed,
                other.mode,
                other.owner));
  }

  /** Returns whether this is the status of a regular file. */
  public boolean isRegular() {
    return (mode & TYPE_MASK) == TYPE_REGULAR;
  }

  /** Returns whether this is the status of a symbolic link. */
  public boolean isLink() {
    return (mode & TYPE_MASK) == TYPE_LINK;
  }
}
