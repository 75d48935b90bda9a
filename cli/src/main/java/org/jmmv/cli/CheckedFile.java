package org.jmmv.cli;

import java.util.List;
import org.jmmv.reader.fault.Fault;

/**
 * The result of {@code jmmv check} for an entry of the directory.
 *
 * @param name the entry's name, one char per byte
 * @param isServed whether the agent serves the file, at least a part of it
 * @param served the number of metrics that are served under their names
 * @param metrics the number of entries of all METRICS sections, 0 if the file is not served
 * @param faults what is wrong with it, and hints; never empty for a file that is not served
 */
record CheckedFile(String name, boolean isServed, long served, long metrics, List<Fault> faults) {
  /** Creates the result for an entry of which nothing is served. */
  static CheckedFile notServed(String name, List<Fault> faults) {
    return new CheckedFile(name, false, 0, 0, faults);
  }

  /** Returns whether all of the file is served: there may be hints. */
  boolean isGood() {
    return faults.stream().allMatch(Fault::isHint);
  }

  /** Returns "served", "partly served" or "not served". */
  String state() {
    return isGood() ? "served" : isServed ? "partly served" : "not served";
  }
}
