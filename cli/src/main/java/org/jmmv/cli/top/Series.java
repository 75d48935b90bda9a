package org.jmmv.cli.top;

import java.util.Arrays;
import java.util.Objects;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;

/** The values of a metric, or of one of its instances, over time. */
final class Series {
  /**
   * The number of values that {@link #history} returns. With all of 100,000 series, they take 24
   * MB.
   */
  static final int HISTORY = 60;

  private static final double NANOS_PER_SECOND = 1e9;

  private final int instance;
  private final String instanceName;
  private final boolean isCounter;
  private int type;
  private long bits;
  private String text; // null for a number
  private boolean hasValue;
  private long time;
  private double rate = Double.NaN;
  private float[] history; // null until remember is called; there can be 100,000

  /**
   * Creates a series without values.
   *
   * @param instance the number of the instance, {@link org.jmmv.pcp.Instance#NULL} for a singular
   *     metric
   * @param instanceName one char per byte; null for a singular metric
   * @param semantics of the metric: counters have rates
   */
  Series(int instance, String instanceName, int semantics) {
    this.instance = instance;
    this.instanceName = instanceName;
    isCounter = semantics == Semantics.COUNTER;
  }

  int instance() {
    return instance;
  }

  /** Returns whether this is the series of an instance. */
  boolean isOf(int otherInstance, String otherName) {
    return instance == otherInstance && Objects.equals(instanceName, otherName);
  }

  /** Returns the name of the instance, one char per byte; null for a singular metric. */
  String instanceName() {
    return instanceName;
  }

  /**
   * Sets a number.
   *
   * @param type the type, see {@link org.jmmv.pcp.ValueSink#numbers}
   * @param bits the value, as there
   * @param now the time in nanoseconds, as of {@link System#nanoTime}
   */
  void setNumber(int type, long bits, long now) {
    rate = Double.NaN;
    if (isCounter && hasValue && text == null && this.type == type && now > time) {
      double increase = ValueType.increase(type, this.bits, bits);
      // A counter that has decreased belongs to an application that was restarted, or has wrapped.
      rate = increase >= 0 ? increase * NANOS_PER_SECOND / (now - time) : Double.NaN;
    }
    this.type = type;
    this.bits = bits;
    text = null;
    hasValue = true;
    time = now;
  }

  /** Sets a string, one char per byte. */
  void setText(String value) {
    text = value;
    hasValue = true;
    rate = Double.NaN;
  }

  void clear() {
    hasValue = false;
    text = null;
    rate = Double.NaN;
  }

  boolean hasValue() {
    return hasValue;
  }

  /** Returns the value if it is a string, one char per byte; otherwise null. */
  String text() {
    return text;
  }

  /** Returns the value as a number, NaN if there is none. */
  double number() {
    return hasValue && text == null ? ValueType.number(type, bits) : Double.NaN;
  }

  boolean isFraction() {
    return type == ValueType.FLOAT || type == ValueType.DOUBLE;
  }

  /** Returns the number in decimal form, exactly; {@code NaN} or an infinity is named so. */
  String decimal() {
    return ValueType.decimal(type, bits);
  }

  /**
   * Returns the rate of a counter per second between its last two values. NaN if there are not two,
   * if it has decreased, or if this is no counter.
   */
  double rate() {
    return rate;
  }

  /** Adds the rate of a counter, or the value of another metric, to the history. */
  void remember() {
    if (history == null) {
      history = new float[HISTORY];
      Arrays.fill(history, Float.NaN);
    }
    System.arraycopy(history, 1, history, 0, HISTORY - 1);
    history[HISTORY - 1] = (float) (isCounter ? rate : number());
  }

  /** Returns what was remembered, the last value last; NaN where there is none. */
  double[] history() {
    double[] values = new double[history == null ? 0 : HISTORY];
    Arrays.setAll(values, i -> history[i]);
    return values;
  }
}
