package org.jmmv.collector;

import io.netty.channel.Channel;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import jdk.net.UnixDomainPrincipal;
import org.jmmv.pcp.LabelParser;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.posix.PosixProcess;
import org.jmmv.serving.ConnectionQuota;

/** The user at the other end of a Unix domain socket. */
final class PeerUser {
  private PeerUser() {}

  /** Returns the labels of the context of a client: those of the host, its group and its user. */
  static Labels labels(Channel channel, Labels host) {
    UnixDomainPrincipal peer = ConnectionQuota.user(channel);
    if (peer == null) {
      return host;
    }
    OptionalInt group = number(peer.group().getName(), PosixProcess::groupId);
    OptionalInt user = number(peer.user().getName(), PeerUser::userId);
    if (group.isEmpty() || user.isEmpty()) {
      return host;
    }
    String json = "{\"groupid\":%d,\"userid\":%d}".formatted(group.getAsInt(), user.getAsInt());
    Labels own = LabelParser.parse(json, LabelType.CONTEXT | LabelType.OPTIONAL);
    return Labels.merge(List.of(host, own));
  }

  private static OptionalInt userId(String name) {
    PosixProcess.User user = PosixProcess.user(name);
    return user == null ? OptionalInt.empty() : OptionalInt.of(user.uid());
  }

  /** Returns the ID that Java has replaced by the name of a user or a group, if it has one. */
  private static OptionalInt number(String name, Function<String, OptionalInt> byName) {
    return name.matches("[0-9]{1,9}") ? OptionalInt.of(Integer.parseInt(name)) : byName.apply(name);
  }
}
