package org.jmmv.pcp;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/**
 * Whose files are served, and who is at the other end of a connection. Users get equal parts of
 * what is bounded: files, connections, time and memory. So a user is what nobody can easily be many
 * of:
 *
 * <ul>
 *   <li>a user ID below 100,000;
 *   <li>from 100,000 on, the 65,536 user IDs of a user namespace, because an ordinary user can be
 *       all of them (subuid(5));
 *   <li>an IPv4 address;
 *   <li>an IPv6 network of 48 bits, because a site usually has all of its addresses (RFC 6177). Its
 *       hosts share one part;
 *   <li>all loopback addresses together.
 * </ul>
 *
 * @param name what logs call the user, for example {@code user 1000}, {@code 192.0.2.1}, {@code
 *     2001:db8:1::/48}
 */
public record User(String name) implements Comparable<User> {
  /** Where the user IDs of user namespaces begin: SUB_UID_MIN of login.defs(5). */
  private static final long FIRST_OF_NAMESPACES = 100_000;

  /** The number of user IDs that a user has for namespaces: SUB_UID_COUNT of login.defs(5). */
  private static final long IDS_OF_NAMESPACE = 65_536;

  private static final long MAX_ID = 0xffff_ffffL;
  private static final int SITE_GROUPS = 3; // groups of 16 bits of an IPv6 address

  /** Returns the user that a user ID belongs to. */
  public static User of(int uid) {
    long id = Integer.toUnsignedLong(uid);
    if (id < FIRST_OF_NAMESPACES) {
      return new User("user " + id);
    }
    long first = id - (id - FIRST_OF_NAMESPACES) % IDS_OF_NAMESPACE;
    long last = Math.min(first + IDS_OF_NAMESPACE - 1, MAX_ID);
    return new User("users " + first + " to " + last);
  }

  /** Returns the user that an address belongs to. */
  public static User of(InetAddress address) {
    if (address.isLoopbackAddress()) {
      return new User("localhost");
    }
    String text = address.getHostAddress();
    if (address instanceof Inet6Address) {
      List<String> site = Arrays.asList(text.split(":", -1)).subList(0, SITE_GROUPS);
      return new User(String.join(":", site) + "::/48");
    }
    return new User(text);
  }

  @Override
  public int compareTo(User other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
