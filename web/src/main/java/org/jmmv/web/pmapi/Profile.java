package org.jmmv.web.pmapi;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jmmv.core.InstanceFilter;
import org.jmmv.pcp.InDom;
import org.jmmv.web.http.Failure;

/** The instances that a context selects, see pmAddProfile(3) and pmDelProfile(3). */
final class Profile {
  private static final int MAX_INDOMS = 1024;

  /**
   * What is selected of an instance domain.
   *
   * @param include true: all instances but the listed ones; false: only these
   * @param listed sorted instance numbers
   */
  private record Selection(boolean include, int[] listed) {}

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
      throw Call.failure("a profile has at most " + MAX_INDOMS + " instance domains");
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
   */
  void change(int inDom, boolean isAdded, int[] instances) {
    Selection former = selections.getOrDefault(inDom, new Selection(!isAdded, new int[0]));
    IntStream listed =
        former.include == isAdded
            ? without(former.listed, instances)
            : IntStream.concat(Arrays.stream(former.listed), Arrays.stream(instances)).distinct();
    set(inDom, new Selection(former.include, listed.sorted().toArray()));
  }

  private static IntStream without(int[] listed, int[] removed) {
    Set<Integer> all = new HashSet<>();
    Arrays.stream(removed).forEach(all::add);
    return Arrays.stream(listed).filter(number -> !all.contains(number));
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
