package org.jmmv.core;

import java.util.List;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueSink;
import org.jmmv.reader.FileCutOff;

/** A metric that has a name, as clients see it: pmLookupDesc(3). */
public interface Metric {
  /** The PMID. */
  int pmid();

  /** One of {@link org.jmmv.pcp.ValueType}, or any other number that a file holds. */
  int type();

  /** The instance domain, {@link org.jmmv.pcp.InDom#NULL} for a singular metric. */
  int inDom();

  /** One of {@link org.jmmv.pcp.Semantics}, or any other number that a file holds. */
  int semantics();

  /** The units as one word, see {@link org.jmmv.pcp.Units}. */
  int units();

  /** The full names, at least one. */
  List<String> names();

  /** One line of help, or null if there is none. */
  String oneLine();

  /** The help text, or null if there is none. */
  String help();

  /** The number of values that {@link #read} hands over at most. */
  int mostValues(InstanceFilter filter);

  /**
   * Reads the values as they are now, in the order of the instance domain.
   *
   * @param filter which instances are wanted; of no concern to a singular metric
   * @throws FileCutOff if a file was cut short; the sink may have got some values by then
   */
  void read(InstanceFilter filter, ValueSink sink) throws FileCutOff;

  /** Whether clients may try to store a value; otherwise a store is not permitted. */
  default boolean isStorable() {
    return false;
  }

  /**
   * Stores a 32-bit number.
   *
   * @return null, or why it can't be stored
   */
  default PmError store(int number) {
    return PmError.PERMISSION;
  }

  /**
   * Stores a text, or a number of another type as text.
   *
   * @return null, or why it can't be stored
   */
  default PmError store(String text) {
    return PmError.PERMISSION;
  }
}
