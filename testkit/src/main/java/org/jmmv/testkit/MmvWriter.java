package org.jmmv.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;

/**
 * Makes MMV files as applications do, and broken ones: whoever has an {@link #image} can change any
 * byte of it, and the {@code …At} methods tell where everything is. Numbers come from mmv(5), not
 * from the code under test. Text is one char per byte.
 *
 * <p>The sections lie in the order of their types. METRICS and VALUES are always there, the others
 * if they have entries.
 */
public final class MmvWriter {
  /** The type of a timer, which MMV files have beside those of PCP. */
  public static final int ELAPSED = 9;

  public static final int NOPREFIX = 1;
  public static final int PROCESS = 2;
  public static final int SENTINEL = 4;

  public static final int INDOMS = 1;
  public static final int INSTANCES = 2;
  public static final int METRICS = 3;
  public static final int VALUES = 4;
  public static final int STRINGS = 5;
  public static final int LABELS = 6;

  // offsets in the header
  public static final int MAGIC = 0;
  public static final int VERSION = 4;
  public static final int GENERATION1 = 8;
  public static final int GENERATION2 = 16;
  public static final int TOC_COUNT = 24;
  public static final int FLAGS = 28;
  public static final int PID = 32;
  public static final int CLUSTER = 36;
  public static final int HEADER_SIZE = 40;

  private static final int TOC_SIZE = 16;
  private static final int STRING_SIZE = 256;
  private static final int NAME_SIZE = 64;
  private static final int JSON_SIZE = 244;

  private final int version;
  private long generation = 1_763_620_000;
  private int flags;
  private int pid;
  private int cluster;
  private final List<InDom> inDoms = new ArrayList<>();
  private final List<Metric> metrics = new ArrayList<>();
  private final List<Label> labels = new ArrayList<>();

  private static final class Instance { // not a record: equal ones are not the same
    final InDom inDom;
    final int number;
    final String name;

    Instance(InDom inDom, int number, String name) {
      this.inDom = inDom;
      this.number = number;
      this.name = name;
    }
  }

  private record Value(Instance instance, long bits, long extra, String text) {}

  private record Label(int flags, int identity, int instance, String json) {}

  /** An instance domain; {@code instance} may be called again and again. */
  public static final class InDom {
    private final int serial;
    private final List<Instance> instances = new ArrayList<>();
    private String shortHelp;
    private String longHelp;

    private InDom(int serial) {
      this.serial = serial;
    }

    /** Texts, null for none. */
    public InDom help(String oneLine, String text) {
      shortHelp = oneLine;
      longHelp = text;
      return this;
    }

    public InDom instance(int number, String name) {
      instances.add(new Instance(this, number, name));
      return this;
    }

    private Instance find(int number) {
      return instances.stream().filter(i -> i.number == number).findFirst().orElseThrow();
    }
  }

  /** A metric: a counter without units, help and instances, unless told otherwise. */
  public static final class Metric {
    private final String name;
    private final int item;
    private final int type;
    private int semantics = Semantics.COUNTER;
    private int units;
    private int serial;
    private InDom inDom;
    private String shortHelp;
    private String longHelp;
    private final List<Value> values = new ArrayList<>();

    private Metric(String name, int item, int type) {
      this.name = name;
      this.item = item;
      this.type = type;
    }

    public Metric semantics(int value) {
      semantics = value;
      return this;
    }

    /** The bits of a pmUnits, dimSpace in the highest four. */
    public Metric units(int bits) {
      units = bits;
      return this;
    }

    public Metric inDom(InDom of) {
      inDom = of;
      serial = of.serial;
      return this;
    }

    /** A serial alone: 0 and -1 for none, or that of a domain which another file has. */
    public Metric serial(int value) {
      serial = value;
      return this;
    }

    /** Texts, null for none. */
    public Metric help(String oneLine, String text) {
      shortHelp = oneLine;
      longHelp = text;
      return this;
    }

    public Metric value(long number) {
      return add(null, bits(number), 0, null);
    }

    public Metric value(double number) {
      return add(null, bits(number), 0, null);
    }

    public Metric text(String text) {
      return add(null, 0, 0, text);
    }

    /** All 16 bytes. */
    public Metric raw(long bits, long extra) {
      return add(null, bits, extra, null);
    }

    public Metric at(int instance, long number) {
      return add(instance, bits(number), 0, null);
    }

    public Metric at(int instance, double number) {
      return add(instance, bits(number), 0, null);
    }

    public Metric textAt(int instance, String text) {
      return add(instance, 0, 0, text);
    }

    public Metric rawAt(int instance, long bits, long extra) {
      return add(instance, bits, extra, null);
    }

    private long bits(long number) {
      return type == ValueType.I32 || type == ValueType.U32 ? word((int) number) : number;
    }

    private long bits(double number) {
      return type == ValueType.FLOAT
          ? word(Float.floatToRawIntBits((float) number))
          : Double.doubleToRawLongBits(number);
    }

    private Metric add(Integer number, long bits, long extra, String text) {
      Instance instance = number == null ? null : inDom.find(number);
      values.add(new Value(instance, bits, extra, text));
      return this;
    }
  }

  /** A file of version 1, 2 or 3; any other number makes a file like that of version 3. */
  public MmvWriter(int version) {
    this.version = version;
  }

  /** The 8 bytes of a value whose first 4 are a number and whose last 4 are 0. */
  public static long word(int number) {
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
        ? Integer.toUnsignedLong(number)
        : (long) number << 32;
  }

  public MmvWriter flags(int value) {
    flags = value;
    return this;
  }

  public MmvWriter pid(long value) {
    pid = Math.toIntExact(value);
    return this;
  }

  public MmvWriter cluster(int value) {
    cluster = value;
    return this;
  }

  public MmvWriter generation(long value) {
    generation = value;
    return this;
  }

  public InDom inDom(int serial) {
    inDoms.add(new InDom(serial));
    return inDoms.getLast();
  }

  public Metric metric(String name, int item, int type) {
    metrics.add(new Metric(name, item, type));
    return metrics.getLast();
  }

  public MmvWriter label(int flags, int identity, int instance, String json) {
    labels.add(new Label(flags, identity, instance, json));
    return this;
  }

  // ---------------------------------------------------------------- where things are

  private int entrySize(int section) {
    return switch (section) {
      case INDOMS -> 32;
      case INSTANCES -> version == 1 ? 16 + NAME_SIZE : 24;
      case METRICS -> version == 1 ? NAME_SIZE + 40 : 48;
      case VALUES -> 32;
      default -> 256;
    };
  }

  private int count(int section) {
    return switch (section) {
      case INDOMS -> inDoms.size();
      case INSTANCES -> inDoms.stream().mapToInt(inDom -> inDom.instances.size()).sum();
      case METRICS -> metrics.size();
      case VALUES -> metrics.stream().mapToInt(metric -> metric.values.size()).sum();
      case STRINGS -> texts().size();
      default -> labels.size();
    };
  }

  private boolean has(int section) {
    return section == METRICS || section == VALUES || count(section) > 0;
  }

  private int sectionCount() {
    return tocAt(LABELS + 1) / TOC_SIZE - HEADER_SIZE / TOC_SIZE;
  }

  /** Where a section's TOC entry begins, in bytes from the start of the file. */
  public int tocAt(int section) {
    int at = HEADER_SIZE;
    for (int s = INDOMS; s < section; s++) {
      at += has(s) ? TOC_SIZE : 0;
    }
    return at;
  }

  /** Where a section begins. */
  public int sectionAt(int section) {
    int at = tocAt(LABELS + 1);
    for (int s = INDOMS; s < section; s++) {
      at += entrySize(s) * count(s);
    }
    return at;
  }

  public int inDomAt(int i) {
    return sectionAt(INDOMS) + i * entrySize(INDOMS);
  }

  /** Where an instance is, counted over all instance domains. */
  public int instanceAt(int i) {
    return sectionAt(INSTANCES) + i * entrySize(INSTANCES);
  }

  public int metricAt(int i) {
    return sectionAt(METRICS) + i * entrySize(METRICS);
  }

  /** Where the part of a metric begins that all versions have, the item first. */
  public int metricItemAt(int i) {
    return metricAt(i) + (version == 1 ? NAME_SIZE : 8);
  }

  /** Where a value is, counted over all metrics. */
  public int valueAt(int i) {
    return sectionAt(VALUES) + i * entrySize(VALUES);
  }

  public int labelAt(int i) {
    return sectionAt(LABELS) + i * entrySize(LABELS);
  }

  /** Where a text's entry is; equal texts share one. */
  public int stringAt(String text) {
    return sectionAt(STRINGS) + List.copyOf(texts()).indexOf(text) * STRING_SIZE;
  }

  public int size() {
    return sectionAt(LABELS + 1);
  }

  private Set<String> texts() {
    Set<String> texts = new LinkedHashSet<>();
    for (InDom inDom : inDoms) {
      if (version != 1) {
        inDom.instances.forEach(instance -> texts.add(instance.name));
      }
      texts.add(inDom.shortHelp);
      texts.add(inDom.longHelp);
    }
    for (Metric metric : metrics) {
      texts.add(version == 1 ? null : metric.name);
      texts.add(metric.shortHelp);
      texts.add(metric.longHelp);
      metric.values.forEach(value -> texts.add(value.text));
    }
    texts.remove(null);
    return texts;
  }

  // ---------------------------------------------------------------- bytes

  /** The whole file, in the host's byte order. */
  public ByteBuffer image() {
    ByteBuffer out = ByteBuffer.allocate(size()).order(ByteOrder.nativeOrder());
    out.put("MMV\0".getBytes(ISO_8859_1)).putInt(version).putLong(generation).putLong(generation);
    out.putInt(sectionCount()).putInt(flags).putInt(pid).putInt(cluster);
    for (int section = INDOMS; section <= LABELS; section++) {
      if (has(section)) {
        out.putInt(section).putInt(count(section)).putLong(sectionAt(section));
      }
    }
    // finding a section takes a look at everything
    long stringsAt = sectionAt(STRINGS);
    long inDomsAt = inDomAt(0);
    long instancesAt = instanceAt(0);
    long metricsAt = metricAt(0);
    Map<String, Long> texts = new HashMap<>();
    for (String text : texts()) {
      texts.put(text, stringsAt + texts.size() * (long) STRING_SIZE);
    }
    Map<Instance, Long> instances = new LinkedHashMap<>();
    for (InDom inDom : inDoms) {
      out.putInt(inDom.serial).putInt(inDom.instances.size());
      out.putLong(instancesAt + (long) instances.size() * entrySize(INSTANCES));
      putOffset(out, texts, inDom.shortHelp);
      putOffset(out, texts, inDom.longHelp);
      for (Instance instance : inDom.instances) {
        instances.put(instance, instancesAt + (long) instances.size() * entrySize(INSTANCES));
      }
    }
    for (Instance instance : instances.keySet()) {
      out.putLong(inDomsAt + (long) inDoms.indexOf(instance.inDom) * entrySize(INDOMS));
      out.putInt(0).putInt(instance.number);
      putName(out, texts, instance.name);
    }
    for (Metric metric : metrics) {
      putName(out, texts, metric.name);
      out.putInt(metric.item).putInt(metric.type).putInt(metric.semantics).putInt(metric.units);
      out.putInt(metric.serial).putInt(0);
      putOffset(out, texts, metric.shortHelp);
      putOffset(out, texts, metric.longHelp);
    }
    for (int m = 0; m < metrics.size(); m++) {
      long metricAt = metricsAt + (long) m * entrySize(METRICS);
      for (Value value : metrics.get(m).values) {
        out.putLong(value.bits);
        out.putLong(value.text == null ? value.extra : texts.get(value.text));
        out.putLong(metricAt);
        out.putLong(value.instance == null ? 0 : instances.get(value.instance));
      }
    }
    texts().forEach(text -> putText(out, text, STRING_SIZE));
    for (Label label : labels) {
      out.putInt(label.flags).putInt(label.identity).putInt(label.instance);
      putText(out, label.json, JSON_SIZE);
    }
    return out.flip();
  }

  private void putName(ByteBuffer out, Map<String, Long> texts, String name) {
    if (version == 1) {
      putText(out, name, NAME_SIZE);
    } else {
      putOffset(out, texts, name);
    }
  }

  private void putOffset(ByteBuffer out, Map<String, Long> texts, String text) {
    out.putLong(text == null ? 0 : texts.get(text));
  }

  private static void putText(ByteBuffer out, String text, int size) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    if (bytes.length > size) {
      throw new IllegalArgumentException(bytes.length + " bytes, there is room for " + size);
    }
    out.put(bytes).position(out.position() + size - bytes.length);
  }

  // ---------------------------------------------------------------- files

  /** Writes the file under another name and renames it. */
  public Path write(Path directory, String name) {
    return write(image(), directory, name);
  }

  /** Writes an image under another name and renames it. */
  public static Path write(ByteBuffer image, Path directory, String name) {
    try {
      Path hidden = directory.resolve("." + name + ".new");
      Files.write(hidden, bytes(image));
      return Files.move(hidden, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes over a file that is there already, of any size, as it starts anew: in flux meanwhile.
   */
  public void rewrite(Path file) {
    rewrite(image(), file);
  }

  /** Writes an image over a file, see {@link #rewrite(Path)}. */
  public static void rewrite(ByteBuffer image, Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer inFlux = ByteBuffer.wrap(bytes(image)).order(image.order());
      inFlux.putLong(GENERATION2, 0);
      channel.write(inFlux, 0);
      channel.truncate(image.limit());
      channel.write(image.slice(GENERATION2, 8), GENERATION2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts a file in flux, by a store to a mapping, as applications do. */
  public static void flux(Path file) {
    storeLong(file, GENERATION2, 0);
  }

  /** Ends the flux: both generations are set. */
  public static void settle(Path file, long generation) {
    storeLong(file, GENERATION1, generation);
    storeLong(file, GENERATION2, generation);
  }

  /** Stores 8 bytes through a mapping. */
  public static void storeLong(Path file, long offset, long value) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      channel.map(MapMode.READ_WRITE, offset, 8).order(ByteOrder.nativeOrder()).putLong(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(ByteBuffer image) {
    byte[] bytes = new byte[image.limit()];
    image.get(0, bytes);
    return bytes;
  }
}
