package org.jmmv.posix;

/**
 * The owner and the permissions of a file, for messages.
 *
 * @param owner the user ID of the owner
 * @param mode the permissions: inode(7)
 */
public record Permissions(int owner, int mode) {
  /** Returns the ID of the owner and the permissions, as in {@code user ID 0, mode 0600}. */
  @Override
  public String toString() {
    return "user ID %s, mode %04o".formatted(Integer.toUnsignedString(owner), mode);
  }

  /**
   * Returns the same with the name of the owner, as in {@code owner root, mode 0600}.
   *
   * @param name from {@code PosixProcess.userName}, which can take long where users are in a
   *     directory on the network
   */
  public String withOwner(String name) {
    return "owner %s, mode %04o".formatted(name, mode);
  }
}
