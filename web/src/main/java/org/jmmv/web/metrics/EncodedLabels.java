package org.jmmv.web.metrics;

import java.util.List;
import org.jmmv.pcp.Labels;

/**
 * The encoded labels of the last family. Thousands of metrics share their labels, which may take
 * 200 KB: to encode them takes a hundred times as long as to copy them.
 */
final class EncodedLabels {
  private final Bytes bytes = new Bytes();
  private List<Labels> sets = List.of();

  /** Encodes labels. */
  interface Encoder {
    void add(List<LabelPair> labels, Bytes to);
  }

  /** Returns sets of labels, encoded. They are valid until the next call. */
  Bytes of(List<Labels> next, Encoder encoder) {
    if (!next.equals(sets)) {
      bytes.truncate(0);
      encoder.add(LabelPair.of(next), bytes);
      sets = next;
    }
    return bytes;
  }
}
