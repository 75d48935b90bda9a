package org.jmmv.pmda;

import java.util.Arrays;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.Profile;

/** The profile in force: which instances the client wants to see (pmAddProfile(3)). */
final class InstanceFilter {
  private static final int[] NONE = {};

  /** What a profile says of one instance domain. */
  static final class Choice {
    static final Choice ALL = new Choice(true, NONE);
    static final Choice NOTHING = new Choice(false, NONE);

    private final boolean include;
    private final int[] listed; // sorted

    private Choice(boolean include, int[] listed) {
      this.include = include;
      this.listed = listed;
    }

    /** Whether every instance passes. */
    boolean isAll() {
      return include && listed.length == 0;
    }

    /** How many of so many instances pass at most. */
    int most(int instances) {
      return include ? instances : Math.min(instances, listed.length);
    }

    /** Whether an instance passes. */
    boolean passes(int instance) {
      return include != (Arrays.binarySearch(listed, instance) >= 0);
    }
  }

  private final IdMap<Choice> choices = new IdMap<>();
  private Choice others = Choice.ALL;

  /** Puts a profile in force. */
  void set(Profile profile) {
    others = profile.include() ? Choice.ALL : Choice.NOTHING;
    if (!choices.isEmpty()) {
      choices.clear();
    }
    for (InDomProfile inDom : profile.inDoms()) {
      int[] listed = inDom.instances();
      Arrays.sort(listed);
      choices.put(inDom.inDom(), new Choice(inDom.include(), listed));
    }
  }

  /** What to do with the instances of an instance domain. */
  Choice of(int inDom) {
    Choice choice = choices.isEmpty() ? null : choices.get(inDom);
    return choice == null ? others : choice;
  }
}
