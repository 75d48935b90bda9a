package org.jmmv.core;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/**
 * The records of several files that together describe one metric, instance domain or label set.
 * They are in byte order of the files' names and, within a file, in the order of the file. An
 * iterator is a snapshot: it does not see later changes.
 */
final class Parts<P extends Parts.Part> implements Iterable<P> {
  /** A record of one file. */
  interface Part {
    ServedFile file();

    /** Returns the record's position among the records of its file. */
    int index();
  }

  private static final Comparator<Part> ORDER =
      Comparator.<Part, String>comparing(part -> part.file().name()).thenComparingInt(Part::index);

  private Part[] parts = {};

  void add(P part) {
    int found = Arrays.binarySearch(parts, part, ORDER);
    int place = found < 0 ? -found - 1 : found;
    Part[] more = new Part[parts.length + 1];
    System.arraycopy(parts, 0, more, 0, place);
    more[place] = part;
    System.arraycopy(parts, place, more, place + 1, parts.length - place);
    parts = more;
  }

  /** Removes the records of a file. */
  void remove(ServedFile file) {
    parts = Arrays.stream(parts).filter(part -> part.file() != file).toArray(Part[]::new);
  }

  boolean isEmpty() {
    return parts.length == 0;
  }

  P first() {
    return list().getFirst();
  }

  @SuppressWarnings("unchecked") // add accepts only elements of type P
  List<P> list() {
    return (List<P>) Arrays.asList(parts);
  }

  @Override
  public Iterator<P> iterator() {
    return list().iterator();
  }
}
