package org.jmmv.web.metrics;

import java.util.List;
import java.util.Map;

/**
 * The families of all metrics, in the order in which they are written.
 *
 * @param version the version of the catalogue that it was made of
 * @param families those that are written, by the byte order of their names in PCP
 * @param conflicts by the names in PCP of metrics that are left out, those of the metrics that have
 *     their names in Prometheus
 * @param unsuited the number of metrics that are left out because of their type
 */
record Plan(
    long version, List<EncodedFamily> families, Map<String, String> conflicts, int unsuited) {
  private static final int FAMILY_BYTES = 500;

  /** Returns what it takes in the heap, in bytes. */
  long bytes() {
    return bytes(families.size() + conflicts.size());
  }

  /** Returns what a plan for so many metrics takes. */
  static long bytes(int metrics) {
    return (long) FAMILY_BYTES * metrics;
  }
}
