package org.jmmv.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * A sorted set that most often has one element. There is one for each name and one for each metric,
 * and a tree for each would take a quarter of the memory that a metric needs.
 *
 * <p>Adding and removing an element takes logarithmic time.
 */
final class SortedFew<E> {
  private final Comparator<? super E> order;
  private E first; // null: the set is empty
  private TreeSet<E> others; // null: there are none

  SortedFew(Comparator<? super E> order) {
    this.order = order;
  }

  boolean isEmpty() {
    return first == null;
  }

  /** Returns the first element, or null if the set is empty. */
  E first() {
    return first;
  }

  /** Returns the element after the first, or null if there is none. */
  E second() {
    return others == null ? null : others.first();
  }

  boolean contains(E element) {
    return first != null
        && (order.compare(element, first) == 0 || (others != null && others.contains(element)));
  }

  /** Adds an element that is not in the set. */
  void add(E element) {
    if (first == null) {
      first = element;
      return;
    }
    if (others == null) {
      others = new TreeSet<>(order);
    }
    if (order.compare(element, first) < 0) {
      others.add(first);
      first = element;
    } else {
      others.add(element);
    }
  }

  /** Removes an element if it is in the set. */
  void remove(E element) {
    if (first == null) {
      return;
    }
    if (order.compare(element, first) == 0) {
      first = others == null ? null : others.pollFirst();
    } else if (others != null) {
      others.remove(element);
    }
    if (others != null && others.isEmpty()) {
      others = null;
    }
  }

  /** Returns a copy, in order. */
  List<E> list() {
    if (others == null) {
      return first == null ? List.of() : List.of(first);
    }
    List<E> all = new ArrayList<>(1 + others.size());
    all.add(first);
    all.addAll(others);
    return all;
  }
}
