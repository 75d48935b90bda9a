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
final class FileRecords<R extends FileRecord> extends SortedFew<R> {
  private static final Comparator<FileRecord> ORDER =
      Comparator.<FileRecord, FileName>comparing(record -> record.file().id())
          .thenComparingInt(FileRecord::index);

  /** The number of the last request that has checked the files of these records for changes. */
  long checkedBy;

  FileRecords() {
    super(ORDER);
  }
}
