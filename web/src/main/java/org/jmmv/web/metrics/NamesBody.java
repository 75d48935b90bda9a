package org.jmmv.web.metrics;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jmmv.core.Turn;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import org.jmmv.web.http.JsonBody;

/** The names of all metrics in Prometheus, and those of metrics that are left out. */
final class NamesBody extends JsonBody {
  private final long epoch;
  private final PlanCache.Entry plans;
  private Plan plan; // null: not made yet
  private Iterator<EncodedFamily> families;
  private Iterator<Map.Entry<String, String>> conflicts; // null: there are families to write

  /**
   * Creates a body.
   *
   * @param epoch that of the catalogue
   */
  NamesBody(long epoch, PlanCache.Entry plans) {
    this.epoch = epoch;
    this.plans = plans;
  }

  @Override
  public long bytes() {
    return plans.bytes(plan);
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException {
    if (plan == null) {
      plan = plans.advance(turn).orElse(null);
    } else if (families == null) {
      families = plan.families().iterator();
      json.writeStartObject();
      json.writeNumberField("epoch", epoch);
      json.writeNumberField("version", plan.version());
      json.writeNumberField("unsuited", plan.unsuited());
      json.writeArrayFieldStart("families");
    } else if (families.hasNext()) {
      write(families.next().family, json);
    } else if (conflicts == null) {
      conflicts = plan.conflicts().entrySet().iterator();
      json.writeEndArray();
      json.writeArrayFieldStart("conflicts");
    } else if (conflicts.hasNext()) {
      Map.Entry<String, String> conflict = conflicts.next();
      json.writeStartObject();
      json.writeStringField("metric", conflict.getKey());
      json.writeStringField("takenBy", conflict.getValue());
      json.writeEndObject();
    } else {
      json.writeEndArray();
      json.writeEndObject();
      return false;
    }
    return true;
  }

  private void write(Family family, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("metric", family.source().name());
    json.writeStringField("name", family.series());
    json.writeStringField("type", family.kind().name().toLowerCase(Locale.ROOT));
    json.writeEndObject();
  }
}
