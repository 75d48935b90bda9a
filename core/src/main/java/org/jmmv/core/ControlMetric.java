package org.jmmv.core;

import java.util.List;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;

/** A metric of the agent itself, in cluster 0. */
abstract class ControlMetric implements Metric {
  private static final int NO_UNITS = 0;
  private static final int COUNT = new Units(0, 0, 1, 0, 0, 0).word();
  private static final int BYTES = new Units(1, 0, 0, 0, 0, 0).word();
  private static final int MEBIBYTES = new Units(1, 0, 0, 2, 0, 0).word();
  private static final int NANOSECONDS = new Units(0, 1, 0, 0, 0, 0).word();
  private static final int MILLISECONDS = new Units(0, 1, 0, 0, 2, 0).word();
  private static final int SECONDS = new Units(0, 1, 0, 0, 3, 0).word();

  /** What a number or a text is: its type, semantics and units. */
  enum Kind {
    /** A number as in the metrics of pmdammv(1). */
    STOCK_NUMBER(ValueType.I32, Semantics.INSTANT, NO_UNITS),
    /** A string as in the metrics of pmdammv(1). */
    STOCK_TEXT(ValueType.STRING, Semantics.INSTANT, NO_UNITS),
    /** A string that changes now and then. */
    TEXT(ValueType.STRING, Semantics.DISCRETE, NO_UNITS),
    /** A 32-bit code or identifier. */
    CODE(ValueType.U32, Semantics.DISCRETE, NO_UNITS),
    /** How many there are now. */
    AMOUNT(ValueType.U64, Semantics.INSTANT, COUNT),
    /** How many there may be. */
    LIMIT(ValueType.U64, Semantics.DISCRETE, COUNT),
    /** How many there have been. */
    EVENTS(ValueType.U64, Semantics.COUNTER, COUNT),
    /** How much time something has taken altogether. */
    TIME_SPENT(ValueType.U64, Semantics.COUNTER, NANOSECONDS),
    /** A size. */
    SIZE(ValueType.U64, Semantics.INSTANT, BYTES),
    /** The largest size. */
    SIZE_LIMIT(ValueType.U64, Semantics.DISCRETE, BYTES),
    /** The largest amount of memory. */
    MEMORY_LIMIT(ValueType.U64, Semantics.DISCRETE, MEBIBYTES),
    /** The longest time to wait. */
    WAIT_LIMIT(ValueType.U64, Semantics.DISCRETE, MILLISECONDS),
    /** How long something has lasted. */
    AGE(ValueType.U64, Semantics.INSTANT, SECONDS),
    /** A time of day, since the epoch. */
    DATE(ValueType.U64, Semantics.DISCRETE, SECONDS);

    private final int type;
    private final int semantics;
    private final int units;

    Kind(int type, int semantics, int units) {
      this.type = type;
      this.semantics = semantics;
      this.units = units;
    }
  }

  private final int pmid;
  private final String name;
  private final Kind kind;
  private final HelpTexts texts;

  /**
   * Creates a metric.
   *
   * @param domain the domain of the PMID
   * @param item the item in cluster 0
   * @param name the full name, by which {@code texts} knows it
   */
  ControlMetric(int domain, int item, String name, Kind kind, HelpTexts texts) {
    pmid = Pmid.build(domain, 0, item);
    this.name = name;
    this.kind = kind;
    this.texts = texts;
  }

  String name() {
    return name;
  }

  @Override
  public int pmid() {
    return pmid;
  }

  @Override
  public int type() {
    return kind.type;
  }

  @Override
  public int inDom() {
    return InDom.NULL;
  }

  @Override
  public int semantics() {
    return kind.semantics;
  }

  @Override
  public int units() {
    return kind.units;
  }

  @Override
  public List<String> names() {
    return List.of(name);
  }

  @Override
  public String oneLine() {
    return texts.of(name).oneLine();
  }

  @Override
  public String help() {
    return texts.of(name).text();
  }

  /**
   * Returns whether pmdammv(1) has the metric. It does not refuse all stores with
   * PM_ERR_PERMISSION, also if the value can't be stored.
   */
  @Override
  public boolean isStorable() {
    return kind == Kind.STOCK_NUMBER || kind == Kind.STOCK_TEXT;
  }

  @Override
  public int maxValues(InstanceFilter filter) {
    return 1;
  }
}
