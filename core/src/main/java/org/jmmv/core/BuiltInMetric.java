package org.jmmv.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jmmv.core.HelpTexts.Help;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;

/** A metric of this program, not of a file. */
final class BuiltInMetric extends Metric {
  /** Type, semantics and units. */
  enum Kind {
    /** A number as in the metrics of pmdammv(1). */
    STOCK_NUMBER(ValueType.I32, Semantics.INSTANT, Unit.NONE),
    /** A string as in the metrics of pmdammv(1). */
    STOCK_TEXT(ValueType.STRING, Semantics.INSTANT, Unit.NONE),
    /** A string that changes now and then. */
    TEXT(ValueType.STRING, Semantics.DISCRETE, Unit.NONE),
    /** A 32-bit code. */
    CODE(ValueType.U32, Semantics.DISCRETE, Unit.NONE),
    /** A 64-bit identifier. */
    ID(ValueType.U64, Semantics.DISCRETE, Unit.NONE),
    /** How many there are now. */
    AMOUNT(ValueType.U64, Semantics.INSTANT, Unit.COUNT),
    /** How many there may be. */
    LIMIT(ValueType.U64, Semantics.DISCRETE, Unit.COUNT),
    /** How many there have been. */
    EVENTS(ValueType.U64, Semantics.COUNTER, Unit.COUNT),
    /** How much time something has taken altogether. */
    TIME_SPENT(ValueType.U64, Semantics.COUNTER, Unit.NANOSECONDS),
    /** How much time something has taken once. */
    DURATION(ValueType.U64, Semantics.INSTANT, Unit.NANOSECONDS),
    /** A size. */
    SIZE(ValueType.U64, Semantics.INSTANT, Unit.BYTES),
    /** The largest amount of memory. */
    MEMORY_LIMIT(ValueType.U64, Semantics.DISCRETE, Unit.MEBIBYTES),
    /** How long something has lasted. */
    AGE(ValueType.U64, Semantics.INSTANT, Unit.SECONDS);

    private final int type;
    private final int semantics;
    private final int units;

    Kind(int type, int semantics, int units) {
      this.type = type;
      this.semantics = semantics;
      this.units = units;
    }

    int type() {
      return type;
    }
  }

  /** Words of {@link Units}. */
  private static final class Unit {
    static final int NONE = 0;
    static final int COUNT = new Units(0, 0, 1, 0, 0, 0).word();
    static final int BYTES = new Units(1, 0, 0, 0, 0, 0).word();
    static final int MEBIBYTES = new Units(1, 0, 0, 2, 0, 0).word();
    static final int NANOSECONDS = new Units(0, 1, 0, 0, 0, 0).word();
    static final int SECONDS = new Units(0, 1, 0, 0, 3, 0).word();
  }

  /** Has the value of a metric, or those of its instances. */
  @FunctionalInterface
  interface Value {
    /**
     * Passes a value to a sink. Returns whether the sink has taken it.
     *
     * @param index the index of an instance; 0 for a singular metric
     * @param instance its number; {@link Instance#NULL} for a singular metric
     */
    boolean pass(int index, int instance, ValueSink sink, RequestState request);

    /** Returns whether an instance has a value. */
    default boolean exists(int instance) {
      return true;
    }
  }

  /**
   * How a value is stored, see {@link Metric}. Both functions return null, or why it can't be
   * stored.
   */
  record Storing(IntFunction<PmError> number, OfText text) {
    /** Refuses all values, but only after their number has been checked, as pmdammv(1) does. */
    static final Storing REFUSED =
        new Storing(_ -> PmError.PERMISSION, (_, _) -> PmError.PERMISSION);

    /** Stores a text, as {@link Metric#store(String, int)} does. */
    @FunctionalInterface
    interface OfText {
      PmError store(String text, int client);
    }
  }

  private final int pmid;
  private final String name;
  private final Kind kind;
  private final BuiltInInDom inDom; // null for a singular metric
  private final Supplier<Help> help;
  private final Value value;
  private final Storing storing; // null: nothing can be stored

  /**
   * Creates a metric.
   *
   * @param name the full name
   * @param inDom null for a singular metric
   * @param help is asked when a client asks for help
   * @param storing null: nothing can be stored
   */
  BuiltInMetric(
      int pmid,
      String name,
      Kind kind,
      BuiltInInDom inDom,
      Supplier<Help> help,
      Value value,
      Storing storing) {
    this.pmid = pmid;
    this.name = name;
    this.kind = kind;
    this.inDom = inDom;
    this.help = help;
    this.value = value;
    this.storing = storing;
  }

  /** Has the number of a singular metric. */
  static Value number(Kind kind, LongSupplier value) {
    return (_, instance, sink, _) ->
        sink.numbers(kind.type, new int[] {instance}, new long[] {value.getAsLong()}, 1) == 1;
  }

  /** Has the string of a singular metric, one char per byte. */
  static Value text(Supplier<String> value) {
    return (_, instance, sink, _) -> pass(value.get(), instance, sink);
  }

  /** Passes a string, as {@link Value#pass} does. */
  static boolean pass(String value, int instance, ValueSink sink) {
    byte[] text = value.getBytes(ISO_8859_1);
    return sink.text(instance, text, 0, text.length);
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
    return inDom == null ? InDom.NULL : inDom.id();
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
    return help.get().oneLine();
  }

  @Override
  public String help() {
    return help.get().text();
  }

  @Override
  int maxValues(InstanceFilter filter, RequestState request) {
    if (inDom == null) {
      return 1;
    }
    InstanceTable table = inDom.at(request).table();
    int[] selected = request.indexes(filter.of(inDom.id()), table);
    return selected == null ? table.size() : selected.length;
  }

  @Override
  int read(InstanceFilter filter, Turn turn, ValueSink sink, RequestState request) {
    if (inDom == null) {
      return value.pass(0, Instance.NULL, sink, request) ? COMPLETE : 0;
    }
    InstanceTable table = inDom.at(request).table();
    int[] selected = request.indexes(filter.of(inDom.id()), table);
    int count = selected == null ? table.size() : selected.length;
    boolean isNone = true;
    for (int i = 0; i < count; i++) {
      int index = selected == null ? i : selected[i];
      int instance = table.number(index);
      boolean exists = value.exists(instance);
      if ((i > 0 && request.isOver(turn))
          || (exists && !value.pass(index, instance, sink, request))) {
        return index;
      }
      isNone &= !exists;
    }
    if (isNone) {
      sink.none(0);
    }
    return COMPLETE;
  }

  @Override
  public boolean isStorable() {
    return storing != null;
  }

  @Override
  public PmError store(int number) {
    return storing == null ? PmError.PERMISSION : storing.number().apply(number);
  }

  @Override
  public PmError store(String text, int client) {
    return storing == null ? PmError.PERMISSION : storing.text().store(text, client);
  }
}
