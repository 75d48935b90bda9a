package org.jmmv.core.derived;

import java.util.concurrent.TimeUnit;
import org.jmmv.core.KeptValues;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueType;

/**
 * What values have increased by since the last time: {@code delta}, or per second: {@code rate}. It
 * keeps the last values. An instance that had no value then has none now.
 */
final class Increase implements Calculation {
  private final Descriptor of;
  private final int type; // of the result
  private final boolean isRate;
  private final Scaling scaling;
  private KeptValues last = KeptValues.ofStatus(PmError.VALUE.code());
  private long lastNanos;

  private Increase(Descriptor of, int type, boolean isRate, Scaling scaling) {
    this.of = of;
    this.type = type;
    this.isRate = isRate;
    this.scaling = scaling;
  }

  /** Returns what calculates differences of a type that has room for them. */
  static Increase delta(Descriptor of, int type) {
    return new Increase(of, type, false, Scaling.NONE);
  }

  /**
   * Returns what calculates increases per second. A counter that has decreased has none.
   *
   * @param scaling of what they have increased by
   */
  static Increase rate(Descriptor of, Scaling scaling) {
    return new Increase(of, ValueType.DOUBLE, true, scaling);
  }

  @Override
  public KeptValues calculate(KeptValues[] operands, Moment moment) {
    KeptValues now = operands[0];
    KeptValues before = last;
    double seconds = (double) (moment.nanos() - lastNanos) / TimeUnit.SECONDS.toNanos(1);
    if (now.count() == 0) {
      return now; // with the reason why there are none
    }
    KeptValues increases = new KeptValues();
    if (before.count() == 0 || seconds <= 0) {
      return increases;
    }
    InstanceIndex index = new InstanceIndex(before);
    for (int i = 0; i < now.count(); i++) {
      int found = index.find(now.instance(i), i);
      if (found >= 0) {
        add(increases, now.instance(i), before.bits(found), now.bits(i), seconds);
      }
    }
    return increases;
  }

  private void add(KeptValues increases, int instance, long before, long now, double seconds) {
    if (type != ValueType.DOUBLE) {
      long wideBefore = Arithmetic.convert(of.type(), before, type);
      long wideNow = Arithmetic.convert(of.type(), now, type);
      increases.add(type, instance, Arithmetic.apply(Operator.SUBTRACT, type, wideNow, wideBefore));
      return;
    }
    double increase = ValueType.increase(of.type(), before, now);
    if (!isRate) {
      increases.add(type, instance, Arithmetic.ofDouble(increase));
    } else if (!of.isCounter() || !(increase < 0)) {
      increases.add(type, instance, Arithmetic.ofDouble(scaling.apply(increase) / seconds));
    }
  }

  @Override
  public boolean keepsOperand() {
    return true;
  }

  @Override
  public void keep(KeptValues operand, long nanos) {
    last = operand;
    lastNanos = nanos;
  }

  /** Values before a failure are not those of the last time. */
  @Override
  public boolean toleratesErrors() {
    return true;
  }

  @Override
  public long bytes() {
    return HeapSize.ofObject(3, 2 * Integer.BYTES + Long.BYTES) + last.bytes();
  }
}
