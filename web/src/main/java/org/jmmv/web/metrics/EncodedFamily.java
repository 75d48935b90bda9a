package org.jmmv.web.metrics;

import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.Scale;

/** An encoded family, but for the labels of its series: these belong to the catalogue. */
final class EncodedFamily {
  final Family.Kind kind;
  final Scale scale; // how values become multiples of the base unit
  final long start; // when its counters have begun, as in Family
  final byte[] head; // what precedes the first series
  final byte[] series; // the name of each series; empty if the format has it in the head

  EncodedFamily(Family family, byte[] head, byte[] series) {
    kind = family.names().kind();
    scale = family.names().scale();
    start = family.start();
    this.head = head;
    this.series = series;
  }

  long bytes() {
    return HeapSize.ofObject(4, Long.BYTES)
        + HeapSize.ofBytes(head.length)
        + HeapSize.ofBytes(series.length);
  }
}
