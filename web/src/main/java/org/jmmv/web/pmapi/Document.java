package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Optional;
import org.jmmv.web.http.JsonBody;

/** A document that answers a call. It begins with the number of the context. */
abstract class Document extends JsonBody {
  private final Call call;

  Document(Call call) {
    this.call = call;
  }

  final Call call() {
    return call;
  }

  /** Writes the beginning of the document. */
  final void begin(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("context", call.context().number());
    Optional<String> client = call.request().last("client"); // an identifier for the client
    if (client.isPresent()) {
      json.writeStringField("client", client.get());
    }
  }

  /** Writes a member that is a JSON text from a file, one char per byte. */
  static void writeRaw(JsonGenerator json, String name, String value) throws IOException {
    json.writeFieldName(name);
    json.writeRawValue(text(value));
  }

  /**
   * Writes help texts.
   *
   * @param oneLine null: there is none
   * @param help null: the other one stands in for it
   */
  static void writeHelp(JsonGenerator json, String oneLine, String help) throws IOException {
    if (oneLine != null) {
      json.writeStringField("text-oneline", text(oneLine));
    }
    String shown = help == null || help.isEmpty() ? oneLine : help;
    if (shown != null) {
      json.writeStringField("text-help", text(shown));
    }
  }
}
