package org.jmmv.core;

import java.util.Arrays;
import org.jmmv.pcp.InDom;

/** Which instances a client wants to see: what a profile says (pmAddProfile(3)). */
public final class InstanceFilter {
  /** Lets every instance of every instance domain pass. */
  public static final InstanceFilter ALL = new InstanceFilter(true);

  /** Which instances of one instance domain a client wants to see. */
  static final class Choice {
    static final Choice ALL = new Choice(true, new int[0]);
    static final Choice NOTHING = new Choice(false, new int[0]);

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
  private final Choice others;

  /**
   * A filter that treats all instance domains alike.
   *
   * @param include true: all instances pass; false: none
   */
  public InstanceFilter(boolean include) {
    others = include ? Choice.ALL : Choice.NOTHING;
  }

  /**
   * Sets what is wanted of one instance domain.
   *
   * @param include true: all instances but the listed pass; false: only the listed
   * @param listed instance numbers in any order, repeats allowed; sorted by this call and kept
   */
  public void set(int inDom, boolean include, int... listed) {
    Arrays.sort(listed);
    choices.put(
        inDom,
        listed.length > 0 ? new Choice(include, listed) : include ? Choice.ALL : Choice.NOTHING);
  }

  /** What is wanted of an instance domain; all of {@link InDom#NULL}, which has no instances. */
  Choice of(int inDom) {
    if (inDom == InDom.NULL) {
      return Choice.ALL;
    }
    Choice choice = choices.isEmpty() ? null : choices.get(inDom);
    return choice == null ? others : choice;
  }

  /** Whether an instance passes. */
  public boolean passes(int inDom, int instance) {
    return of(inDom).passes(instance);
  }
}
