package org.jmmv.serving;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioChannelOption;
import java.net.InetAddress;
import java.util.OptionalInt;
import java.util.function.Function;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.jmmv.pcp.User;
import org.jmmv.posix.PosixProcess;

/**
 * The other end of a client's connection.
 *
 * @param user who is charged for what the connection needs
 * @param uid the user ID of the client on a Unix domain socket; empty on TCP, or if it is not known
 * @param gid the group ID, likewise
 */
public record Peer(User user, OptionalInt uid, OptionalInt gid) {
  static final Peer UNKNOWN =
      new Peer(User.of(User.Kind.UNKNOWN), OptionalInt.empty(), OptionalInt.empty());

  static Peer of(InetAddress address) {
    return new Peer(User.of(address), OptionalInt.empty(), OptionalInt.empty());
  }

  /**
   * Returns the peer on a Unix domain socket (SO_PEERCRED of socket(7)). Java looks up the names of
   * the user and the group, and their IDs are looked up by these names. So this may wait for a
   * directory service (nsswitch.conf(5)).
   */
  static Peer onUnixSocket(Channel channel) {
    UnixDomainPrincipal peer =
        channel.config().getOption(NioChannelOption.of(ExtendedSocketOptions.SO_PEERCRED));
    OptionalInt uid = id(peer.user().getName(), Peer::userId);
    OptionalInt gid = id(peer.group().getName(), PosixProcess::groupId);
    return uid.isEmpty() ? UNKNOWN : new Peer(User.of(uid.getAsInt()), uid, gid);
  }

  private static OptionalInt userId(String name) {
    PosixProcess.User user = PosixProcess.user(name);
    return user == null ? OptionalInt.empty() : OptionalInt.of(user.uid());
  }

  /** Returns the ID of a name. If there is none, Java gives the ID, as a signed number. */
  private static OptionalInt id(String name, Function<String, OptionalInt> byName) {
    try {
      return OptionalInt.of(Integer.parseInt(name));
    } catch (NumberFormatException e) {
      return byName.apply(name);
    }
  }
}
