package org.jmmv.web.pmapi;

import java.util.List;
import java.util.Optional;
import org.jmmv.pcp.FileText;
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
      throw Failure.badRequest("invalid derive parameters");
    }
    name = FileText.encode(given.get());
    metric = FileText.encode(expression.get());
  }

  @Override
  protected List<Step> steps() {
    return List.of(once(this::derive), success());
  }

  private void derive() throws Failure {
    if (find(metric).metric() == null) {
      throw Failure.badRequest(
          "derived metrics are not supported, and no metric has the name "
              + FileText.decode(metric));
    }
    context().derive(name, context().metric(metric));
    contexts.charge(context());
  }

  @Override
  public long bytes() {
    return super.bytes() + HeapSize.of(name) + HeapSize.of(metric);
  }
}
