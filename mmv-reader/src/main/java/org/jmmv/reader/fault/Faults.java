package org.jmmv.reader.fault;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Collects the faults of a file. Of all faults of one kind, only the first ones are kept, with the
 * number of the others, because a file can have a fault in each of its millions of records.
 */
public final class Faults {
  private final int max;
  private final Map<FaultKind, Group> groups = new LinkedHashMap<>();

  /** The faults of one kind. */
  private static final class Group {
    final List<Fault> first = new ArrayList<>(1);
    int count;
  }

  /** Collects the first fault of each kind, as for the log. */
  public Faults() {
    this(1);
  }

  /**
   * Collects the first faults of each kind.
   *
   * @param max the maximum number of faults of a kind that are kept, at least 1
   */
  public Faults(int max) {
    this.max = max;
  }

  /** Counts a fault, and creates it if it is among the first of its kind. */
  public void add(FaultKind kind, Supplier<Fault> fault) {
    Group group = groups.computeIfAbsent(kind, _ -> new Group());
    if (group.count++ < max) {
      group.first.add(fault.get());
    }
  }

  /**
   * Returns the first faults of each kind, the last of them with the number of the others. The
   * kinds are in the order in which they were first found.
   */
  public List<Fault> list() {
    List<Fault> list = new ArrayList<>(groups.size());
    for (Group group : groups.values()) {
      list.addAll(group.first);
      list.addLast(list.removeLast().withMore(group.count - group.first.size()));
    }
    return List.copyOf(list);
  }
}
