package org.jmmv.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.micrometer.core.instrument.distribution.HistogramSupport;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import io.micrometer.core.instrument.util.DoubleFormat;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * The gauges of the percentiles and buckets of a meter, which take one snapshot in each round of
 * polls. Micrometer's own HistogramGauges take one when all of them have been asked: one gauge
 * without room, or that a filter denies, would have the others return old values for many rounds.
 */
final class SnapshotGauges {
  private final HistogramSupport meter;
  private final LongSupplier round;
  private HistogramSnapshot snapshot;
  private long roundOfSnapshot;

  /**
   * Begins with a snapshot.
   *
   * @param round returns another number in each round of polls
   */
  SnapshotGauges(HistogramSupport meter, LongSupplier round) {
    this.meter = meter;
    this.round = round;
    roundOfSnapshot = round.getAsLong();
    snapshot = meter.takeSnapshot();
  }

  private synchronized HistogramSnapshot snapshot() {
    long now = round.getAsLong();
    if (now != roundOfSnapshot) {
      roundOfSnapshot = now;
      snapshot = meter.takeSnapshot();
    }
    return snapshot;
  }

  /**
   * Registers the gauges.
   *
   * @param value the value of a percentile in the unit of the meter
   * @param bound the upper bound of a bucket likewise
   */
  void register(
      MeterRegistry registry,
      ToDoubleFunction<ValueAtPercentile> value,
      ToDoubleFunction<CountAtBucket> bound) {
    HistogramSnapshot first = snapshot();
    for (int i = 0; i < first.percentileValues().length; i++) {
      int index = i;
      gauge(
              ".percentile",
              "phi",
              text(first.percentileValues()[i].percentile()),
              each -> value.applyAsDouble(each.percentileValues()[index]))
          .baseUnit(meter.getId().getBaseUnit())
          .register(registry);
    }
    for (int i = 0; i < first.histogramCounts().length; i++) {
      int index = i;
      double le = bound.applyAsDouble(first.histogramCounts()[i]);
      gauge(
              ".histogram",
              "le",
              Double.isInfinite(le) ? "+Inf" : text(le),
              each -> each.histogramCounts()[index].count())
          .register(registry);
    }
  }

  /** Returns a number as Micrometer writes it, unless its six decimals are not enough. */
  private static String text(double number) {
    String text = DoubleFormat.wholeOrDecimal(number);
    return Double.parseDouble(text) == number ? text : Double.toString(number);
  }

  private Gauge.Builder<?> gauge(
      String part, String tag, String tagValue, ToDoubleFunction<HistogramSnapshot> value) {
    Meter.Id id = meter.getId();
    return Gauge.builder(id.getName() + part, () -> value.applyAsDouble(snapshot()))
        .tags(Tags.concat(id.getTags(), tag, tagValue))
        .synthetic(id);
  }
}
