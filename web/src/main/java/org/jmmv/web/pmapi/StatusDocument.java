package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.jmmv.core.Turn;
import org.jmmv.web.http.JsonBody;

/** Says whether a request is fulfilled. */
final class StatusDocument extends JsonBody {
  private final OptionalLong context;
  private final Optional<String> error;

  /**
   * Creates a document.
   *
   * @param context the number of the context, as far as there is one
   * @param error why the request is not fulfilled; empty: it is
   */
  StatusDocument(OptionalLong context, Optional<String> error) {
    this.context = context;
    this.error = error;
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException {
    write(json, context, error);
    return false;
  }

  /** Writes such a document. */
  static void write(JsonGenerator json, OptionalLong context, Optional<String> error)
      throws IOException {
    json.writeStartObject();
    if (context.isPresent()) {
      json.writeNumberField("context", context.getAsLong());
    }
    if (error.isPresent()) {
      json.writeStringField("message", error.get());
    }
    json.writeBooleanField("success", error.isEmpty());
    json.writeEndObject();
  }
}
