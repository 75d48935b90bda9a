package org.jmmv.micrometer;

import java.util.function.BiFunction;
import java.util.function.Function;
import org.jmmv.writer.DoubleCounter;
import org.jmmv.writer.DoubleGauge;
import org.jmmv.writer.InDom;
import org.jmmv.writer.Instances;
import org.jmmv.writer.LongCounter;
import org.jmmv.writer.MetricBuilder;
import org.jmmv.writer.MetricValue;

/**
 * How a metric is added.
 *
 * @param one of a meter without tags
 * @param several of a meter with tags
 */
record Kind<V extends MetricValue>(
    Function<MetricBuilder, V> one, BiFunction<MetricBuilder, InDom, Instances<V>> several) {
  static final Kind<LongCounter> COUNT =
      new Kind<>(MetricBuilder::counter, MetricBuilder::counters);

  static final Kind<DoubleCounter> SUM =
      new Kind<>(MetricBuilder::doubleCounter, MetricBuilder::doubleCounters);

  static final Kind<DoubleGauge> GAUGE =
      new Kind<>(MetricBuilder::doubleGauge, MetricBuilder::doubleGauges);
}
