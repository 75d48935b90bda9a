package org.jmmv.pcp;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Comparator;

/**
 * An owner of files, or the peer of a connection. Users get equal parts of what is bounded: files,
 * connections, time and memory. So a user is an identity that nobody can easily multiply.
 *
 * @param id depends on the kind
 */
public record User(Kind kind, long id) implements Comparable<User> {
  /** How a user is told from others. */
  public enum Kind {
    /** By a user ID below 100,000. */
    UID,

    /**
     * By the first of the 65,536 user IDs of a user namespace, from 100,000 on: an ordinary user
     * can be all of them (subuid(5)).
     */
    NAMESPACE,

    /** By an IPv4 address. */
    IPV4,

    /**
     * By the first 48 bits of an IPv6 address: a site usually has all addresses of such a network
     * (RFC 6177). Its hosts share one part.
     */
    IPV6,

    /** All loopback addresses together. */
    LOOPBACK,

    /** The only peer of an agent, which shares nothing with anybody. */
    PMCD,

    /** Users of Unix domain sockets whose IDs can't be found out. */
    UNKNOWN,

    /** Nobody in particular: what is kept for it is of use for everybody. */
    ALL
  }

  /** Where the user IDs of user namespaces begin: SUB_UID_MIN of login.defs(5). */
  private static final long FIRST_OF_NAMESPACES = 100_000;

  /** The number of user IDs that a user has for namespaces: SUB_UID_COUNT of login.defs(5). */
  private static final long IDS_OF_NAMESPACE = 65_536;

  private static final Comparator<User> ORDER =
      Comparator.comparing(User::kind).thenComparingLong(User::id);

  /** Returns the user of one of the kinds that have a single one. */
  public static User of(Kind kind) {
    return new User(kind, 0);
  }

  /** Returns the user that a user ID belongs to. */
  public static User of(int uid) {
    long id = Integer.toUnsignedLong(uid);
    return id < FIRST_OF_NAMESPACES
        ? new User(Kind.UID, id)
        : new User(Kind.NAMESPACE, id - (id - FIRST_OF_NAMESPACES) % IDS_OF_NAMESPACE);
  }

  /** Returns the user that an address belongs to. */
  public static User of(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    if (address.isLoopbackAddress()) {
      return of(Kind.LOOPBACK);
    }
    return address instanceof Inet6Address
        ? new User(Kind.IPV6, bytes.getLong() >>> Short.SIZE)
        : new User(Kind.IPV4, Integer.toUnsignedLong(bytes.getInt()));
  }

  @Override
  public int compareTo(User other) {
    return ORDER.compare(this, other);
  }

  /** Returns what logs call the user. */
  @Override
  public String toString() {
    return switch (kind) {
      case UID -> "user " + id;
      case NAMESPACE -> "users " + id + " to " + Math.min(id + IDS_OF_NAMESPACE - 1, 0xffff_ffffL);
      case IPV4 -> "%d.%d.%d.%d".formatted(id >>> 24, id >>> 16 & 0xff, id >>> 8 & 0xff, id & 0xff);
      case IPV6 -> "%x:%x:%x::/48".formatted(id >>> 32, id >>> 16 & 0xffff, id & 0xffff);
      case LOOPBACK -> "localhost";
      case PMCD -> "pmcd";
      case UNKNOWN -> "an unknown user";
      case ALL -> "all users";
    };
  }
}
