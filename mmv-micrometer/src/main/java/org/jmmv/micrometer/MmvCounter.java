package org.jmmv.micrometer;

import io.micrometer.core.instrument.AbstractMeter;
import io.micrometer.core.instrument.Counter;
import org.jmmv.writer.DoubleCounter;

/** A counter in the file. */
final class MmvCounter extends AbstractMeter implements Counter, Removable {
  private final DoubleCounter value;
  private volatile boolean hasEnded;
  private double last; // since it has ended

  MmvCounter(Id id, DoubleCounter value) {
    super(id);
    this.value = value;
    value.add(0); // it may have been withdrawn
  }

  @Override
  public void increment(double amount) {
    if (amount > 0 && !hasEnded) { // a counter only increases
      value.add(amount);
    }
  }

  @Override
  public double count() {
    return hasEnded ? last : value.get();
  }

  @Override
  public void end() {
    last = value.get();
    hasEnded = true;
  }
}
