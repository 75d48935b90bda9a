package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.User;
import org.junit.jupiter.api.Test;

/** Which clients get a connection, and which lose it. */
class ConnectionQuotaTest {
  private static final int MAX = 60;

  private final ConnectionQuota quota = new ConnectionQuota(MAX);

  /** Takes connections for a user until it gets no more, and returns them. */
  private List<Channel> takeAll(String user) {
    List<Channel> taken = new ArrayList<>();
    for (Channel next = new EmbeddedChannel(); take(user, next); next = new EmbeddedChannel()) {
      taken.add(next);
    }
    return taken;
  }

  private boolean take(String user, Channel connection) {
    return quota.take(User.of(user.hashCode() & 0xffff), connection);
  }

  private boolean take(String user) {
    return take(user, new EmbeddedChannel());
  }

  private static long open(List<Channel> connections) {
    return connections.stream().filter(Channel::isOpen).count();
  }

  @Test
  void usersGetEqualParts() {
    List<Channel> first = takeAll("first");
    assertEquals(MAX, first.size());
    List<Channel> second = takeAll("second");
    assertEquals(List.of(MAX / 2L, MAX / 2L), List.of(open(first), open(second)));
    List<Channel> third = takeAll("third");
    assertEquals(
        List.of(MAX / 3L, MAX / 3L, MAX / 3L), List.of(open(first), open(second), open(third)));
    assertFalse(take("first"));
  }

  @Test
  void theLastConnectionOfTheUserWithMostEnds() {
    Channel one = new EmbeddedChannel();
    assertTrue(take("one", one));
    List<Channel> many = takeAll("many");
    assertTrue(take("new"));
    assertTrue(one.isOpen());
    assertFalse(many.getLast().isOpen());
    assertEquals(MAX - 2, open(many));
  }

  @Test
  void aConnectionThatEndsMakesRoom() {
    List<Channel> all = takeAll("user");
    assertFalse(take("user"));
    all.getFirst().close();
    assertTrue(take("user"));
    assertFalse(take("user"));
    all.forEach(Channel::close);
    assertEquals(MAX, takeAll("other").size() + 1);
  }

  @Test
  void asManyUsersAsThereAreConnectionsGetIn() {
    for (int i = 0; i < MAX / 2; i++) {
      assertTrue(take("user " + i));
      assertTrue(take("user " + i));
    }
    for (int i = MAX / 2; i < MAX; i++) {
      assertTrue(take("user " + i));
    }
    assertFalse(take("another user"));
    assertFalse(take("user 1"));
  }
}
