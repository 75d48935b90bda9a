package org.jmmv.serving;

import io.netty.channel.Channel;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import org.jmmv.pcp.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections that clients may have. One user may have all of them. When all are taken, a user
 * gets one of those of the user who has most, unless it then had more than that user: the last one
 * ends. So all get in until there are more users than connections, and nobody loses a connection
 * while it has no more than its equal part.
 */
final class ConnectionQuota {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionQuota.class);

  private final int max;
  private final Map<User, SequencedSet<Channel>> byUser = new HashMap<>();
  private int taken;

  /**
   * Creates an object without connections.
   *
   * @param max the maximum number of connections
   */
  ConnectionQuota(int max) {
    this.max = max;
  }

  /**
   * Adds a connection of a user until it is closed, and returns true, unless the user gets none.
   */
  boolean take(User user, Channel connection) {
    if (taken >= max && !makeRoom(user)) {
      LOG.warn(
          "{} gets no more connections: all {} are taken, and nobody has two more than it, which"
              + " has {} (--max-clients)",
          user,
          max,
          count(user));
      return false;
    }
    byUser.computeIfAbsent(user, _ -> new LinkedHashSet<>()).add(connection);
    taken++;
    connection.closeFuture().addListener(_ -> leave(user, connection));
    return true;
  }

  private int count(User user) {
    return byUser.containsKey(user) ? byUser.get(user).size() : 0;
  }

  /** Ends a connection of another user. It looks at all users, of whom there are at most max. */
  private boolean makeRoom(User user) {
    User most = user;
    for (User other : byUser.keySet()) {
      most = count(other) > count(most) ? other : most;
    }
    if (count(most) <= count(user) + 1) {
      return false;
    }
    LOG.warn(
        "a connection of {} ends: all {} are taken, {} of them by it, and {} has only {}"
            + " (--max-clients)",
        most,
        max,
        count(most),
        user,
        count(user));
    Channel last = byUser.get(most).getLast();
    leave(most, last);
    last.close();
    return true;
  }

  private void leave(User user, Channel connection) {
    SequencedSet<Channel> own = byUser.get(user);
    if (own == null || !own.remove(connection)) {
      return; // it has left in favour of another user
    }
    if (own.isEmpty()) {
      byUser.remove(user);
    }
    taken--;
  }
}
