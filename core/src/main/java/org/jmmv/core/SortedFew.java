package org.jmmv.core;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A sorted set that most often has one element. There is one for each name and one for each metric,
 * and a tree for each would take a quarter of the memory that a metric needs.
 *
 * <p>Adding and removing an element takes logarithmic time.
 */
class SortedFew<E> implements Iterable<E> {
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

  /** Returns the elements in order. */
  Stream<E> stream() {
    return Stream.concat(Stream.ofNullable(first), others == null ? Stream.of() : others.stream());
  }

  @Override
  public Iterator<E> iterator() {
    if (others != null) {
      return stream().iterator();
    }
    List<E> few = first == null ? List.of() : List.of(first);
    return few.iterator();
  }

  @Override
  public void forEach(Consumer<? super E> action) { // without garbage
    if (first != null) {
      action.accept(first);
    }
    if (others != null) {
      others.forEach(action);
    }
  }
}
