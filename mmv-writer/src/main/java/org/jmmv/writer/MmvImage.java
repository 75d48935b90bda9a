package org.jmmv.writer;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The bytes of an MMV file (mmv(5)). All records are added to it, and shown to readers by {@link
 * #commit}. A value stays where it is as long as the file exists, so that it can be updated while
 * records are added.
 *
 * <p>The instances of a domain follow each other. When some are added, all are written to the half
 * that is not in use: a reader that still has the former generation finds what it knows, or
 * nothing, but not another instance.
 *
 * <p>Not thread-safe.
 */
final class MmvImage {
  /** An instance domain. */
  static final class InDomRecord {
    private final int index;
    private final int serial;
    private final List<InstanceRecord> instances = new ArrayList<>();

    private InDomRecord(int index, int serial) {
      this.index = index;
      this.serial = serial;
    }

    int serial() {
      return serial;
    }
  }

  /** An instance. */
  static final class InstanceRecord {
    private final int number;
    private final String name;
    private final long nameOffset; // 0 in version 1
    private int offset;

    private InstanceRecord(int number, String name, long nameOffset) {
      this.number = number;
      this.name = name;
      this.nameOffset = nameOffset;
    }

    int number() {
      return number;
    }
  }

  private final Storage storage;
  private final ByteBuffer memory; // all but the strings
  private final boolean isShort; // version 1
  private final boolean maySayNone;
  private final int metricSize;
  private final int instanceSize;
  private final int maxLabels;
  private final int maxValues;
  private final int inDomsAt;
  private final int labelsAt;
  private final int valuesAt;
  private final int instancesAt;
  private final List<InDomRecord> inDoms = new ArrayList<>();
  private final List<InstanceRecord> instances = new ArrayList<>(); // by value; null: singular
  private final Map<String, Integer> labels = new HashMap<>(); // indexes by objects and names
  private final List<ByteBuffer> strings = new ArrayList<>(); // pieces
  private int version;
  private int metricCount;
  private int instanceCount;
  private int valueCount;
  private int stringCount;
  private boolean isSecondHalf; // has the instances
  private boolean areInstancesNew;
  private boolean isNew; // since the last commit
  private long generation;

  /**
   * Begins a file.
   *
   * @throws IOException if there is no room
   */
  MmvImage(Options options, Storage storage) throws IOException {
    this.storage = storage;
    version = options.version;
    maySayNone = options.hasSentinel();
    maxValues = options.maxValues;
    maxLabels = options.maxLabels;
    isShort = version == 1;
    metricSize = isShort ? MmvLayout.METRIC_1 : MmvLayout.METRIC_2;
    instanceSize = isShort ? MmvLayout.INSTANCE_1 : MmvLayout.INSTANCE_2;
    inDomsAt = metricAt(MmvLayout.MAX_METRICS);
    labelsAt = inDomsAt + MmvLayout.MAX_METRICS * MmvLayout.IN_DOM;
    valuesAt = labelsAt + maxLabels * MmvLayout.LABEL;
    instancesAt = valuesAt + maxValues * MmvLayout.VALUE;
    memory = storage.append(instancesAt + 2 * maxValues * instanceSize);
    memory.put(0, new byte[] {'M', 'M', 'V', 0});
    memory.putInt(MmvLayout.FLAGS, options.flags);
    memory.putInt(MmvLayout.PID, Math.toIntExact(ProcessHandle.current().pid()));
    memory.putInt(MmvLayout.CLUSTER, options.cluster);
  }

  /** Puts bytes and a NUL into a field of zeros, or of a former text. */
  static void put(ByteBuffer memory, int offset, int size, byte[] bytes) {
    memory.put(offset, bytes);
    if (bytes.length < size) {
      memory.put(offset + bytes.length, (byte) 0);
    }
  }

  /** Returns the offset of a new string in the file; 0 without a text. */
  private long string(String text) throws IOException {
    if (text == null || text.isEmpty()) {
      return 0;
    }
    int at = takeStrings(1);
    put(piece(at), inPiece(at), MmvLayout.STRING, Utf8.encode(text, MmvLayout.STRING - 1));
    return stringOffset(at);
  }

  /** Takes some strings that follow each other in one piece. Returns the index of the first. */
  private int takeStrings(int count) throws IOException {
    int perPiece = Storage.PIECE / MmvLayout.STRING;
    if (stringCount % perPiece + count > perPiece) {
      stringCount = strings.size() * perPiece; // those that are left stay empty
    }
    if (stringCount == strings.size() * perPiece) {
      strings.add(storage.append(Storage.PIECE));
    }
    int first = stringCount;
    stringCount += count;
    isNew = true;
    return first;
  }

  private ByteBuffer piece(int string) {
    return strings.get(string / (Storage.PIECE / MmvLayout.STRING));
  }

  private static int inPiece(int string) {
    return string % (Storage.PIECE / MmvLayout.STRING) * MmvLayout.STRING;
  }

  private long stringOffset(int string) {
    return memory.capacity() + (long) string * MmvLayout.STRING;
  }

  /**
   * Adds a metric.
   *
   * @param serial that of its instance domain; 0: it is singular
   * @return its index
   */
  int addMetric(MetricDescription metric, int item, int serial) throws IOException {
    checkMetrics();
    int at = metricAt(metricCount);
    long nameOffset = isShort ? 0 : string(metric.name);
    long shortHelp = string(metric.oneLine);
    long longHelp = string(metric.text);
    int rest = at + (isShort ? MmvLayout.SHORT_NAME : Long.BYTES);
    if (isShort) {
      put(memory, at, MmvLayout.SHORT_NAME, Utf8.encode(metric.name, MmvLayout.SHORT_NAME - 1));
    } else {
      memory.putLong(at, nameOffset);
    }
    memory.putInt(rest, item);
    memory.putInt(rest + MmvLayout.METRIC_TYPE, metric.type.code);
    memory.putInt(rest + MmvLayout.METRIC_SEMANTICS, metric.semantics.code);
    memory.putInt(rest + MmvLayout.METRIC_UNITS, metric.units.word());
    memory.putInt(rest + MmvLayout.METRIC_SERIAL, serial);
    memory.putLong(rest + MmvLayout.METRIC_SHORT_HELP, shortHelp);
    memory.putLong(rest + MmvLayout.METRIC_LONG_HELP, longHelp);
    isNew = true;
    return metricCount++;
  }

  private int metricAt(int index) {
    return MmvLayout.TOC + MmvLayout.MAX_TOC * MmvLayout.TOC_ENTRY + index * metricSize;
  }

  /** Adds an instance domain. */
  InDomRecord addInDom(int serial, String oneLine, String text) throws IOException {
    checkInDoms();
    int at = inDomsAt + inDoms.size() * MmvLayout.IN_DOM;
    memory.putInt(at, serial);
    memory.putLong(at + MmvLayout.IN_DOM_SHORT_HELP, string(oneLine));
    memory.putLong(at + MmvLayout.IN_DOM_LONG_HELP, string(text));
    InDomRecord added = new InDomRecord(inDoms.size(), serial);
    inDoms.add(added);
    areInstancesNew = true;
    isNew = true;
    return added;
  }

  /** Adds an instance. Its number and name are not checked. */
  InstanceRecord addInstance(InDomRecord inDom, int number, String name) throws IOException {
    checkInstances();
    long nameOffset = isShort ? 0 : string(name);
    InstanceRecord added = new InstanceRecord(number, name, nameOffset);
    inDom.instances.add(added);
    instanceCount++;
    areInstancesNew = true;
    isNew = true;
    return added;
  }

  /**
   * Adds a value, which is 0, or an empty text.
   *
   * @param metric the index of its metric
   * @param instance null of a singular metric
   */
  Slot addValue(int metric, InstanceRecord instance, Type type) throws IOException {
    checkValues();
    int at = valuesAt + valueCount * MmvLayout.VALUE;
    ByteBuffer copies = null;
    long copiesOffset = 0;
    if (type == Type.STRING) {
      int first = takeStrings(Text.COPIES);
      copies = piece(first).slice(inPiece(first), Text.SIZE);
      copiesOffset = stringOffset(first);
      memory.putLong(at + MmvLayout.VALUE_EXTRA, copiesOffset);
    }
    memory.putLong(at + MmvLayout.VALUE_METRIC, metricAt(metric));
    instances.add(instance);
    areInstancesNew |= instance != null;
    valueCount++;
    isNew = true;
    return new Slot(new Cell(memory, at), type, maySayNone, true, copies, copiesOffset);
  }

  /**
   * Adds a label. It replaces that of the same object and name.
   *
   * @param type of the object, as in labels of PCP
   * @param identity the cluster, the item or the serial
   * @param instance the instance number, -1 without one
   * @param json of at most {@link MmvLayout#JSON} - 1 bytes
   */
  void addLabel(String name, int type, int identity, int instance, byte[] json) throws IOException {
    String key = "%d %d %d %s".formatted(type, identity, instance, name);
    Integer known = labels.get(key);
    if (known == null) {
      check(labels.size(), maxLabels, "labels");
      known = labels.size();
      labels.put(key, known);
    }
    int at = labelsAt + known * MmvLayout.LABEL;
    memory.putInt(at, type);
    memory.putInt(at + MmvLayout.LABEL_IDENTITY, identity);
    memory.putInt(at + MmvLayout.LABEL_INSTANCE, instance);
    put(memory, at + MmvLayout.LABEL_JSON, MmvLayout.JSON, json);
    isNew = true;
  }

  /** Throws an exception if there is no room for another metric. */
  void checkMetrics() throws IOException {
    check(metricCount, MmvLayout.MAX_METRICS, "metrics");
  }

  /**
   * Throws an exception if there is no room for another instance domain: no more are used than
   * there are metrics.
   */
  void checkInDoms() throws IOException {
    check(inDoms.size(), MmvLayout.MAX_METRICS, "instance domains");
  }

  /** Throws an exception if there is no room for another instance. */
  void checkInstances() throws IOException {
    check(instanceCount, maxValues, "instances");
  }

  /** Throws an exception if there is no room for another value. */
  void checkValues() throws IOException {
    check(valueCount, maxValues, "values");
  }

  private static void check(int count, int max, String what) throws IOException {
    if (count == max) {
      throw new IOException("it has no room for more than %,d %s".formatted(max, what));
    }
  }

  boolean hasMetrics() {
    return metricCount > 0;
  }

  /** Shows readers what was added. They find a new generation, and read the records again. */
  void commit() {
    if (!isNew) {
      return;
    }
    if (areInstancesNew) {
      isSecondHalf = !isSecondHalf;
      writeInstances();
    }
    Cell.LONGS.setVolatile(
        memory, MmvLayout.GENERATION2, 0L); // from here on the file is incomplete
    VarHandle.fullFence();
    if (areInstancesNew) {
      useInstances();
    }
    version = !labels.isEmpty() && !isShort ? MmvLayout.VERSION_OF_LABELS : version;
    memory.putInt(MmvLayout.VERSION, version);
    memory.putInt(MmvLayout.TOC_COUNT, writeToc());
    VarHandle.fullFence();
    Instant now = Instant.now();
    long time = now.getEpochSecond() << 32 | now.getNano() / 1_000;
    generation = Math.max(generation + 1, time);
    Cell.LONGS.setVolatile(memory, MmvLayout.GENERATION1, generation);
    Cell.LONGS.setVolatile(memory, MmvLayout.GENERATION2, generation);
    isNew = false;
    areInstancesNew = false;
  }

  private int halfAt() {
    return instancesAt + (isSecondHalf ? maxValues * instanceSize : 0);
  }

  /**
   * Writes the instances to the half that is not in use. This takes longest, and is done before the
   * file is incomplete.
   */
  private void writeInstances() {
    int at = halfAt();
    for (InDomRecord inDom : inDoms) {
      int inDomAt = inDomsAt + inDom.index * MmvLayout.IN_DOM;
      for (InstanceRecord instance : inDom.instances) {
        memory.putLong(at, inDomAt);
        memory.putInt(at + MmvLayout.INSTANCE_NUMBER, instance.number);
        if (isShort) {
          memory.put(
              at + MmvLayout.INSTANCE_NAME,
              new byte[MmvLayout.SHORT_NAME]); // of another instance before
          put(
              memory,
              at + MmvLayout.INSTANCE_NAME,
              MmvLayout.SHORT_NAME,
              Utf8.encode(instance.name, MmvLayout.SHORT_NAME - 1));
        } else {
          memory.putLong(at + MmvLayout.INSTANCE_NAME, instance.nameOffset);
        }
        instance.offset = at;
        at += instanceSize;
      }
    }
  }

  /** Has the records of domains and values refer to the instances that were written. */
  private void useInstances() {
    int at = halfAt();
    for (InDomRecord inDom : inDoms) {
      int inDomAt = inDomsAt + inDom.index * MmvLayout.IN_DOM;
      memory.putInt(inDomAt + MmvLayout.IN_DOM_COUNT, inDom.instances.size());
      memory.putLong(inDomAt + MmvLayout.IN_DOM_INSTANCES, at);
      at += inDom.instances.size() * instanceSize;
    }
    for (int i = 0; i < valueCount; i++) {
      InstanceRecord instance = instances.get(i);
      if (instance != null) {
        memory.putLong(valuesAt + i * MmvLayout.VALUE + MmvLayout.VALUE_INSTANCE, instance.offset);
      }
    }
  }

  /** Writes the TOC, without sections that are not needed. Returns their number. */
  private int writeToc() {
    int entries = 0;
    entries += writeToc(entries, MmvLayout.INDOMS, inDoms.size(), inDomsAt);
    entries += writeToc(entries, MmvLayout.INSTANCES, instanceCount, halfAt());
    entries += writeToc(entries, MmvLayout.METRICS, metricCount, metricAt(0));
    entries += writeToc(entries, MmvLayout.VALUES, valueCount, valuesAt);
    entries += writeToc(entries, MmvLayout.STRINGS, stringCount, memory.capacity());
    return entries + writeToc(entries, MmvLayout.LABELS, labels.size(), labelsAt);
  }

  private int writeToc(int entry, int type, int count, long offset) {
    if (count == 0 && type != MmvLayout.METRICS && type != MmvLayout.VALUES) {
      return 0;
    }
    int at = MmvLayout.TOC + entry * MmvLayout.TOC_ENTRY;
    memory.putInt(at, type);
    memory.putInt(at + MmvLayout.COUNT, count);
    memory.putLong(at + MmvLayout.OFFSET, offset);
    return 1;
  }
}
