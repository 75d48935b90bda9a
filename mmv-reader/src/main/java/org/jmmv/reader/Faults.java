package org.jmmv.reader;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

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
   * Adds a fault.
   *
   * @param kind the kind of fault, one of few; for example the reason without its numbers
   * @param fault creates the fault; it is called only for the first fault of a kind
   */
  public void add(String kind, Supplier<MmvFault> fault) {
    Group group = groups.get(kind);
    if (group == null) {
      groups.put(kind, new Group(fault.get()));
    } else {
      group.more++;
    }
  }

  /** Returns the first fault of each kind, in the order in which the kinds were first added. */
  public List<MmvFault> list() {
    List<MmvFault> list = new ArrayList<>(groups.size());
    groups.values().forEach(group -> list.add(group.first.andMore(group.more)));
    return List.copyOf(list);
  }
}
