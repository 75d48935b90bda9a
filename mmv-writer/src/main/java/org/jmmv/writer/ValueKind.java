package org.jmmv.writer;

import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A kind of values.
 *
 * @param type that of a metric which has been given no other
 * @param semantics likewise
 * @param isPossible which types it can have
 */
record ValueKind<V extends MetricValue>(
    Function<Slot, V> make, Type type, Semantics semantics, Predicate<Type> isPossible) {
  static final ValueKind<LongCounter> LONG_COUNTER =
      new ValueKind<>(LongCounter::new, Type.U64, Semantics.COUNTER, Type::isInteger);
  static final ValueKind<LongGauge> LONG_GAUGE =
      new ValueKind<>(LongGauge::new, Type.I64, Semantics.INSTANT, Type::isInteger);

  /** Of type DOUBLE only: a FLOAT would stay where 1 is too little. */
  static final ValueKind<DoubleCounter> DOUBLE_COUNTER =
      only(DoubleCounter::new, Type.DOUBLE, Semantics.COUNTER);

  static final ValueKind<DoubleGauge> DOUBLE_GAUGE =
      new ValueKind<>(DoubleGauge::new, Type.DOUBLE, Semantics.INSTANT, Type::isReal);
  static final ValueKind<Text> TEXT = only(Text::new, Type.STRING, Semantics.DISCRETE);
  static final ValueKind<Timer> TIMER = only(Timer::new, Type.ELAPSED, Semantics.COUNTER);

  private static <V extends MetricValue> ValueKind<V> only(
      Function<Slot, V> make, Type type, Semantics semantics) {
    return new ValueKind<>(make, type, semantics, type::equals);
  }
}
