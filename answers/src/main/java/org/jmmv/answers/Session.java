package org.jmmv.answers;

import java.util.HashMap;
import java.util.Map;
import org.jmmv.core.Changes;
import org.jmmv.core.InstanceFilter;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.Profile;

/**
 * The state of one connection: the profiles of client contexts, and the version of the catalogue
 * that the peer, pmcd or a client, was last told of.
 */
public final class Session {
  /** The maximum number of profiles: pmcd's limit of contexts per client from PCP 7 on. */
  private static final int MAX_CONTEXTS = 64;

  /**
   * The maximum number of instance domains and instances that all stored profiles list together.
   * Beyond it, only the last profile is kept.
   */
  private static final int MAX_LISTED = 1 << 20;

  private static final long NOTHING_ASKED = -1;

  private final Map<Integer, InstanceFilter> byContext = new HashMap<>();
  private InstanceFilter last = InstanceFilter.ALL;
  private int listed; // by all profiles stored since the last clear
  private long told = NOTHING_ASKED; // the version of the catalogue

  /** Stores the profile of a client context. */
  public void setProfile(Profile profile) {
    last = filter(profile);
    listed += profile.size();
    if (listed > MAX_LISTED
        || (byContext.size() >= MAX_CONTEXTS && !byContext.containsKey(profile.context()))) {
      byContext.clear(); // pmcd sends a profile anew before a fetch of another context
      listed = profile.size();
    }
    byContext.put(profile.context(), last);
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

  /** Returns the profile of a client context, or null if the context has none. */
  public InstanceFilter profile(int context) {
    return byContext.get(context);
  }

  /** Returns the last profile received, for requests without a context. */
  public InstanceFilter lastProfile() {
    return last;
  }

  /** Marks the start of a request. Changes before the first request are not reported. */
  public void asked(Changes changes) {
    if (told == NOTHING_ASKED) {
      told = changes.version();
    }
  }

  /**
   * Returns the changes that the peer has not been told of, as bits of {@link
   * org.jmmv.pcp.StateChange}.
   */
  public int news(Changes changes) {
    return changes.since(told);
  }

  /** Records that the peer has been told of all changes so far. */
  public void told(Changes changes) {
    told = changes.version();
  }
}
