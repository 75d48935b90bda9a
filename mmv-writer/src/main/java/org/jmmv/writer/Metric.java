package org.jmmv.writer;

import java.io.IOException;

/** A metric, and its values. */
final class Metric<V extends MetricValue> {
  private final Registry registry;
  private final String name;
  private final Type type;
  private final Semantics semantics;
  private final Units units;
  private final InDom inDom; // null: it is singular
  private final Integer index; // in the image; null: there is no room for it
  private final ValueKind<V> kind;
  private final Instances<V> values = new Instances<>(this::add);

  Metric(
      Registry registry,
      MetricDescription described,
      InDom inDom,
      Integer index,
      ValueKind<V> kind) {
    this.registry = registry;
    name = described.name;
    type = described.type;
    semantics = described.semantics;
    units = described.units;
    this.inDom = inDom;
    this.index = index;
    this.kind = kind;
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
      MetricDescription again, InDom inDomAgain, ValueKind<W> kindAgain) {
    if (again.type != type
        || again.semantics != semantics
        || !again.units.equals(units)
        || inDomAgain != inDom
        || !kindAgain.equals(kind)) {
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
    Slot slot = index == null ? null : registry.tryToAdd(what, () -> slot(instance));
    V value = kind.make().apply(slot == null ? registry.unread(type) : slot);
    if (slot != null || registry.mayKeepUnread()) {
      values.keep(instance, value);
    }
    return value;
  }

  private Slot slot(String instance) throws IOException {
    MmvImage image = registry.image();
    image.checkValues();
    return image.addValue(index, inDom == null ? null : inDom.find(instance), type);
  }
}
