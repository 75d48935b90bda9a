package org.jmmv.core.derived;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.KeptValues;
import org.jmmv.core.Turn;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;

/** Metrics with the values that a test gives them, and expressions over these. */
final class Metrics {
  private static final int DISKS = 1;
  private static final int NETS = 2;

  private final Map<String, Operand> operands = new LinkedHashMap<>();
  private final Map<Integer, InstanceTable> tables = new HashMap<>();
  private InstanceFilter filter = InstanceFilter.ALL;
  private long nanos;

  /** Returns a metric's descriptor. {@code units} are as people write them. */
  static Descriptor descriptor(int type, int inDom, int semantics, String units) {
    return new Descriptor(type, inDom, semantics, Units.parse(units));
  }

  /** Adds a singular metric, an instant value without units. */
  Metrics singular(String name, int type, long bits) {
    return singular(name, descriptor(type, InDom.NULL, Semantics.INSTANT, ""), bits);
  }

  Metrics singular(String name, Descriptor descriptor, long bits) {
    KeptValues values = new KeptValues();
    values.add(descriptor.type(), Instance.NULL, bits);
    operands.put(name, new Operand(descriptor, values));
    return this;
  }

  Metrics text(String name, String value) {
    KeptValues values = new KeptValues();
    byte[] bytes = value.getBytes(UTF_8);
    values.text(Instance.NULL, bytes, 0, bytes.length);
    Descriptor descriptor = descriptor(ValueType.STRING, InDom.NULL, Semantics.DISCRETE, "");
    operands.put(name, new Operand(descriptor, values));
    return this;
  }

  /** Adds a metric with a value for each of some instances. */
  Metrics set(String name, Descriptor descriptor, Map<Integer, Long> values) {
    KeptValues set = new KeptValues();
    new TreeMap<>(values).forEach((instance, value) -> set.add(descriptor.type(), instance, value));
    operands.put(name, new Operand(descriptor, set));
    return this;
  }

  Metrics disks(String name, int type, Map<Integer, Long> values) {
    return set(name, descriptor(type, DISKS, Semantics.INSTANT, ""), values);
  }

  Metrics nets(String name, int type, Map<Integer, Long> values) {
    return set(name, descriptor(type, NETS, Semantics.INSTANT, ""), values);
  }

  /** Adds a metric that can't be read. */
  Metrics failing(String name, int status) {
    Descriptor descriptor = descriptor(ValueType.I32, DISKS, Semantics.INSTANT, "");
    operands.put(name, new Operand(descriptor, KeptValues.ofStatus(status)));
    return this;
  }

  Metrics without(String name) {
    operands.remove(name);
    return this;
  }

  Metrics instances(Instance... all) {
    tables.put(DISKS, InstanceTable.of(List.of(all)));
    return this;
  }

  Metrics select(InstanceFilter selected) {
    filter = selected;
    return this;
  }

  Metrics after(double seconds) {
    nanos += (long) (seconds * 1e9);
    return this;
  }

  DerivedMetric derive(String expression) throws ExpressionException {
    Map<String, Descriptor> descriptors = new HashMap<>();
    operands.forEach((name, operand) -> descriptors.put(name, operand.descriptor()));
    return DerivedMetric.of(FileText.encode(expression), descriptors);
  }

  Evaluation evaluation(DerivedMetric metric) {
    Map<String, Operand> needed = new HashMap<>(operands);
    needed.keySet().retainAll(metric.operands());
    return metric.evaluate(needed, filter, nanos);
  }

  KeptValues read(DerivedMetric metric) {
    Evaluation evaluation = evaluation(metric);
    while (evaluation.goOn(this::table, Turn.OVER)) {
      // the next step
    }
    return evaluation.result();
  }

  InstanceTable table(int inDom) {
    return tables.getOrDefault(inDom, InstanceTable.of(List.of()));
  }

  /** Returns the values of an expression: {@code 5}, or {@code {1=5, 2=7}} by instances. */
  String value(String expression) throws ExpressionException {
    return shown(read(derive(expression)));
  }

  static String shown(KeptValues values) {
    if (values.count() == 1 && values.instance(0) == Instance.NULL) {
      return shown(values, 0);
    }
    Map<Integer, String> all = new LinkedHashMap<>();
    for (int i = 0; i < values.count(); i++) {
      all.put(values.instance(i), shown(values, i));
    }
    return values.count() == 0 && values.status() < 0
        ? "status " + values.status()
        : all.toString();
  }

  private static String shown(KeptValues values, int index) {
    return values.type() == ValueType.STRING
        ? FileText.decode(values.text(index))
        : ValueType.decimal(values.type(), values.bits(index));
  }

  /**
   * Returns a descriptor as {@code u64 counter Kbyte / sec}, with its instance domain at the end.
   */
  String described(String expression) throws ExpressionException {
    Descriptor of = derive(expression).descriptor();
    String units = of.units().toString();
    return ValueType.toString(of.type())
        + " "
        + Semantics.toString(of.semantics())
        + (units.isEmpty() ? "" : " " + units)
        + (of.inDom() == InDom.NULL ? "" : " [" + of.inDom() + "]");
  }
}
