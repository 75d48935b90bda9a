package org.jmmv.core;

import java.util.List;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueSink;
import org.jmmv.reader.FileTruncated;

/** A metric that has a name. Its descriptor is that of pmLookupDesc(3). */
public interface Metric {
  /** Returns the PMID. */
  int pmid();

  /** Returns the type: a {@link org.jmmv.pcp.ValueType}, or any other number from a file. */
  int type();

  /** Returns the instance domain, {@link org.jmmv.pcp.InDom#NULL} for a singular metric. */
  int inDom();

  /** Returns the semantics: a {@link org.jmmv.pcp.Semantics}, or any other number from a file. */
  int semantics();

  /** Returns the units as one 32-bit word, see {@link org.jmmv.pcp.Units}. */
  int units();

  /**
   * Returns the full names. There are none if all are also the beginning of other metrics' names,
   * as {@code x} of {@code x.y}, which were granted first.
   */
  List<String> names();

  /** Returns one line of help, or null if there is none. */
  String oneLine();

  /** Returns the help text, or null if there is none. */
  String help();

  /** Returns an upper bound for the number of values that {@link #read} passes to its sink. */
  int maxValues(InstanceFilter filter);

  /**
   * Reads the current values, in the order of the instance domain.
   *
   * @param filter the instances to read; ignored for a singular metric
   * @param sink receives the values, or the reason why there are none
   * @throws FileTruncated if a file was truncated; the sink may have received some values before.
   *     The next call leaves the file out
   */
  void read(InstanceFilter filter, ValueSink sink) throws FileTruncated;

  /**
   * Returns whether clients may store values. If not, a store is answered with {@link
   * PmError#PERMISSION}.
   */
  default boolean isStorable() {
    return false;
  }

  /**
   * Stores a 32-bit value.
   *
   * @return null, or why it can't be stored
   */
  default PmError store(int number) {
    return PmError.PERMISSION;
  }

  /**
   * Stores a string, or the decimal form of a value of another type.
   *
   * @return null, or why it can't be stored
   */
  default PmError store(String text) {
    return PmError.PERMISSION;
  }
}
