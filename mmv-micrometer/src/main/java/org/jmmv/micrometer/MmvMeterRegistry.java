package org.jmmv.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.cumulative.CumulativeCounter;
import io.micrometer.core.instrument.cumulative.CumulativeDistributionSummary;
import io.micrometer.core.instrument.cumulative.CumulativeFunctionCounter;
import io.micrometer.core.instrument.cumulative.CumulativeFunctionTimer;
import io.micrometer.core.instrument.cumulative.CumulativeTimer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.HistogramSupport;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.internal.DefaultGauge;
import io.micrometer.core.instrument.internal.DefaultLongTaskTimer;
import io.micrometer.core.instrument.internal.DefaultMeter;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jmmv.writer.DoubleCounter;
import org.jmmv.writer.DoubleGauge;
import org.jmmv.writer.LongCounter;
import org.jmmv.writer.MmvApplication;
import org.jmmv.writer.Semantics;
import org.jmmv.writer.Units;

/**
 * Writes meters to an MMV file.
 *
 * <table>
 *   <caption>The metrics of a meter with the name {@code NAME}</caption>
 *   <tr><td>counter, gauge, time gauge, function counter</td><td>{@code NAME}</td></tr>
 *   <tr><td>timer, function timer</td><td>{@code NAME.count}, {@code NAME.time} in nanoseconds; of
 *       a timer {@code NAME.max} in seconds</td></tr>
 *   <tr><td>distribution summary</td><td>{@code NAME.count}, {@code NAME.total}, {@code NAME.max}
 *       </td></tr>
 *   <tr><td>long task timer</td><td>{@code NAME.active}, {@code NAME.duration} and {@code NAME.max}
 *       in seconds</td></tr>
 *   <tr><td>percentiles and buckets, if configured</td><td>{@code NAME.percentile}, {@code
 *       NAME.histogram}</td></tr>
 *   <tr><td>others</td><td>{@code NAME.STATISTIC}</td></tr>
 * </table>
 *
 * <p>Tags become instances, with a label for each tag. If two meters would have the same name in
 * PCP, or one that continues the other's, the later one gets another name. Counters, timers and
 * summaries are updated in the file; all other meters are asked once a second. A meter that is
 * removed has no value any more.
 *
 * <p>How many meters there can be is limited: to 1,023 metrics and {@link
 * MmvApplication.Builder#maxValues}. Meters without room work, but nobody can read them, which is
 * told once.
 */
public final class MmvMeterRegistry extends MeterRegistry {
  private final MeterFile file;
  private final Poller poller = new Poller();

  /**
   * Starts an application, which has a {@link MmvApplication.Builder#sentinel} and a format with
   * long names.
   */
  public MmvMeterRegistry(MmvApplication.Builder application) {
    this(application, Clock.SYSTEM);
  }

  /** As {@link #MmvMeterRegistry(MmvApplication.Builder)}, with another clock. */
  public MmvMeterRegistry(MmvApplication.Builder application, Clock clock) {
    super(clock);
    config().namingConvention(new MmvNamingConvention()).onMeterRemoved(this::withdraw);
    file =
        new MeterFile(application.sentinel().version(2).start(), () -> config().namingConvention());
  }

  private void withdraw(Meter meter) {
    poller.remove(meter.getId());
    if (meter instanceof Removable removable) {
      removable.end();
    }
    file.withdraw(meter.getId());
  }

  /** Has a value set to what a meter returns, unless there is no room for the value. */
  private void poll(Meter.Id id, DoubleGauge value, DoubleSupplier from) {
    if (value != null) {
      poller.add(id, value, from);
    }
  }

  private static Units units(Meter.Id id) {
    return units(id, Units.NONE);
  }

  /**
   * Returns the units that a meter names.
   *
   * @param otherwise if it names none, or one that PCP does not have, such as "threads"
   */
  private static Units units(Meter.Id id, Units otherwise) {
    String unit = id.getBaseUnit();
    return switch (unit == null ? "" : unit) {
      case "bytes" -> Units.BYTES;
      case "nanoseconds", "ns" -> Units.NANOSECONDS;
      case "microseconds", "us" -> Units.MICROSECONDS;
      case "milliseconds", "ms" -> Units.MILLISECONDS;
      case "seconds", "s" -> Units.SECONDS;
      default -> otherwise;
    };
  }

  @Override
  protected <T> Gauge newGauge(Meter.Id id, T object, ToDoubleFunction<T> function) {
    return file.make(
        id,
        metrics -> {
          Gauge gauge = new DefaultGauge<>(id, object, function);
          DoubleGauge value =
              isBucket(id)
                  ? metrics.add("", Kind.GAUGE, Units.COUNT, Semantics.COUNTER)
                  : metrics.add("", Kind.GAUGE, units(id));
          poll(id, value, gauge::value);
          return gauge;
        });
  }

  /** Returns whether a gauge is the bucket of a timer or a summary, which only increases. */
  private static boolean isBucket(Meter.Id id) {
    Meter.Id of = id.syntheticAssociation();
    return of != null && of.getType() != Meter.Type.LONG_TASK_TIMER && id.getTag("le") != null;
  }

  @Override
  protected Counter newCounter(Meter.Id id) {
    return file.make(
        id,
        metrics -> {
          DoubleCounter value = metrics.add("", Kind.SUM, units(id, Units.COUNT));
          return value == null ? new CumulativeCounter(id) : new MmvCounter(id, value);
        });
  }

  @Override
  protected <T> FunctionCounter newFunctionCounter(
      Meter.Id id, T object, ToDoubleFunction<T> function) {
    return file.make(
        id,
        metrics -> {
          FunctionCounter counter = new CumulativeFunctionCounter<>(id, object, function);
          DoubleGauge value =
              metrics.add("", Kind.GAUGE, units(id, Units.COUNT), Semantics.COUNTER);
          poll(id, value, counter::count);
          return counter;
        });
  }

  @Override
  protected Timer newTimer(
      Meter.Id id, DistributionStatisticConfig statistics, PauseDetector pauses) {
    return file.make(
        id,
        metrics -> {
          LongCounter count = metrics.add(".count", Kind.COUNT, Units.COUNT);
          LongCounter nanos = metrics.add(".time", Kind.COUNT, Units.NANOSECONDS);
          DoubleGauge max = metrics.add(".max", Kind.GAUGE, Units.SECONDS);
          if (count == null || nanos == null) {
            metrics.withdraw();
            return new CumulativeTimer(id, clock, statistics, pauses, getBaseTimeUnit(), false);
          }
          Timer timer = new MmvTimer(id, clock, statistics, pauses, count, nanos);
          poll(id, max, () -> timer.max(TimeUnit.SECONDS));
          addTimeGauges(timer);
          return timer;
        });
  }

  /** Adds the percentiles and buckets of a timer, in seconds. */
  private void addTimeGauges(HistogramSupport timer) {
    new SnapshotGauges(timer, poller::round)
        .register(
            this,
            percentile -> percentile.value(getBaseTimeUnit()),
            bucket -> bucket.bucket(getBaseTimeUnit()));
  }

  @Override
  protected <T> FunctionTimer newFunctionTimer(
      Meter.Id id,
      T object,
      ToLongFunction<T> count,
      ToDoubleFunction<T> totalTime,
      TimeUnit unit) {
    return file.make(
        id,
        metrics -> {
          FunctionTimer timer =
              new CumulativeFunctionTimer<>(id, object, count, totalTime, unit, getBaseTimeUnit());
          DoubleGauge counted = metrics.add(".count", Kind.GAUGE, Units.COUNT, Semantics.COUNTER);
          DoubleGauge nanos =
              metrics.add(".time", Kind.GAUGE, Units.NANOSECONDS, Semantics.COUNTER);
          poll(id, counted, timer::count);
          poll(id, nanos, () -> timer.totalTime(TimeUnit.NANOSECONDS));
          return timer;
        });
  }

  @Override
  protected DistributionSummary newDistributionSummary(
      Meter.Id id, DistributionStatisticConfig statistics, double scale) {
    return file.make(
        id,
        metrics -> {
          LongCounter count = metrics.add(".count", Kind.COUNT, Units.COUNT);
          DoubleCounter total = metrics.add(".total", Kind.SUM, units(id));
          DoubleGauge max = metrics.add(".max", Kind.GAUGE, units(id));
          if (count == null || total == null) {
            metrics.withdraw();
            return new CumulativeDistributionSummary(id, clock, statistics, scale, false);
          }
          DistributionSummary summary =
              new MmvDistributionSummary(id, clock, statistics, scale, count, total);
          poll(id, max, summary::max);
          new SnapshotGauges(summary, poller::round)
              .register(this, ValueAtPercentile::value, CountAtBucket::bucket);
          return summary;
        });
  }

  @Override
  protected LongTaskTimer newLongTaskTimer(Meter.Id id, DistributionStatisticConfig statistics) {
    return file.make(
        id,
        metrics -> {
          LongTaskTimer timer =
              new DefaultLongTaskTimer(id, clock, getBaseTimeUnit(), statistics, false);
          poll(id, metrics.add(".active", Kind.GAUGE, Units.COUNT), timer::activeTasks);
          poll(
              id,
              metrics.add(".duration", Kind.GAUGE, Units.SECONDS),
              () -> timer.duration(TimeUnit.SECONDS));
          poll(
              id,
              metrics.add(".max", Kind.GAUGE, Units.SECONDS),
              () -> timer.max(TimeUnit.SECONDS));
          addTimeGauges(timer);
          return timer;
        });
  }

  @Override
  protected Meter newMeter(Meter.Id id, Meter.Type type, Iterable<Measurement> measurements) {
    return file.make(
        id,
        metrics -> {
          for (Measurement each : measurements) {
            Statistic statistic = each.getStatistic();
            boolean isCounter =
                statistic == Statistic.COUNT
                    || statistic == Statistic.TOTAL
                    || statistic == Statistic.TOTAL_TIME;
            DoubleGauge value =
                metrics.add(
                    "." + statistic.getTagValueRepresentation(),
                    Kind.GAUGE,
                    units(id),
                    isCounter ? Semantics.COUNTER : Semantics.INSTANT);
            poll(id, value, each::getValue);
          }
          return new DefaultMeter(id, type, measurements);
        });
  }

  @Override
  protected TimeUnit getBaseTimeUnit() {
    return TimeUnit.SECONDS;
  }

  @Override
  protected DistributionStatisticConfig defaultHistogramConfig() {
    return DistributionStatisticConfig.DEFAULT;
  }

  /** Asks all meters for their values now. Otherwise this is done once a second. */
  public void poll() {
    poller.poll();
  }

  /** Closes the file after all meters have been asked once more. */
  @Override
  public void close() {
    super.close();
    poller.close();
    poller.poll();
    file.close();
  }
}
