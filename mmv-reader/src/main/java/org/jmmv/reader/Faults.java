package org.jmmv.reader;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects faults for the log. Of all faults of one kind, only the first is kept, with the number
 * of the others, because a file can have a fault in each of its millions of records.
 */
public final class Faults {
  private final Map<String, Group> groups = new LinkedHashMap<>();

  private static final class Group {
    final MmvFault first;
    int more;

    Group(MmvFault first) {
      this.first = first;
    }
  }

  /**
   * Returns whether there is no fault of a kind yet. Otherwise one more is counted. The caller then
   * adds the fault, and does not create it in vain.
   *
   * @param kind the kind of fault, one of few; for example the reason without its numbers
   */
  public boolean isFirst(String kind) {
    Group group = groups.get(kind);
    if (group != null) {
      group.more++;
    }
    return group == null;
  }

  boolean isEmpty() {
    return groups.isEmpty();
  }

  /** Counts more faults of a kind that has a first one. */
  void more(String kind, int count) {
    groups.get(kind).more += count;
  }

  /** Adds the first fault of a kind. */
  public void add(String kind, MmvFault first) {
    groups.put(kind, new Group(first));
  }

  /** Returns the first fault of each kind, in the order in which the kinds were first added. */
  public List<MmvFault> list() {
    List<MmvFault> list = new ArrayList<>(groups.size());
    groups.values().forEach(group -> list.add(group.first.andMore(group.more)));
    return List.copyOf(list);
  }
}
