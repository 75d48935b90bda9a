package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jmmv.core.Metric;
import org.jmmv.core.View;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;

/** The names of metrics in their order, one after the other, while names come and go. */
final class MetricNames {
  private static final String PMCD = "pmcd.";

  private String last; // the name before
  private String next; // null: there are no more

  /**
   * Creates a cursor, for {@link #lookFurther} to begin with.
   *
   * @param after the name after which they come; empty: the first ones
   */
  MetricNames(String after) {
    last = after;
    next = after;
  }

  /** Goes to the next name. */
  void lookFurther(View view) {
    last = next;
    next = view.names().nextBelow("", last);
  }

  boolean isOver() {
    return next == null;
  }

  /** Returns the current name. */
  String next() {
    return next;
  }

  /** Returns the metric; null if it has gone, or is one of pmcd's, for which PCP's clients ask. */
  Metric metric(View view) {
    return next.startsWith(PMCD) ? null : view.metric(next);
  }

  /** Writes where the next document begins. */
  void writeNext(JsonGenerator json) throws IOException {
    if (next != null) {
      json.writeStringField("next", FileText.decode(last));
    }
  }

  /** Returns what is kept, in bytes. */
  long bytes() {
    return HeapSize.of(last) + HeapSize.of(next);
  }
}
