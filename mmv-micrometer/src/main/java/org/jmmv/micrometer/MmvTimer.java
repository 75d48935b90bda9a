package org.jmmv.micrometer;

import io.micrometer.core.instrument.AbstractTimer;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.TimeWindowMax;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.util.TimeUtils;
import java.util.concurrent.TimeUnit;
import org.jmmv.writer.LongCounter;

/** A timer whose count and total time are in the file. */
final class MmvTimer extends AbstractTimer {
  private final LongCounter count;
  private final LongCounter nanos;
  private final TimeWindowMax max;

  MmvTimer(
      Id id,
      Clock clock,
      DistributionStatisticConfig statistics,
      PauseDetector pauses,
      LongCounter count,
      LongCounter nanos) {
    super(id, clock, statistics, pauses, TimeUnit.SECONDS, false);
    this.count = count;
    this.nanos = nanos;
    max = new TimeWindowMax(clock, statistics);
    count.add(0); // they may have been withdrawn
    nanos.add(0);
  }

  @Override
  protected void recordNonNegative(long amount, TimeUnit unit) {
    long time = unit.toNanos(amount);
    count.increment();
    nanos.add(time);
    max.record((double) time, TimeUnit.NANOSECONDS);
  }

  @Override
  public long count() {
    return count.get();
  }

  @Override
  public double totalTime(TimeUnit unit) {
    return TimeUtils.nanosToUnit((double) nanos.get(), unit);
  }

  @Override
  public double max(TimeUnit unit) {
    return max.poll(unit);
  }
}
