package org.jmmv.replies;

import java.util.LinkedHashMap;
import org.jmmv.core.Changes;
import org.jmmv.core.InstanceFilter;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.User;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.Profile;
import org.jmmv.serving.Accounts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one connection: the profiles of client contexts, within the bound of {@link
 * Accounts}, and the version of the catalogue that was last reported to the peer, pmcd or a client.
 */
public final class Session {
  private static final long NONE = -1;

  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  private final Accounts.Account account; // of the profiles
  // the first one has not been used for the longest time
  private final LinkedHashMap<Integer, InstanceFilter> byContext =
      new LinkedHashMap<>(8, 0.75f, true);
  private int lastContext = -1; // that of the last profile; -1: there was none
  private boolean hasForgotten;
  private long reported = NONE; // version of the catalogue

  /**
   * Creates the state of a new connection.
   *
   * @param profiles what is kept of profiles, of all connections
   * @param user the user at its other end
   */
  Session(Accounts profiles, User user) {
    account = profiles.open(user, this::forgetOldest);
  }

  /** Returns what the profiles take in the heap, in bytes. */
  long bytes() {
    return account.bytes();
  }

  /** Stores the profile of a client context. */
  public void setProfile(Profile profile) {
    lastContext = profile.context();
    InstanceFilter filter = filter(profile);
    InstanceFilter former = byContext.put(lastContext, filter);
    account.set(account.bytes() + bytes(filter) - (former == null ? 0 : bytes(former)));
  }

  private static long bytes(InstanceFilter profile) {
    return HeapSize.ofLinkedEntry() + HeapSize.ofObject(0, Integer.BYTES) + profile.bytes();
  }

  private static InstanceFilter filter(Profile profile) {
    if (profile.include() && profile.inDoms().isEmpty()) {
      return InstanceFilter.ALL;
    }
    InstanceFilter filter = new InstanceFilter(profile.include());
    for (InDomProfile inDom : profile.inDoms()) {
      filter.set(inDom.inDom(), inDom.include(), inDom.instances());
    }
    return filter;
  }

  /** Forgets the profile of the context that was not used for the longest time. */
  private void forgetOldest() {
    if (!hasForgotten) {
      LOG.warn(
          "contexts of {} are forgotten: all profiles together may take {} KiB",
          account.user(),
          account.maxBytes() >> 10);
    }
    hasForgotten = true;
    account.set(account.bytes() - bytes(byContext.pollFirstEntry().getValue()));
  }

  /** Forgets all profiles. Called when the connection has ended. */
  void close() {
    byContext.clear();
    account.close();
  }

  /** Returns the profile of a client context, or null if the context has none. */
  public InstanceFilter profile(int context) {
    return byContext.get(context);
  }

  /** Returns the profile of a client context; if it has none, the {@link #lastProfile()}. */
  public InstanceFilter profileOrLast(int context) {
    InstanceFilter own = profile(context);
    return own == null ? lastProfile() : own;
  }

  /**
   * Returns the last profile received, for requests without a context: all instances if none was
   * received, and null if it has been forgotten.
   */
  InstanceFilter lastProfile() {
    return lastContext < 0 ? InstanceFilter.ALL : profile(lastContext);
  }

  /**
   * Called when a request has been answered, or before that by the role: what changed before the
   * first call is not reported.
   *
   * @param changes the changes of the catalogue
   */
  public void begin(Changes changes) {
    if (reported == NONE) {
      reported = changes.version();
    }
  }

  /**
   * Returns the changes that have not been reported to the peer, as bits of {@link
   * org.jmmv.pcp.StateChange}, and records that they are reported.
   */
  int takeChanges(Changes changes) {
    begin(changes);
    int pending = changes.since(reported);
    reported = changes.version();
    return pending;
  }
}
