package org.jmmv.posix;

/**
 * Who owns a file and who has access to it, for messages.
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
   * Returns the name of the owner, if there is one, and the permissions, as in {@code owner root,
   * mode 0600}. To find the name can take long where users are in a directory on the network.
   */
  public String withName() {
    return "owner %s, mode %04o".formatted(PosixProcess.userName(owner), mode);
  }
}
