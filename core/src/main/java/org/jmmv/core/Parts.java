package org.jmmv.core;

import java.util.Comparator;
import org.jmmv.reader.fault.FileName;

/**
 * The records of several files that together describe one metric, instance domain or label set.
 * They are in the order of {@link FileName} and, within a file, in the order of the file.
 *
 * <p>Adding or removing a record takes logarithmic time, because files can contribute a hundred
 * thousand records to the same metric.
 */
final class Parts<P extends Parts.Part> extends SortedFew<P> {
  /** A record of one file. */
  interface Part {
    ServedFile file();

    /** Returns the record's position among the records of its file. */
    int index();
  }

  private static final Comparator<Part> ORDER =
      Comparator.<Part, FileName>comparing(part -> part.file().id()).thenComparingInt(Part::index);

  /** The number of the last request that has checked the files of these records for changes. */
  long checkedBy;

  Parts() {
    super(ORDER);
  }
}
