package org.jmmv.core;

import java.util.function.LongSupplier;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.ValueSink;

/** A singular control metric whose value is a number. */
class ControlNumber extends ControlMetric {
  private final LongSupplier value;

  ControlNumber(int domain, int item, String name, Kind kind, HelpTexts texts, LongSupplier value) {
    super(domain, item, name, kind, texts);
    this.value = value;
  }

  @Override
  public void read(InstanceFilter filter, ValueSink sink) {
    sink.numbers(type(), new int[] {Instance.NULL}, new long[] {value.getAsLong()}, 1);
  }
}
