package org.jmmv.micrometer;

import io.micrometer.core.instrument.AbstractDistributionSummary;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.TimeWindowMax;
import org.jmmv.writer.DoubleCounter;
import org.jmmv.writer.LongCounter;

/** A summary whose count and total amount are in the file. */
final class MmvDistributionSummary extends AbstractDistributionSummary {
  private final LongCounter count;
  private final DoubleCounter total;
  private final TimeWindowMax max;

  MmvDistributionSummary(
      Id id,
      Clock clock,
      DistributionStatisticConfig statistics,
      double scale,
      LongCounter count,
      DoubleCounter total) {
    super(id, clock, statistics, scale, false);
    this.count = count;
    this.total = total;
    max = new TimeWindowMax(clock, statistics);
    count.add(0); // they may have been withdrawn
    total.add(0);
  }

  @Override
  protected void recordNonNegative(double amount) {
    count.increment();
    total.add(amount);
    max.record(amount);
  }

  @Override
  public long count() {
    return count.get();
  }

  @Override
  public double totalAmount() {
    return total.get();
  }

  @Override
  public double max() {
    return max.poll();
  }
}
