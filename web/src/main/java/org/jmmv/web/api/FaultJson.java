package org.jmmv.web.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Locale;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.Place;

/** Faults in JSON, the same for {@code /api/v1} and {@code jmmv check --json}. */
public final class FaultJson {
  private FaultJson() {}

  /** Writes the members of the object that stands for a fault. */
  public static void writeMembers(Fault fault, JsonGenerator json) throws IOException {
    Place place = fault.place();
    json.writeStringField("code", fault.kind().code());
    json.writeStringField("severity", fault.kind().severity().name().toLowerCase(Locale.ROOT));
    if (place.section() != Place.Section.FILE) {
      json.writeStringField("section", place.section().toString());
      if (place.index() >= 0) {
        json.writeNumberField("entry", place.index());
      }
      json.writeNumberField("offset", place.offset());
    }
    json.writeStringField("problem", fault.problem());
    json.writeStringField("lost", fault.loss());
    json.writeStringField("toDo", fault.kind().advice());
    json.writeNumberField("more", fault.more());
  }
}
