package org.jmmv.writer;

import java.io.IOException;
import java.util.function.Function;

/** A metric, and its values. */
final class Metric<V extends MetricValue> {
  private final Registry registry;
  private final String name;
  private final Type type;
  private final Semantics semantics;
  private final Units units;
  private final InDom inDom; // null: it is singular
  private final Integer index; // in the image; null: there is no room for it
  private final Class<V> kind;
  private final Function<Place, V> make;
  private final Instances<V> values = new Instances<>(this::add);

  Metric(
      Registry registry,
      MetricDescription described,
      InDom inDom,
      Integer index,
      Class<V> kind,
      Function<Place, V> make) {
    this.registry = registry;
    name = described.name;
    type = described.type;
    semantics = described.semantics;
    units = described.units;
    this.inDom = inDom;
    this.index = index;
    this.kind = kind;
    this.make = make;
  }

  Instances<V> values() {
    return values;
  }

  /**
   * Returns the values of a metric that was described again.
   *
   * @throws IllegalArgumentException if it is another one
   */
  @SuppressWarnings("unchecked") // the kind is the same
  <W extends MetricValue> Instances<W> values(
      MetricDescription again, InDom inDomAgain, Class<W> kindAgain) {
    if (again.type != type
        || again.semantics != semantics
        || !again.units.equals(units)
        || inDomAgain != inDom
        || kindAgain != kind) {
      throw new IllegalArgumentException(
          "there is a metric %s of another type, or with other semantics, units or instances"
              .formatted(name));
    }
    return (Instances<W>) values;
  }

  private V add(String instance) {
    return registry.add(() -> {
      V known = values.kept(instance); // another thread may have been faster
      return known == null ? newValue(instance) : known;
    });
  }

  private V newValue(String instance) {
    if (inDom != null) {
      inDom.check(instance);
    }
    String what = inDom == null ? name : name + "[" + instance + "]";
    Place place = index == null ? null : registry.tryToAdd(what, () -> place(instance));
    V value = make.apply(place == null ? registry.unread(type) : place);
    if (place != null || registry.mayKeepUnread()) {
      values.keep(instance, value);
    }
    return value;
  }

  private Place place(String instance) throws IOException {
    MmvImage image = registry.image();
    image.checkValues();
    return image.addValue(index, inDom == null ? null : inDom.find(instance), type);
  }
}
