package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.util.List;
import java.util.OptionalInt;
import jdk.net.UnixDomainPrincipal;
import org.jmmv.pcp.User;
import org.junit.jupiter.api.Test;

/** Clients on a Unix domain socket, of whom Java gives the names. */
class PeerTest {
  private static final String UNKNOWN = "no such name";

  /** A group is also a user, in Java's interfaces. */
  private record Name(String getName) implements GroupPrincipal {}

  /** Returns the peer whose user and group have these names. */
  private static Peer peer(String user, String group) {
    UnixDomainPrincipal names = new UnixDomainPrincipal(new Name(user), new Name(group));
    EmbeddedChannel channel =
        new EmbeddedChannel() {
          @Override
          public ChannelConfig config() {
            return new DefaultChannelConfig(this) {
              @Override
              @SuppressWarnings("unchecked") // only the names are asked for
              public <T> T getOption(ChannelOption<T> option) {
                return (T) names;
              }
            };
          }
        };
    return Peer.onUnixSocket(channel);
  }

  /** Returns the lines of {@code /etc/passwd} or {@code /etc/group}: name, password, ID. */
  private static List<String[]> entries(String file) throws IOException {
    return Files.readAllLines(Path.of(file)).stream()
        .filter(line -> line.matches("[a-z_][^:]*:[^:]*:\\d+:.*"))
        .map(line -> line.split(":"))
        .toList();
  }

  @Test
  void namesOfUsersAndGroupsAreLookedUpEachInTheirOwnDatabase() throws IOException {
    for (String[] entry : entries("/etc/passwd")) {
      int uid = Integer.parseUnsignedInt(entry[2]);
      Peer expected = new Peer(User.of(uid), OptionalInt.of(uid), OptionalInt.of(0));
      assertEquals(expected, peer(entry[0], "root"), entry[0]);
    }
    for (String[] entry : entries("/etc/group")) {
      int gid = Integer.parseUnsignedInt(entry[2]);
      assertEquals(OptionalInt.of(gid), peer("root", entry[0]).gid(), entry[0]);
    }
  }

  /** As in a container, whose users the host does not know. */
  @Test
  void idsWithoutNamesAreKnownAlsoThoseFrom2147483648On() {
    Peer expected = new Peer(User.of(-2), OptionalInt.of(-2), OptionalInt.of(123_456));
    assertEquals(expected, peer("-2", "123456"));
    assertEquals("users 4294936224 to 4294967295", expected.user().toString());
  }

  @Test
  void aUserWhoseIdIsNotFoundIsUnknown() {
    assertEquals(Peer.UNKNOWN, peer(UNKNOWN, "0"));
  }

  @Test
  void aGroupWhoseIdIsNotFoundDoesNotHideTheUser() {
    assertEquals(new Peer(User.of(7), OptionalInt.of(7), OptionalInt.empty()), peer("7", UNKNOWN));
  }
}
