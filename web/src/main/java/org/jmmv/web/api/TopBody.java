package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Printable;
import org.jmmv.web.history.Top;
import org.jmmv.web.http.JsonBody;

/** The series that change most, or are largest: {@code top}. */
final class TopBody extends JsonBody implements Top.Filter {
  private final Top top;
  private final Words words;
  private String name = ""; // of the metric whose values are being looked at
  private WordScan scan; // of that metric; null: it has gone
  private int inDom; // its instance domain
  private List<Top.Entry> found = List.of();
  private int written;

  /**
   * Creates a body.
   *
   * @param words those of a search: metrics have them, or else their instances what they lack
   */
  TopBody(Top top, Words words) {
    this.top = top;
    this.words = words;
  }

  @Override
  public long bytes() {
    return super.bytes()
        + top.bytes()
        + words.bytes()
        + HeapSize.of(name)
        + (scan == null ? 0 : scan.bytes())
        + found.size() * Top.ENTRY_BYTES;
  }

  @Override
  protected List<Step> steps() {
    return List.of(
        this::find,
        once(() -> found = top.take()),
        members(json -> MetricJson.writeNow(catalog(), json)),
        array("top", this::writeNext));
  }

  private boolean find(Turn turn) {
    return top.find(this, catalog().begin(new Scope.NoFiles()), turn);
  }

  @Override
  public boolean lookAt(String next, View view, Turn turn) {
    Metric metric = view.metric(next);
    if (metric == null) {
      scan = null;
      return false;
    }
    if (scan == null || !next.equals(name)) {
      name = next;
      scan = new WordScan(words, name, metric);
    }
    inDom = metric.inDom();
    return scan.lookAtLabels(metric, view, turn);
  }

  @Override
  public boolean admits(int instance, View view) {
    return scan != null && (scan.missing() == 0 || scan.admits(view.instances(inDom), instance));
  }

  private boolean writeNext(JsonGenerator json, Turn turn) throws IOException {
    View view = catalog().begin(new Scope.NoFiles());
    while (written < found.size()) {
      write(found.get(written++), view, json);
      if (isFull() || view.isOver(turn)) {
        return true;
      }
    }
    return false;
  }

  /** Writes a series, unless its metric or its instance have gone. */
  private static void write(Top.Entry entry, View view, JsonGenerator json) throws IOException {
    Metric metric = view.metric(entry.metric());
    InstanceTable table =
        metric == null || metric.inDom() == InDom.NULL ? null : view.table(metric.inDom());
    if (metric == null || metric.pmid() != entry.pmid() || !entry.line().isIn(table)) {
      return;
    }
    json.writeStartObject();
    json.writeStringField("metric", FileText.decode(entry.metric()));
    json.writeStringField("pmid", Pmid.toString(entry.pmid()));
    if (table != null) {
      json.writeNumberField("instance", Integer.toUnsignedLong(entry.instance()));
      json.writeStringField("name", Printable.utf8(table.name(table.indexOf(entry.instance()))));
    }
    json.writeStringField("file", Printable.utf8(entry.file().name()));
    json.writeStringField("directory", FileText.decode(entry.file().directory()));
    json.writeNumberField("changes", entry.activity().changes());
    if (Double.isFinite(entry.activity().rate())) {
      json.writeNumberField("rate", entry.activity().rate());
    }
    json.writeStringField("value", entry.value());
    json.writeEndObject();
  }
}
