package org.jmmv.cli.top;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jmmv.config.Converters;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.KeptValues;
import org.jmmv.core.Metric;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.core.derived.DerivedMetric;
import org.jmmv.core.derived.Descriptor;
import org.jmmv.core.derived.Evaluation;
import org.jmmv.core.derived.ExpressionException;
import org.jmmv.core.derived.Operand;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.Pmid;

/** The derived metrics that the user has defined. Their PMIDs are in a domain of their own. */
final class Expressions {
  /**
   * A definition.
   *
   * @param name of the derived metric
   * @param expression one char per byte
   */
  record Definition(String name, String expression) {
    /**
     * Reads {@code NAME=EXPRESSION}.
     *
     * @throws IllegalArgumentException if there is no name
     */
    static Definition parse(String text) {
      int end = text.indexOf('=');
      String name = end < 0 ? "" : text.substring(0, end).strip();
      if (!name.matches("[A-Za-z]\\w*(\\.[A-Za-z]\\w*)*")) {
        throw Converters.wrong("a name, \"=\" and an expression", text);
      }
      return new Definition(name, FileText.encode(text.substring(end + 1)));
    }
  }

  static final Expressions NONE = new Expressions(List.of(), List.of());

  private final List<Definition> definitions;
  private final List<DerivedMetric> metrics; // of each definition

  private Expressions(List<Definition> definitions, List<DerivedMetric> metrics) {
    this.definitions = definitions;
    this.metrics = metrics;
  }

  /**
   * Defines derived metrics by those that a view has.
   *
   * @throws IOException if an expression is wrong, or a name is that of another metric
   */
  static Expressions of(List<Definition> definitions, View view) throws IOException {
    List<DerivedMetric> metrics = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Definition one : definitions) {
      if (!names.add(one.name) || view.metric(one.name) != null) {
        throw new IOException(one.name + " is the name of another metric");
      }
      try {
        metrics.add(derived(one.expression, view));
      } catch (ExpressionException e) {
        throw new IOException(one.name + ": " + e.in(one.expression), e);
      }
    }
    return new Expressions(definitions, metrics);
  }

  private static DerivedMetric derived(String expression, View view) throws ExpressionException {
    Map<String, Descriptor> descriptors = new HashMap<>();
    for (String name : DerivedMetric.names(expression)) {
      Metric metric = view.metric(name);
      if (metric != null) {
        descriptors.put(name, Descriptor.of(metric));
      }
    }
    return DerivedMetric.of(expression, descriptors);
  }

  /** Returns the PMID of a derived metric, by its index. */
  static int pmid(int index) {
    return Pmid.build(Pmid.DERIVED_DOMAIN, 0, index);
  }

  int count() {
    return definitions.size();
  }

  String name(int index) {
    return definitions.get(index).name;
  }

  Descriptor descriptor(int index) {
    return metrics.get(index).descriptor();
  }

  /** Calculates the values of a derived metric, of which the descriptor may have become another. */
  KeptValues read(int index, View view) {
    DerivedMetric metric = metrics.get(index);
    Map<String, Operand> operands = new HashMap<>();
    for (String name : metric.operands()) {
      Metric needed = view.metric(name);
      if (needed != null) {
        KeptValues values = new KeptValues();
        view.read(needed, InstanceFilter.ALL, Turn.ENDLESS, values);
        operands.put(name, new Operand(Descriptor.of(needed), values));
      }
    }
    Evaluation evaluation = metric.evaluate(operands, InstanceFilter.ALL, System.nanoTime());
    var _ = evaluation.goOn(view::table, Turn.ENDLESS); // to the end
    return evaluation.result();
  }
}
