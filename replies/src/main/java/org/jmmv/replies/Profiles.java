package org.jmmv.replies;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the memory of the profiles of all connections: a client chooses how many contexts it has,
 * and what a profile lists.
 *
 * <p>Beyond the bound, contexts are forgotten. The peer whose profiles take most memory loses one
 * first, in its connection whose profiles take most, and there the context that has not been used
 * for the longest time. So a peer loses none while its profiles take less than its equal part of
 * the bound, and a connection loses none while its profiles take less than its equal part of what
 * its peer's take.
 */
public final class Profiles {
  private static final Logger LOG = LoggerFactory.getLogger(Profiles.class);

  private final long maxBytes;
  private final Map<String, Peer> peers = new HashMap<>();
  private long bytes;

  /** A user or an address, with its connections. */
  private static final class Peer {
    private final Set<Session> sessions = new HashSet<>();
    private long bytes;
  }

  /** Creates an object with a bound of a sixteenth of the maximum size of the heap. */
  public Profiles() {
    this(Runtime.getRuntime().maxMemory() / 16);
  }

  /**
   * Creates an object.
   *
   * @param maxBytes the maximum size of all profiles, in bytes as {@link
   *     org.jmmv.core.InstanceFilter#bytes} estimates them
   */
  Profiles(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Returns the state of a new connection.
   *
   * @param peer the user or the address at its other end
   */
  public Session open(String peer) {
    Session session = new Session(this, peer);
    peers.computeIfAbsent(peer, _ -> new Peer()).sessions.add(session);
    return session;
  }

  /** Counts what a session keeps more, or less if {@code more} is negative. */
  void add(Session session, long more) {
    peers.get(session.peer()).bytes += more;
    bytes += more;
  }

  /** Forgets contexts until the others are within the bound. */
  void forgetExcess() {
    while (bytes > maxBytes) {
      Peer peer = Collections.max(peers.values(), Comparator.comparingLong(one -> one.bytes));
      Session session = Collections.max(peer.sessions, Comparator.comparingLong(Session::bytes));
      if (session.forgetOldest()) {
        LOG.warn(
            "contexts of {} are forgotten: all profiles together may take {} KiB",
            session.peer(),
            maxBytes >> 10);
      }
    }
  }

  /** Removes a session, which has no contexts any more. */
  void close(Session session) {
    Peer peer = peers.get(session.peer());
    peer.sessions.remove(session);
    if (peer.sessions.isEmpty()) {
      peers.remove(session.peer());
    }
  }
}
