package org.jmmv.writer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The values of a metric with an instance domain.
 *
 * @param <V> the kind of values
 */
public final class Instances<V extends MetricValue> {
  private final Map<String, V> values = new ConcurrentHashMap<>();
  private final Function<String, V> add;

  Instances(Function<String, V> add) {
    this.add = add;
  }

  /**
   * Returns the value of an instance. The first call for an instance adds it to the domain, unless
   * it is there, and a value of 0. To look a value up takes longer than to update it, so keep what
   * this method returns. Values without room are kept here, too, but not without end: as many as
   * there may be with room.
   *
   * @param instance the name, see {@link InDom#instance(String)}
   * @throws IllegalArgumentException if the name is too long, or has control characters
   */
  public V of(String instance) {
    V value = values.get(instance);
    return value == null ? add.apply(instance) : value;
  }

  /** Returns the value that is kept for an instance, or null. */
  V kept(String instance) {
    return values.get(instance);
  }

  void close() {
    values.values().forEach(MetricValue::close);
  }

  void keep(String instance, V value) {
    values.put(instance, value);
  }
}
