package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import org.jmmv.core.KeptValues;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.TextList;
import org.jmmv.pcp.ValueType;

/** A metric of a fetch, whose values are kept until they are written. */
final class FetchedMetric {
  private final int pmid;
  private final TextList names = new TextList(); // files that share a metric may give it many
  private final KeptValues values;

  FetchedMetric(int pmid, List<String> names, KeptValues values) {
    this.pmid = pmid;
    names.forEach(this.names::add);
    this.values = values;
  }

  int pmid() {
    return pmid;
  }

  TextList names() {
    return names;
  }

  int count() {
    return values.count();
  }

  /**
   * Writes a value. A number that JSON does not have, such as NaN, is null.
   *
   * @param index its index
   */
  void write(JsonGenerator json, int index) throws IOException {
    json.writeStartObject();
    json.writeFieldName("instance");
    if (values.instance(index) == Instance.NULL) {
      json.writeNull();
    } else {
      json.writeNumber(Integer.toUnsignedLong(values.instance(index))); // as pmproxy
    }
    json.writeFieldName("value");
    if (values.type() == ValueType.STRING) {
      json.writeString(FileText.decode(values.text(index)));
    } else {
      writeNumber(json, values.bits(index));
    }
    json.writeEndObject();
  }

  private void writeNumber(JsonGenerator json, long bits) throws IOException {
    if (Double.isFinite(ValueType.number(values.type(), bits))) {
      json.writeNumber(ValueType.decimal(values.type(), bits));
    } else {
      json.writeNull();
    }
  }

  /** Returns what it takes in the heap, in bytes, without the values, which others may share. */
  long bytes() {
    return HeapSize.ofObject(2, Integer.BYTES) + names.bytes();
  }
}
