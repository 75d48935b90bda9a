package org.jmmv.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;

/** Keeps values as texts: {@code instance=value}, or {@code value} of a singular metric. */
final class RecordingSink implements ValueSink {
  private final List<String> values = new ArrayList<>();

  /** Returns the values of a metric, or the name of the error. */
  static String read(View view, Metric metric, InstanceFilter filter) {
    RecordingSink sink = new RecordingSink();
    view.read(metric, filter, sink);
    return String.join(" ", sink.values);
  }

  /** Returns the values, without the reason why there are none. */
  List<String> numbers() {
    return values.stream().filter(value -> value.indexOf('=') > 0).toList();
  }

  @Override
  public void numbers(int type, int[] instances, long[] bits, int count) {
    for (int i = 0; i < count; i++) {
      add(instances[i], ValueType.decimal(type, bits[i]));
    }
  }

  @Override
  public void text(int instance, byte[] bytes, int offset, int length) {
    add(instance, new String(bytes, offset, length, ISO_8859_1));
  }

  private void add(int instance, String value) {
    values.add(instance == Instance.NULL ? value : instance + "=" + value);
  }

  @Override
  public void none(int status) {
    values.add(status == 0 ? "no value" : PmError.describe(status));
  }

  @Override
  public void clear() {
    values.clear();
  }
}
