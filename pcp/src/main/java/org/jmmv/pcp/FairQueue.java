package org.jmmv.pcp;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Connections, or anything else that belongs to a user, which wait for a turn. The next turn is
 * that of the user who has used the least, and of the connections of this user that has used the
 * least. So a user with many connections gets no more than a user with a single connection, and a
 * user who has had long turns waits until others have had as much.
 *
 * <p>This is start-time fair queueing (Goyal, Vin, Cheng 1996). A user who begins to wait is
 * charged as much as the user of the last turn: what was not used can't be saved up. When nobody
 * waits any more, all are even, but the user of the last turn comes last.
 *
 * @param <T> what a connection gets its turns for
 */
public final class FairQueue<T> {
  /** A user, or a connection of a user. */
  public static class Share {
    long used; // in the unit of end()

    private Share() {}
  }

  /** Users or connections that wait, by what they have used. */
  private static final class Waiting<S extends Share> {
    private final PriorityQueue<S> shares;
    private long now; // what the owner of the last turn had used before it
    private long end; // the maximum of what anybody has used

    Waiting(Comparator<S> order) {
      shares = new PriorityQueue<>(order);
    }

    void add(S share) {
      share.used = Math.max(share.used, now);
      shares.add(share);
    }

    S take() {
      S first = shares.remove();
      now = first.used;
      return first;
    }

    /** Charges a turn; the share is not among those that wait. */
    void charge(S share, long used, boolean waitsAgain) {
      share.used += used;
      end = Math.max(end, share.used);
      if (waitsAgain) {
        shares.add(share);
      } else if (shares.isEmpty()) {
        now = end - 1; // so that users who have waited since precede this one
      }
    }
  }

  private static final class UserShare<T> extends Share {
    private final User user;
    private final Waiting<Connection<T>> waiting =
        new Waiting<>(Comparator.comparingLong(share -> share.used));
    private int connections;

    UserShare(User user) {
      this.user = user;
    }
  }

  /** A connection, which is waiting or not. */
  public static final class Connection<T> extends Share {
    private final UserShare<T> user;
    private final T subject;
    private boolean isWaiting; // or has its turn
    private boolean isClosed;

    private Connection(UserShare<T> user, T subject) {
      this.user = user;
      this.subject = subject;
    }

    /** Returns what the connection gets its turns for. */
    public T subject() {
      return subject;
    }
  }

  private final Map<User, UserShare<T>> users = new HashMap<>();
  private final Waiting<UserShare<T>> waiting =
      new Waiting<>(
          Comparator.<UserShare<T>>comparingLong(share -> share.used)
              .thenComparing(share -> share.user));
  private UserShare<T> served; // who has the turn, or null

  /** Adds a connection of a user. It does not wait yet. */
  public Connection<T> open(User user, T subject) {
    UserShare<T> owner = users.computeIfAbsent(user, UserShare::new);
    owner.connections++;
    return new Connection<>(owner, subject);
  }

  /** Removes a connection. If it waits, it gets one more turn, and no other one. */
  public void close(Connection<T> connection) {
    connection.isClosed = true;
    connection.user.connections--;
    users.values().removeIf(user -> user.connections == 0 && user.used <= waiting.now);
  }

  /** Returns whether no connection waits; the one that has the turn does not count. */
  public boolean isEmpty() {
    return waiting.shares.isEmpty();
  }

  /** Has a connection wait, unless it does already or has the turn. */
  public void add(Connection<T> connection) {
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

  /**
   * Begins a turn, after the last one has ended. Returns the connection whose turn it is. One must
   * wait.
   */
  public Connection<T> take() {
    served = waiting.take();
    return served.waiting.take();
  }

  /**
   * Ends the turn of a connection.
   *
   * @param used what it has used, for example its time, in one unit for all turns
   * @param waitsAgain whether it waits for another turn
   */
  public void end(Connection<T> connection, long used, boolean waitsAgain) {
    connection.isWaiting = waitsAgain && !connection.isClosed;
    served.waiting.charge(connection, used, connection.isWaiting);
    waiting.charge(served, used, !served.waiting.shares.isEmpty());
    served = null;
  }
}
