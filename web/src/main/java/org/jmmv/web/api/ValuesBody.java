package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.KeptValues;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.ValueCursor;
import org.jmmv.core.View;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.ValueType;
import org.jmmv.web.http.JsonBody;

/** The current values of a subscription, in its order: at least a step for each metric. */
final class ValuesBody extends JsonBody {
  private final Subscription wanted;
  private final String prefix;
  private final String[] values; // null: there is none
  private long textBytes;
  private int read; // number of series
  private ValueCursor cursor; // of the next series; null: none of its values is read
  private int written; // likewise

  /**
   * Creates a body.
   *
   * @param prefix what comes before the document
   */
  ValuesBody(Subscription wanted, String prefix) {
    this.wanted = wanted;
    this.prefix = prefix;
    values = new String[wanted.size()];
  }

  @Override
  public long bytes() {
    return super.bytes()
        + wanted.bytes()
        + HeapSize.ofReferences(values.length)
        + textBytes
        + (cursor == null ? 0 : cursor.bytes());
  }

  @Override
  protected List<Step> steps() {
    return List.of(
        this::readNext, raw(prefix), members(this::write), array("values", this::writeValues));
  }

  private boolean readNext(Turn turn) {
    if (read == wanted.size()) {
      return false;
    }
    int end = wanted.end(read);
    read(wanted.pmid(read), wanted.instances(read, end), turn);
    read = cursor == null ? end : read;
    return true;
  }

  private void write(JsonGenerator json) throws IOException {
    MetricJson.writeNow(catalog(), json);
  }

  private boolean writeValues(JsonGenerator json, Turn turn) throws IOException {
    while (written < values.length) {
      json.writeString(values[written++]); // null if there is none
      if (isFull() || turn.isOver()) {
        return true;
      }
    }
    return false;
  }

  /** Reads values of a metric, or goes on with it. */
  private void read(int pmid, int[] instances, Turn turn) {
    View view = catalog().begin(new Scope.OfMetric(pmid));
    Metric metric = view.metric(pmid);
    KeptValues found = new KeptValues();
    if (cursor != null) {
      cursor = cursor.readNext(view, turn, found);
    } else if (metric != null) {
      cursor = view.read(metric, filter(metric, instances), turn, found);
    }
    for (int i = 0; i < found.count(); i++) {
      int instance = found.instance(i);
      int position = wanted.position(pmid, instance);
      if (position >= 0 // or the metric has become singular, or has got instances
          && wanted.isMeant(position, metric, instance, view)) {
        values[position] = text(found, i);
        textBytes += HeapSize.of(values[position]);
      }
    }
  }

  private static InstanceFilter filter(Metric metric, int[] instances) {
    InstanceFilter filter = new InstanceFilter(false);
    if (metric.inDom() != InDom.NULL) {
      filter.set(metric.inDom(), false, instances);
    }
    return filter;
  }

  /** Returns a value as a text: JSON's numbers are not exact beyond 53 bits. */
  private static String text(KeptValues values, int index) {
    return values.type() == ValueType.STRING
        ? FileText.decode(values.text(index))
        : ValueType.decimal(values.type(), values.bits(index));
  }
}
