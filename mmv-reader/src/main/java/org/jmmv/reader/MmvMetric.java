package org.jmmv.reader;

/** A metric of a file, as its entry in the METRICS section describes it. */
public final class MmvMetric {
  /**
   * Microseconds accumulated; a negative extra is minus the start (µs since the epoch) of a section
   * in progress.
   */
  public static final int ELAPSED = 9;

  private final String name;
  private final int index;
  private final long offset;
  private final int item;
  private final int type;
  private final int semantics;
  private final int units;
  private final int serial;
  private final String shortHelp;
  private final String longHelp;
  private int[] instances = {};
  private int[] values = {};

  MmvMetric(
      String name,
      int index,
      long offset,
      int item,
      int type,
      int semantics,
      int units,
      int serial,
      String shortHelp,
      String longHelp) {
    this.name = name;
    this.index = index;
    this.offset = offset;
    this.item = item;
    this.type = type;
    this.semantics = semantics;
    this.units = units;
    this.serial = serial;
    this.shortHelp = shortHelp;
    this.longHelp = longHelp;
  }

  /** The SchemaReader's last word on a metric, before anybody else sees it. */
  void setValues(int[] instances, int[] values) {
    this.instances = instances;
    this.values = values;
  }

  /** The name as the application gave it: letters, digits, '_' and '.'. */
  public String name() {
    return name;
  }

  /** Which of the entries of its METRICS section it is, from 0 on. */
  public int index() {
    return index;
  }

  /** Where the metric's entry begins, in bytes from the start of the file. */
  public long offset() {
    return offset;
  }

  /** 0 to 1023, unique in a METRICS section. */
  public int item() {
    return item;
  }

  /** One of the TYPE constants, or any other number. */
  public int type() {
    return type;
  }

  /** As pmLookupDesc(3) has them, or any other number; 0 is served as a counter. */
  public int semantics() {
    return semantics;
  }

  /** The bits of a {@code pmUnits}, dimSpace in the highest four. */
  public int units() {
    return units;
  }

  /** The serial of the instance domain, unchecked; see {@link #isSingular}. */
  public int serial() {
    return serial;
  }

  /** Whether the metric has one value and no instance domain. */
  public boolean isSingular() {
    return serial == 0 || serial == -1;
  }

  /** One line of help, or null if there is none. */
  public String shortHelp() {
    return shortHelp;
  }

  /** The help text, or null if there is none. */
  public String longHelp() {
    return longHelp;
  }

  /** How many values the file has for the metric. */
  public int valueCount() {
    return values.length;
  }

  /**
   * The instance number of the metric's {@code i}th value, in the order of the VALUES section; an
   * instance may come up again, then the first one counts. Undefined for a singular metric.
   */
  public int instance(int i) {
    return instances[i];
  }

  /** The index in the VALUES section of the metric's {@code i}th value. */
  public int value(int i) {
    return values[i];
  }
}
