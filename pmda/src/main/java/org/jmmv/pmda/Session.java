package org.jmmv.pmda;

import java.util.HashMap;
import java.util.Map;
import org.jmmv.core.Changes;
import org.jmmv.core.InstanceFilter;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.Profile;

/** What is remembered of one connection: the client's profiles, and what it was told. */
final class Session {
  /** As many as pmcd allows a client from PCP 7 on. */
  private static final int MAX_CONTEXTS = 64;

  /** Of all profiles together, beyond which only the last one is kept. */
  private static final int MAX_LISTED = 1 << 20;

  private static final long NOTHING_ASKED = -1;

  private final Map<Integer, InstanceFilter> byContext = new HashMap<>();
  private InstanceFilter last = InstanceFilter.ALL;
  private int listed; // instance domains and instances in all profiles since the last clear
  private long told = NOTHING_ASKED; // the version of the catalogue

  /** A PROFILE has come. */
  void setProfile(Profile profile) {
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

  /** The profile of a client context; the last one received if the context has none. */
  InstanceFilter profile(int context) {
    return byContext.getOrDefault(context, last);
  }

  /** The last profile received, for requests that belong to no context. */
  InstanceFilter lastProfile() {
    return last;
  }

  /** A request is being answered: what has changed before the first one is no news. */
  void asked(Changes changes) {
    if (told == NOTHING_ASKED) {
      told = changes.version();
    }
  }

  /** The state changes that pmcd has not been told of. */
  int news(Changes changes) {
    return changes.since(told);
  }

  /** Pmcd has been told. */
  void told(Changes changes) {
    told = changes.version();
  }
}
