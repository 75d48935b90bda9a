package org.jmmv.core.derived;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.KeptValues;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.PmError;

/**
 * A metric whose values follow from those of others by an expression, see pmRegisterDerived(3). It
 * keeps the last values of what its expression says the rate or the difference of.
 *
 * <p>Expressions have one char per byte: the names of instances in them are compared with those of
 * files.
 */
public final class DerivedMetric {
  private final String expression;
  private Program program;

  private DerivedMetric(String expression, Program program) {
    this.expression = expression;
    this.program = program;
  }

  /**
   * Returns the names of the metrics that an expression needs to know, each once.
   *
   * @throws ExpressionException if it can't be read
   */
  public static List<String> names(String expression) throws ExpressionException {
    Parser parser = new Parser(expression);
    parser.parse();
    return parser.names();
  }

  /**
   * Returns a metric.
   *
   * @param metrics the descriptors of {@link #names}, as far as there are such metrics
   * @throws ExpressionException if the expression can't be read, or makes no sense for the metrics
   */
  public static DerivedMetric of(String expression, Map<String, Descriptor> metrics)
      throws ExpressionException {
    return new DerivedMetric(expression, bind(expression, metrics));
  }

  private static Program bind(String expression, Map<String, Descriptor> metrics)
      throws ExpressionException {
    return new Binder(metrics).bind(new Parser(expression).parse());
  }

  /** Returns what its values are. */
  public Descriptor descriptor() {
    return program.descriptor();
  }

  /** Returns the names of the metrics whose values it needs, each once. */
  public List<String> operands() {
    return program.read();
  }

  /**
   * Binds the expression again if metrics have other descriptors than before.
   *
   * @param found the descriptors of metrics that it needs, by their names; others stay as they were
   * @return whether the expression makes sense; if not, it stays as it was
   */
  public boolean bind(Map<String, Descriptor> found) {
    Map<String, Descriptor> changed = new HashMap<>(program.metrics());
    changed.putAll(found);
    if (!changed.equals(program.metrics())) {
      try {
        program = bind(expression, changed);
      } catch (ExpressionException e) {
        return false;
      }
    }
    return true;
  }

  /**
   * Begins to calculate its values, as {@link #bind} makes it. If the expression makes no sense any
   * more, there are none.
   *
   * @param operands the metrics that were found, by their names
   * @param filter the selected instances
   * @param nanos the time of the values, as {@link System#nanoTime}
   */
  public Evaluation evaluate(Map<String, Operand> operands, InstanceFilter filter, long nanos) {
    Map<String, KeptValues> values = new HashMap<>();
    Map<String, Descriptor> found = new HashMap<>();
    operands.forEach((name, operand) -> {
      values.put(name, operand.values());
      found.put(name, operand.descriptor());
    });
    if (!bind(found)) {
      values.replaceAll((_, _) -> KeptValues.ofStatus(PmError.CONV.code()));
    }
    return new Evaluation(program, values, filter, nanos);
  }

  /** Returns what it takes in the heap, in bytes. */
  public long bytes() {
    return HeapSize.ofObject(2, 0) + HeapSize.of(expression) + program.bytes();
  }
}
