package org.jmmv.writer;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

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
    return one(Type.U64, Semantics.COUNTER, Type::isInteger, LongCounter.class, LongCounter::new);
  }

  /** Adds a counter of whole numbers for each instance. */
  public Instances<LongCounter> counters(InDom inDom) {
    return several(
        inDom, Type.U64, Semantics.COUNTER, Type::isInteger, LongCounter.class, LongCounter::new);
  }

  /** Adds a whole number. */
  public LongGauge gauge() {
    return one(Type.I64, Semantics.INSTANT, Type::isInteger, LongGauge.class, LongGauge::new);
  }

  /** Adds a whole number for each instance. */
  public Instances<LongGauge> gauges(InDom inDom) {
    return several(
        inDom, Type.I64, Semantics.INSTANT, Type::isInteger, LongGauge.class, LongGauge::new);
  }

  /** Adds a counter of real numbers, of type DOUBLE: a FLOAT would stay where 1 is too little. */
  public DoubleCounter doubleCounter() {
    return one(
        Type.DOUBLE,
        Semantics.COUNTER,
        Type.DOUBLE::equals,
        DoubleCounter.class,
        DoubleCounter::new);
  }

  /** Adds a counter of real numbers for each instance. */
  public Instances<DoubleCounter> doubleCounters(InDom inDom) {
    return several(
        inDom,
        Type.DOUBLE,
        Semantics.COUNTER,
        Type::isReal,
        DoubleCounter.class,
        DoubleCounter::new);
  }

  /** Adds a real number. */
  public DoubleGauge doubleGauge() {
    return one(Type.DOUBLE, Semantics.INSTANT, Type::isReal, DoubleGauge.class, DoubleGauge::new);
  }

  /** Adds a real number for each instance. */
  public Instances<DoubleGauge> doubleGauges(InDom inDom) {
    return several(
        inDom, Type.DOUBLE, Semantics.INSTANT, Type::isReal, DoubleGauge.class, DoubleGauge::new);
  }

  /** Adds a text. */
  public Text text() {
    return one(Type.STRING, Semantics.DISCRETE, Type.STRING::equals, Text.class, Text::new);
  }

  /** Adds a text for each instance. */
  public Instances<Text> texts(InDom inDom) {
    return several(
        inDom, Type.STRING, Semantics.DISCRETE, Type.STRING::equals, Text.class, Text::new);
  }

  /** Adds a timer. */
  public Timer timer() {
    described.units = Units.MICROSECONDS;
    return one(Type.ELAPSED, Semantics.COUNTER, Type.ELAPSED::equals, Timer.class, Timer::new);
  }

  /** Adds a timer for each instance. */
  public Instances<Timer> timers(InDom inDom) {
    described.units = Units.MICROSECONDS;
    return several(
        inDom, Type.ELAPSED, Semantics.COUNTER, Type.ELAPSED::equals, Timer.class, Timer::new);
  }

  private <V extends MetricValue> V one(
      Type ofKind,
      Semantics semanticsOfKind,
      Predicate<Type> isPossible,
      Class<V> kind,
      Function<Place, V> make) {
    complete(ofKind, semanticsOfKind, isPossible);
    return metrics.addMetric(described, null, kind, make).of("");
  }

  private <V extends MetricValue> Instances<V> several(
      InDom inDom,
      Type ofKind,
      Semantics semanticsOfKind,
      Predicate<Type> isPossible,
      Class<V> kind,
      Function<Place, V> make) {
    if (inDom.registry() != metrics.registry()) {
      throw new IllegalArgumentException("the instance domain is of another application");
    }
    complete(ofKind, semanticsOfKind, isPossible);
    return metrics.addMetric(described, inDom, kind, make);
  }

  private void complete(Type ofKind, Semantics semanticsOfKind, Predicate<Type> isPossible) {
    described.type = described.type == null ? ofKind : described.type;
    described.semantics = described.semantics == null ? semanticsOfKind : described.semantics;
    if (!isPossible.test(described.type)) {
      throw new IllegalArgumentException(
          "%s can't be of type %s".formatted(described.name, described.type));
    }
  }
}
