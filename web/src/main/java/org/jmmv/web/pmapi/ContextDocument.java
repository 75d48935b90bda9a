package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jmmv.core.Turn;

/** {@code /pmapi/context}: the number of the context, and what is known of the host. */
final class ContextDocument extends Document {
  private final String hostname;

  ContextDocument(Call call, String hostname) {
    super(call);
    this.hostname = hostname;
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException {
    MergedLabels labels = MergedLabels.ofContext(hostLabels());
    begin(json);
    json.writeStringField("source", SeriesId.ofSource(labels.identity()));
    json.writeStringField("hostspec", text(hostname));
    writeRaw(json, "labels", labels.json());
    json.writeEndObject();
    return false;
  }
}
