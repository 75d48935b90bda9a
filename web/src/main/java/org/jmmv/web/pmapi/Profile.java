package org.jmmv.web.pmapi;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jmmv.core.InstanceFilter;
import org.jmmv.pcp.InDom;
import org.jmmv.web.http.Failure;

/** The instances that a context selects, see pmAddProfile(3) and pmDelProfile(3). */
final class Profile {
  private static final int MAX_INDOMS = 1024;

  /** What is selected of an instance domain. */
  private static final class Selection {
    private final boolean include; // true: all instances but the listed ones; false: only these
    private final int[] listed; // sorted

    Selection(boolean include, int[] listed) {
      this.include = include;
      this.listed = listed;
    }
  }

  private final Map<Integer, Selection> selections = new HashMap<>();
  private InstanceFilter filter = InstanceFilter.ALL;
  private boolean othersIncluded = true;

  /** Returns the selected instances. */
  InstanceFilter filter() {
    return filter;
  }

  /**
   * Called before an instance domain is changed.
   *
   * @throws Failure if there are too many
   */
  void admit(int inDom) throws Failure {
    if (selections.size() >= MAX_INDOMS && !selections.containsKey(inDom)) {
      throw BadRequest.of("a profile has at most " + MAX_INDOMS + " instance domains");
    }
  }

  /** Selects all instances of an instance domain, or none; {@link InDom#NULL} stands for all. */
  void setAll(int inDom, boolean include) {
    if (inDom == InDom.NULL) {
      selections.clear();
      othersIncluded = include;
      update();
    } else {
      set(inDom, new Selection(include, new int[0]));
    }
  }

  /**
   * Adds instances of one instance domain, or removes them.
   *
   * @param isAdded true: if nothing has been selected of the instance domain yet, only these
   *     instances are; false: all but these
   * @param instances instance numbers, each once
   */
  void change(int inDom, boolean isAdded, int[] instances) {
    Selection former = selections.getOrDefault(inDom, new Selection(!isAdded, new int[0]));
    int[] changed = instances.clone();
    Arrays.sort(changed);
    int[] listed =
        Arrays.stream(former.listed).filter(one -> Arrays.binarySearch(changed, one) < 0).toArray();
    if (former.include != isAdded) {
      listed = IntStream.concat(Arrays.stream(listed), Arrays.stream(changed)).sorted().toArray();
    }
    set(inDom, new Selection(former.include, listed));
  }

  private void set(int inDom, Selection selection) {
    selections.put(inDom, selection);
    update();
  }

  private void update() {
    filter = new InstanceFilter(othersIncluded);
    selections.forEach((inDom, one) -> filter.set(inDom, one.include, one.listed));
  }
}
