package org.jmmv.serving;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jmmv.pcp.User;

/**
 * Connections that wait for a turn. The next turn is that of the user who has used the least time,
 * and of the connections of this user that has used the least. So a user with many connections gets
 * no more time than one with a single connection, and whoever took long waits until others have had
 * as much.
 *
 * <p>This is start-time fair queueing (Goyal, Vin, Cheng 1996). Whoever begins to wait is charged
 * as much as the one who got the last turn: time that was not used can't be saved up. When nobody
 * waits any more, all are even, but the one who got the last turn comes last.
 *
 * @param <T> what a connection gets its turns for
 */
final class FairQueue<T> {
  /** A user, or a connection of a user. */
  static class Share {
    long used; // in nanoseconds
  }

  /** Those who wait, by what they have used. */
  private static final class Waiting<S extends Share> {
    private final PriorityQueue<S> shares =
        new PriorityQueue<>(Comparator.comparingLong(share -> share.used));
    private long now; // what the owner of the last turn had used before it
    private long end; // the maximum of what anybody has used

    void add(S share) {
      share.used = Math.max(share.used, now);
      shares.add(share);
    }

    S take() {
      S first = shares.remove();
      now = first.used;
      return first;
    }

    /** Charges a turn; the share is not among those who wait. */
    void charge(S share, long nanos, boolean waitsAgain) {
      share.used += nanos;
      end = Math.max(end, share.used);
      if (waitsAgain) {
        shares.add(share);
      } else if (shares.isEmpty()) {
        now = end - 1; // who has waited meanwhile, and is known later, precedes this one
      }
    }
  }

  private static final class UserShare<T> extends Share {
    private final Waiting<Connection<T>> waiting = new Waiting<>();
    private int connections;
  }

  /** A connection, which is waiting or not. */
  static final class Connection<T> extends Share {
    private final UserShare<T> user;
    private final T subject;
    private boolean isWaiting; // or has its turn

    private Connection(UserShare<T> user, T subject) {
      this.user = user;
      this.subject = subject;
    }

    T subject() {
      return subject;
    }
  }

  private final Map<User, UserShare<T>> users = new HashMap<>();
  private final Waiting<UserShare<T>> waiting = new Waiting<>();
  private UserShare<T> served; // who has the turn, or null

  /** Adds a connection of a user. It does not wait yet. */
  Connection<T> open(User user, T subject) {
    UserShare<T> owner = users.computeIfAbsent(user, _ -> new UserShare<>());
    owner.connections++;
    return new Connection<>(owner, subject);
  }

  /** Removes a connection. If it waits, it gets one more turn. */
  void close(Connection<T> connection) {
    connection.user.connections--;
    users.values().removeIf(user -> user.connections == 0 && user.used <= waiting.now);
  }

  boolean isEmpty() {
    return waiting.shares.isEmpty();
  }

  /** Has a connection wait, unless it does already or has the turn. */
  void add(Connection<T> connection) {
    if (connection.isWaiting) {
      return;
    }
    connection.isWaiting = true;
    UserShare<T> user = connection.user;
    boolean isFirst = user.waiting.shares.isEmpty();
    user.waiting.add(connection);
    if (isFirst && user != served) {
      waiting.add(user);
    }
  }

  /** Begins a turn, after the last one has ended. Returns the connection whose turn it is. */
  Connection<T> take() {
    served = waiting.take();
    return served.waiting.take();
  }

  /**
   * Ends the turn of a connection.
   *
   * @param nanos the time that it took
   * @param waitsAgain whether it waits for another turn
   */
  void end(Connection<T> connection, long nanos, boolean waitsAgain) {
    connection.isWaiting = waitsAgain;
    served.waiting.charge(connection, nanos, waitsAgain);
    waiting.charge(served, nanos, !served.waiting.shares.isEmpty());
    served = null;
  }
}
