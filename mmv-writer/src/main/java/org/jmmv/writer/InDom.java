package org.jmmv.writer;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * An instance domain: what a metric can have a value for each of, such as queues or workers.
 * Several metrics can have one domain. All methods can be called by any thread.
 */
public final class InDom {
  private final Registry registry;
  private final MmvImage.InDomRecord record; // null: there is no room for the domain
  private final Map<String, MmvImage.InstanceRecord> instances = new HashMap<>();

  InDom(Registry registry, MmvImage.InDomRecord record) {
    this.registry = registry;
    this.record = record;
  }

  Registry registry() {
    return registry;
  }

  boolean hasRoom() {
    return record != null;
  }

  /** Returns the serial number; throws an exception if there is no room for the domain. */
  int serial() throws IOException {
    if (record == null) {
      throw new IOException("it has no room for the instance domain");
    }
    return record.serial();
  }

  /**
   * Adds an instance, unless there is one of this name. {@link Instances#of} does so, too.
   *
   * @param name at most 255 bytes of UTF-8, in version 1 of the format 63; it should differ from
   *     all others up to the first blank, as clients of PCP expect
   * @throws IllegalArgumentException if the name is empty or too long, or has control characters
   */
  public InDom instance(String name) {
    check(name);
    registry.add(() -> registry.tryToAdd("the instance " + name, () -> find(name)));
    return this;
  }

  /**
   * Adds an instance with a number.
   *
   * @param number 0 or more
   * @throws IllegalArgumentException if there is an instance of this name or number, or the number
   *     is negative
   */
  public InDom instance(String name, int number) {
    check(name);
    if (number < 0) {
      throw new IllegalArgumentException("the number of " + name + " is " + number);
    }
    registry.add(() -> registry.tryToAdd("the instance " + name, () -> addNumbered(name, number)));
    return this;
  }

  private MmvImage.InstanceRecord addNumbered(String name, int number) throws IOException {
    if (instances.containsKey(name)) {
      throw new IllegalArgumentException("there is an instance " + name);
    }
    registry.image().checkInstances();
    registry.numbers().take(Numbers.INSTANCE + serial(), name, number);
    return add(name, number);
  }

  /**
   * Adds a label to an instance, and the instance if there is none of this name. It replaces a
   * label of the same name.
   *
   * @param value a {@link String}, a {@link Number} or a {@link Boolean}
   * @throws IllegalArgumentException if the label is invalid, or has more than 243 bytes of JSON
   */
  public InDom label(String instance, String name, Object value) {
    check(instance);
    byte[] json = Labels.json(name, value);
    registry.add(() ->
        registry.tryToAdd(
            "the instance " + instance,
            () -> {
              MmvImage.InstanceRecord labelled = find(instance);
              registry.addLabel(name, MmvLayout.OF_INSTANCE, serial(), labelled.number(), json);
              return labelled;
            }));
    return this;
  }

  /** Returns an instance, which is added if it is new. */
  MmvImage.InstanceRecord find(String name) throws IOException {
    MmvImage.InstanceRecord found = instances.get(name);
    if (found != null) {
      return found;
    }
    registry.image().checkInstances();
    return add(name, registry.numbers().of(Numbers.INSTANCE + serial(), name, Integer.MAX_VALUE));
  }

  private MmvImage.InstanceRecord add(String name, int number) throws IOException {
    MmvImage.InstanceRecord added = registry.image().addInstance(record, number, name);
    instances.put(name, added);
    return added;
  }

  void check(String name) {
    if (name.isEmpty()
        || name.chars().anyMatch(Character::isISOControl)
        || !Utf8.fits(name, registry.options().nameSize() - 1)) {
      throw new IllegalArgumentException(
          "an instance can't be called \"%s\": a name has 1 to %d bytes, and no control characters"
              .formatted(name, registry.options().nameSize() - 1));
    }
  }
}
