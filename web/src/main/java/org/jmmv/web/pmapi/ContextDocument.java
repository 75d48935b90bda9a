package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.Labels;
import org.jmmv.serving.ThisHost;

/** {@code /pmapi/context}: the number of the context, and what is known of the host. */
final class ContextDocument extends Document {
  ContextDocument(Call call) {
    super(call);
  }

  @Override
  protected List<Step> steps() {
    return List.of(members(this::write));
  }

  private void write(JsonGenerator json) throws IOException {
    Labels labels = merged(List.of());
    writeContext(json);
    json.writeStringField("source", SeriesId.ofSource(labels.identity().json()));
    json.writeStringField("hostspec", FileText.decode(ThisHost.hostname()));
    writeRaw(json, "labels", labels.json());
  }
}
