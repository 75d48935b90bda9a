package org.jmmv.pmda;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/**
 * What several files say of the same thing, in byte order of the files' names and, within a file,
 * in the file's order.
 *
 * <p>Whoever goes through the parts sees them as they were when he began, even if files come or go
 * meanwhile.
 */
final class Parts<P extends Parts.Part> implements Iterable<P> {
  /** What one file says. */
  interface Part {
    Source source();

    /** The place in the file. */
    int index();
  }

  private static final Comparator<Part> ORDER =
      (one, other) -> {
        int files = one.source().name().compareTo(other.source().name());
        return files != 0 ? files : Integer.compare(one.index(), other.index());
      };

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

  /** Takes away what a file said. */
  void remove(Source source) {
    parts = Arrays.stream(parts).filter(part -> part.source() != source).toArray(Part[]::new);
  }

  boolean isEmpty() {
    return parts.length == 0;
  }

  P first() {
    return list().getFirst();
  }

  @SuppressWarnings("unchecked") // only add puts something in
  List<P> list() {
    return (List<P>) Arrays.asList(parts);
  }

  @Override
  public Iterator<P> iterator() {
    return list().iterator();
  }
}
