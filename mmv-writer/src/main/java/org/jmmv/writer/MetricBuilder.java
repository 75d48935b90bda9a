package org.jmmv.writer;

import java.util.Objects;

/**
 * Describes a metric before it is added by the last method: {@link #counter}, {@link #gauge} and so
 * on, with an instance domain or without. If the application has a metric of this name, they return
 * that.
 *
 * <p>Each of these methods throws an {@link IllegalArgumentException} if the {@link #type} is not
 * one of its numbers, if another metric has the {@link #item}, or if the metric that is there is of
 * another kind.
 */
public final class MetricBuilder {
  private final Metrics metrics;
  private final MetricDescription described;

  MetricBuilder(Metrics metrics, String name) {
    this.metrics = metrics;
    described = new MetricDescription(name);
  }

  /**
   * Sets the item, the last part of the PMID. Without one, the next free one is assigned, and kept
   * for this name.
   *
   * @param number 0 to 1,023
   * @throws IllegalArgumentException if it is out of range
   */
  public MetricBuilder item(int number) {
    if (number < 0 || number > MmvLayout.MAX_ITEM) {
      throw new IllegalArgumentException("the item of " + described.name + " is " + number);
    }
    described.item = number;
    return this;
  }

  /** Sets the type. Otherwise it is U64 for counters, I64 for gauges, and DOUBLE. */
  public MetricBuilder type(Type other) {
    described.type = Objects.requireNonNull(other);
    return this;
  }

  /** Sets the semantics. Otherwise they are those of the kind; a text is discrete. */
  public MetricBuilder semantics(Semantics other) {
    described.semantics = Objects.requireNonNull(other);
    return this;
  }

  /** Sets the units. Otherwise there are none; those of a {@link Timer} are microseconds. */
  public MetricBuilder units(Units other) {
    described.units = Objects.requireNonNull(other);
    return this;
  }

  /** Sets the help: one line. Of more than 255 bytes of UTF-8, the beginning is taken. */
  public MetricBuilder help(String line) {
    described.oneLine = line;
    return this;
  }

  /** Sets the help: one line, and a text. Of more than 255 bytes each, the beginning is taken. */
  public MetricBuilder help(String line, String details) {
    described.oneLine = line;
    described.text = details;
    return this;
  }

  /**
   * Adds a label. It replaces that of the same name.
   *
   * @param value a {@link String}, a {@link Number} or a {@link Boolean}
   * @throws IllegalArgumentException if the label is invalid, or has more than 243 bytes of JSON
   */
  public MetricBuilder label(String labelName, Object value) {
    described.labels.put(labelName, Labels.json(labelName, value));
    return this;
  }

  /** Adds a counter of whole numbers. */
  public LongCounter counter() {
    return one(ValueKind.LONG_COUNTER);
  }

  /** Adds a counter of whole numbers for each instance. */
  public Instances<LongCounter> counters(InDom inDom) {
    return several(inDom, ValueKind.LONG_COUNTER);
  }

  /** Adds a whole number. */
  public LongGauge gauge() {
    return one(ValueKind.LONG_GAUGE);
  }

  /** Adds a whole number for each instance. */
  public Instances<LongGauge> gauges(InDom inDom) {
    return several(inDom, ValueKind.LONG_GAUGE);
  }

  /** Adds a counter of real numbers, of type DOUBLE: a FLOAT would stay where 1 is too little. */
  public DoubleCounter doubleCounter() {
    return one(ValueKind.DOUBLE_COUNTER);
  }

  /** Adds a counter of real numbers, of type DOUBLE, for each instance. */
  public Instances<DoubleCounter> doubleCounters(InDom inDom) {
    return several(inDom, ValueKind.DOUBLE_COUNTER);
  }

  /** Adds a real number. */
  public DoubleGauge doubleGauge() {
    return one(ValueKind.DOUBLE_GAUGE);
  }

  /** Adds a real number for each instance. */
  public Instances<DoubleGauge> doubleGauges(InDom inDom) {
    return several(inDom, ValueKind.DOUBLE_GAUGE);
  }

  /** Adds a text. */
  public Text text() {
    return one(ValueKind.TEXT);
  }

  /** Adds a text for each instance. */
  public Instances<Text> texts(InDom inDom) {
    return several(inDom, ValueKind.TEXT);
  }

  /** Adds a timer. */
  public Timer timer() {
    return units(Units.MICROSECONDS).one(ValueKind.TIMER);
  }

  /** Adds a timer for each instance. */
  public Instances<Timer> timers(InDom inDom) {
    return units(Units.MICROSECONDS).several(inDom, ValueKind.TIMER);
  }

  private <V extends MetricValue> V one(ValueKind<V> kind) {
    return add(null, kind).of("");
  }

  private <V extends MetricValue> Instances<V> several(InDom inDom, ValueKind<V> kind) {
    if (inDom.registry() != metrics.registry()) {
      throw new IllegalArgumentException("the instance domain is of another application");
    }
    return add(inDom, kind);
  }

  private <V extends MetricValue> Instances<V> add(InDom inDom, ValueKind<V> kind) {
    described.type = described.type == null ? kind.type() : described.type;
    described.semantics = described.semantics == null ? kind.semantics() : described.semantics;
    if (!kind.isPossible().test(described.type)) {
      throw new IllegalArgumentException(
          "%s can't be of type %s".formatted(described.name, described.type));
    }
    return metrics.addMetric(described, inDom, kind);
  }
}
