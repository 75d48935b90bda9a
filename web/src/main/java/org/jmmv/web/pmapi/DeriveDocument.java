package org.jmmv.web.pmapi;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Optional;
import org.jmmv.core.Turn;
import org.jmmv.pcp.HeapSize;
import org.jmmv.web.http.Failure;

/**
 * {@code /pmapi/derive}: gives a metric a further name. That is all of pmRegisterDerived(3) that is
 * supported: grafana-pcp takes a name for an expression if one of its parts has a single letter.
 */
final class DeriveDocument extends Document {
  private final Contexts contexts;
  private final String name;
  private final String metric;

  DeriveDocument(Call call, Contexts contexts) throws Failure {
    super(call);
    this.contexts = contexts;
    Optional<String> given = call.first("name");
    Optional<String> expression = call.first("expr");
    if (given.isEmpty() || expression.isEmpty()) {
      throw BadRequest.of("invalid derive parameters");
    }
    name = encoded(given.get());
    metric = encoded(expression.get());
  }

  @Override
  protected boolean writeNext(JsonGenerator json, Turn turn) throws IOException, Failure {
    if (find(metric).metric() == null) {
      throw BadRequest.of(
          "derived metrics are not supported, and no metric has the name " + text(metric));
    }
    context().derive(name, context().metric(metric));
    contexts.charge(context());
    writeSuccess(json);
    return false;
  }

  @Override
  public long bytes() {
    return super.bytes() + HeapSize.of(name) + HeapSize.of(metric);
  }
}
