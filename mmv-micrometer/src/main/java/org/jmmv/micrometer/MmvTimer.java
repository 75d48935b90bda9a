package org.jmmv.micrometer;

import io.micrometer.core.instrument.AbstractTimer;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.micrometer.core.instrument.distribution.TimeWindowMax;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.util.TimeUtils;
import java.util.concurrent.TimeUnit;
import org.jmmv.writer.LongCounter;

/** A timer whose count and total time are in the file. */
final class MmvTimer extends AbstractTimer implements Removable {
  private final LongCounter count;
  private final LongCounter nanos;
  private final TimeWindowMax max;
  private final Buckets buckets;
  private volatile boolean hasEnded;
  private long lastCount; // since it has ended
  private long lastNanos;

  MmvTimer(
      Id id,
      Clock clock,
      DistributionStatisticConfig statistics,
      PauseDetector pauses,
      LongCounter count,
      LongCounter nanos) {
    super(id, clock, Buckets.without(statistics), pauses, TimeUnit.SECONDS, false);
    this.count = count;
    this.nanos = nanos;
    max = new TimeWindowMax(clock, statistics);
    buckets = new Buckets(clock, statistics);
    count.add(0); // they may have been withdrawn
    nanos.add(0);
  }

  @Override
  protected void recordNonNegative(long amount, TimeUnit unit) {
    if (hasEnded) {
      return;
    }
    long time = unit.toNanos(amount);
    count.increment();
    nanos.add(time);
    max.record((double) time, TimeUnit.NANOSECONDS);
    buckets.record(time);
  }

  @Override
  public long count() {
    return hasEnded ? lastCount : count.get();
  }

  @Override
  public double totalTime(TimeUnit unit) {
    return TimeUtils.nanosToUnit((double) (hasEnded ? lastNanos : nanos.get()), unit);
  }

  @Override
  public double max(TimeUnit unit) {
    return max.poll(unit);
  }

  @Override
  public HistogramSnapshot takeSnapshot() {
    return buckets.in(super::takeSnapshot);
  }

  @Override
  public void end() {
    lastCount = count.get();
    lastNanos = nanos.get();
    hasEnded = true;
  }
}
