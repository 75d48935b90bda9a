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
  private final int max; // values of one reading
  private int start; // of the current reading

  /** Creates a sink that takes all values. */
  RecordingSink() {
    this(Integer.MAX_VALUE);
  }

  /** Creates a sink that takes at most {@code max} values of each reading. */
  RecordingSink(int max) {
    this.max = max;
  }

  /** Returns the values of a metric, or the name of the error. */
  static String read(View view, Metric metric, InstanceFilter filter) {
    RecordingSink sink = new RecordingSink();
    view.read(metric, filter, Turn.ENDLESS, sink);
    return String.join(" ", sink.values);
  }

  /** Reads a metric in turns that are over, in as many as the sink needs, and keeps all. */
  void readAll(View view, Metric metric, InstanceFilter filter) {
    ValueCursor rest = view.read(metric, filter, Turn.OVER, this);
    while (rest != null) {
      rest = rest.readNext(view, Turn.OVER, this);
    }
  }

  /** Keeps the values that there are when others are cleared, and takes as many again. */
  @Override
  public void beginReading() {
    start = values.size();
  }

  /** Returns the values, without the reason why there are none. */
  List<String> numbers() {
    return values.stream().filter(value -> value.indexOf('=') > 0).toList();
  }

  @Override
  public int numbers(int type, int[] instances, long[] bits, int count) {
    int taken = Math.min(count, max - (values.size() - start));
    for (int i = 0; i < taken; i++) {
      add(instances[i], ValueType.decimal(type, bits[i]));
    }
    return taken;
  }

  @Override
  public boolean text(int instance, byte[] bytes, int offset, int length) {
    boolean hasRoom = values.size() - start < max;
    if (hasRoom) {
      add(instance, new String(bytes, offset, length, ISO_8859_1));
    }
    return hasRoom;
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
    values.subList(start, values.size()).clear();
  }
}
