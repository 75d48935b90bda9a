package org.jmmv.reader;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects faults. Of all faults of one kind, only the first ones are kept, with the number of the
 * others, because a file can have a fault in each of its millions of records. For the log, only the
 * very first one is kept.
 */
public final class Faults {
  private final int most;
  private final Map<String, Group> groups = new LinkedHashMap<>();

  private static final class Group {
    final List<MmvFault> first = new ArrayList<>(1);
    int more;
  }

  /** Collects the first fault of each kind. */
  public Faults() {
    this(1);
  }

  /**
   * Collects the first faults of each kind.
   *
   * @param most the maximum number of faults of a kind that are kept, at least 1
   */
  Faults(int most) {
    this.most = most;
  }

  /**
   * Returns whether a fault is among the first of its kind. Otherwise one more is counted. The
   * caller then adds the fault, and does not create it in vain.
   *
   * @param kind the kind of fault, one of few; for example the reason without its numbers
   */
  public boolean isFirst(String kind) {
    Group group = groups.get(kind);
    if (group == null || group.first.size() < most) {
      return true;
    }
    group.more++;
    return false;
  }

  boolean isEmpty() {
    return groups.isEmpty();
  }

  /** Returns the maximum number of faults of a kind that are kept. */
  int most() {
    return most;
  }

  /** Counts more faults of a kind that has a first one. */
  void more(String kind, int count) {
    groups.get(kind).more += count;
  }

  /** Adds one of the first faults of a kind. */
  public void add(String kind, MmvFault first) {
    groups.computeIfAbsent(kind, _ -> new Group()).first.add(first);
  }

  /**
   * Returns the first faults of each kind, the last of them with the number of the others. The
   * kinds are in the order in which they were first added.
   */
  public List<MmvFault> list() {
    List<MmvFault> list = new ArrayList<>(groups.size());
    for (Group group : groups.values()) {
      list.addAll(group.first);
      list.addLast(list.removeLast().andMore(group.more));
    }
    return List.copyOf(list);
  }
}
