package org.jmmv.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.Histogram;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.micrometer.core.instrument.distribution.NoopHistogram;
import io.micrometer.core.instrument.distribution.TimeWindowFixedBoundaryHistogram;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * How many values of a meter were in each bucket since it was made. Micrometer's own buckets, which
 * are those of the last minutes, would decrease.
 */
final class Buckets {
  private static final DistributionStatisticConfig NONE =
      DistributionStatisticConfig.builder()
          .percentilesHistogram(false)
          .serviceLevelObjectives()
          .build();

  /** The values of five years, which is longer than an application runs. */
  private static final DistributionStatisticConfig FOR_EVER =
      DistributionStatisticConfig.builder()
          .expiry(Duration.ofDays(5 * 365))
          .bufferLength(1)
          .build();

  private final Histogram histogram;

  Buckets(Clock clock, DistributionStatisticConfig statistics) {
    histogram =
        statistics.isPublishingHistogram()
            ? new TimeWindowFixedBoundaryHistogram(clock, FOR_EVER.merge(statistics), true)
            : NoopHistogram.INSTANCE;
  }

  /** Returns what is left of a configuration for Micrometer: percentiles. */
  static DistributionStatisticConfig without(DistributionStatisticConfig statistics) {
    return NONE.merge(statistics);
  }

  void record(long value) {
    histogram.recordLong(value);
  }

  void record(double value) {
    histogram.recordDouble(value);
  }

  /**
   * Returns a snapshot with these buckets, the last of which has all values. It is taken after
   * them, and has all values that they have.
   */
  HistogramSnapshot in(Supplier<HistogramSnapshot> rest) {
    CountAtBucket[] counts = histogram.takeSnapshot(0, 0, 0).histogramCounts();
    HistogramSnapshot snapshot = rest.get();
    if (counts.length > 0) {
      counts = Arrays.copyOf(counts, counts.length + 1);
      counts[counts.length - 1] = new CountAtBucket(Double.POSITIVE_INFINITY, snapshot.count());
    }
    return new HistogramSnapshot(
        snapshot.count(),
        snapshot.total(),
        snapshot.max(),
        snapshot.percentileValues(),
        counts,
        snapshot::outputSummary);
  }
}
