package org.jmmv.micrometer;

import io.micrometer.core.instrument.AbstractDistributionSummary;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.micrometer.core.instrument.distribution.TimeWindowMax;
import org.jmmv.writer.DoubleCounter;
import org.jmmv.writer.LongCounter;

/** A summary whose count and total amount are in the file. */
final class MmvDistributionSummary extends AbstractDistributionSummary implements Removable {
  private final LongCounter count;
  private final DoubleCounter total;
  private final TimeWindowMax max;
  private final Buckets buckets;
  private volatile boolean hasEnded;
  private long lastCount; // since it has ended
  private double lastTotal;

  MmvDistributionSummary(
      Id id,
      Clock clock,
      DistributionStatisticConfig statistics,
      double scale,
      LongCounter count,
      DoubleCounter total) {
    super(id, clock, Buckets.without(statistics), scale, false);
    this.count = count;
    this.total = total;
    max = new TimeWindowMax(clock, statistics);
    buckets = new Buckets(clock, statistics);
    count.add(0); // they may have been withdrawn
    total.add(0);
  }

  @Override
  protected void recordNonNegative(double amount) {
    if (hasEnded || !(amount >= 0)) { // the scale may be negative, or 0 times infinity
      return;
    }
    count.increment();
    total.add(amount);
    max.record(amount);
    buckets.record(amount);
  }

  @Override
  public long count() {
    return hasEnded ? lastCount : count.get();
  }

  @Override
  public double totalAmount() {
    return hasEnded ? lastTotal : total.get();
  }

  @Override
  public double max() {
    return max.poll();
  }

  @Override
  public HistogramSnapshot takeSnapshot() {
    return buckets.in(super::takeSnapshot);
  }

  @Override
  public void end() {
    lastCount = count.get();
    lastTotal = total.get();
    hasEnded = true;
  }
}
