package org.jmmv.web.pmapi;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jmmv.core.Metric;
import org.jmmv.core.derived.DerivedMetric;
import org.jmmv.core.derived.Descriptor;
import org.jmmv.core.derived.ExpressionException;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.HeapSize;
import org.jmmv.web.http.Failure;

/**
 * {@code /pmapi/derive}: defines a derived metric in the context, see pmAddDerived(3). One of the
 * same name is replaced.
 */
final class DeriveDocument extends Document {
  private final Contexts contexts;
  private final String name;
  private final String expression;
  private final List<String> names; // of the metrics in the expression
  private final Map<String, Descriptor> metrics = new HashMap<>(); // those that exist
  private int next; // of the names

  DeriveDocument(Call call, Contexts contexts) throws Failure {
    super(call);
    this.contexts = contexts;
    Optional<String> given = call.first("name");
    Optional<String> expr = call.first("expr");
    if (given.isEmpty() || expr.isEmpty()) {
      throw Failure.badRequest("invalid derive parameters");
    }
    name = FileText.encode(given.get());
    expression = FileText.encode(expr.get());
    try {
      names = DerivedMetric.names(expression);
    } catch (ExpressionException e) {
      throw failure("Syntax Error", e);
    }
  }

  /**
   * Returns an error.
   *
   * @param kind as pmDerivedErrStr(3) has it: Grafana's plugin looks for it, and otherwise tells
   *     its user to check the settings of pmproxy
   */
  private Failure failure(String kind, ExpressionException why) {
    return Failure.badRequest(FileText.decode(name) + ": " + kind + ": " + why.in(expression));
  }

  @Override
  protected List<Step> steps() {
    return List.of(_ -> lookUpNext(), once(this::define), success());
  }

  /** Looks up the next metric of the expression. Returns whether there are more. */
  private boolean lookUpNext() {
    if (next < names.size()) {
      Metric metric = find(names.get(next)).metric();
      if (metric != null) {
        metrics.put(names.get(next), Descriptor.of(metric));
      }
      next++;
    }
    return next < names.size();
  }

  private void define() throws Failure {
    if (find(name).metric() != null) {
      throw Failure.badRequest(FileText.decode(name) + " is the name of a metric");
    }
    try {
      context().define(name, DerivedMetric.of(expression, metrics));
    } catch (ExpressionException e) {
      throw failure("Semantic Error", e);
    }
    contexts.charge(context());
  }

  @Override
  public long bytes() {
    long ofNames = names.stream().mapToLong(HeapSize::of).sum();
    long found =
        metrics.values().stream().mapToLong(one -> HeapSize.ofHashEntry() + one.bytes()).sum();
    return super.bytes()
        + HeapSize.of(name)
        + HeapSize.of(expression)
        + HeapSize.ofReferences(names.size())
        + ofNames
        + found;
  }
}
