package org.jmmv.core;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jmmv.reader.fault.FileName;

/**
 * The records of several files that together describe one metric, instance domain or label set.
 * They are in the order of {@link FileName} and, within a file, in the order of the file. An
 * iterator is a snapshot: it does not see later changes.
 *
 * <p>Adding or removing a record takes logarithmic time, because files can contribute a hundred
 * thousand records to the same metric.
 */
final class Parts<P extends Parts.Part> implements Iterable<P> {
  /** A record of one file. */
  interface Part {
    ServedFile file();

    /** Returns the record's position among the records of its file. */
    int index();
  }

  private static final Comparator<Part> ORDER =
      Comparator.<Part, FileName>comparing(part -> part.file().id()).thenComparingInt(Part::index);

  private final SortedFew<P> parts = new SortedFew<>(ORDER);
  private List<P> list; // the same records for fast iteration; null after a change

  /** The number of the last request that has checked the files of these records for changes. */
  long checkedBy;

  void add(P part) {
    parts.add(part);
    list = null;
  }

  /** Removes the record that has the same file and index. */
  void remove(P part) {
    parts.remove(part);
    list = null;
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  P first() {
    return parts.first();
  }

  /** Returns the record after the first, or null if there is none. */
  P second() {
    return parts.second();
  }

  List<P> list() {
    if (list == null) {
      list = parts.list();
    }
    return list;
  }

  @Override
  public Iterator<P> iterator() {
    return list().iterator();
  }
}
