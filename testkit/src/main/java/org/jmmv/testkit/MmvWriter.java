package org.jmmv.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.RandomAccessFile;
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
import java.util.Objects;
import java.util.Set;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;

/**
 * Writes MMV files: sound ones as applications write them, and broken ones. To break a file, change
 * bytes of its {@link #image}; the methods whose names end in {@code At} return the offset of each
 * record, in bytes from the start of the file.
 *
 * <p>All offsets, sizes and codes are written down here once more, from mmv(5), and not taken from
 * the reader under test. If writer and reader shared them, a wrong number would be wrong on both
 * sides and no test would notice.
 *
 * <p>The sections follow each other in the order of their TOC types. METRICS and VALUES are always
 * written, the other sections only if they have entries. A {@code String} holds one char per byte
 * (ISO 8859-1), so that a test can write bytes that are not text.
 *
 * <p>The class is long because a file is built in one place: what it contains, where each record
 * is, and the bytes.
 */
public final class MmvWriter {
  /** Type of a timer: microseconds. MMV files have it in addition to PCP's types. */
  public static final int ELAPSED = 9;

  /** Header flag: the names of the metrics do not begin with the name of the file. */
  public static final int NOPREFIX = 1;

  /** Header flag: the file is served only while the process in its header runs. */
  public static final int PROCESS = 2;

  /** Header flag: a value of all ones, or an empty string, means that there is no value now. */
  public static final int SENTINEL = 4;

  // types of sections in the TOC
  public static final int INDOMS = 1;
  public static final int INSTANCES = 2;
  public static final int METRICS = 3;
  public static final int VALUES = 4;
  public static final int STRINGS = 5;
  public static final int LABELS = 6;

  // offsets in the header, in bytes
  public static final int MAGIC = 0;
  public static final int VERSION = 4;
  public static final int GENERATION1 = 8;
  public static final int GENERATION2 = 16;
  public static final int TOC_COUNT = 24;
  public static final int FLAGS = 28;
  public static final int PID = 32;
  public static final int CLUSTER = 36;
  public static final int HEADER_SIZE = 40;

  /** The largest size of a page on Linux, in bytes. */
  public static final int LARGEST_PAGE = 65_536;

  private static final int TOC_SIZE = 16;
  private static final int STRING_SIZE = 256;
  private static final int NAME_SIZE = 64;
  private static final int JSON_SIZE = 244;

  private final int version;
  private long generation = 1_763_620_000;
  private int flags;
  private int pid;
  private int cluster;
  private boolean packed;
  private final List<InDom> inDoms = new ArrayList<>();
  private final List<Metric> metrics = new ArrayList<>();
  private final List<Label> labels = new ArrayList<>();

  /** An entry of INSTANCES. Not a record: a file may hold two that are equal. */
  private static final class Entry {
    final InDom inDom;
    final int number;
    final String name;

    Entry(InDom inDom, int number, String name) {
      this.inDom = inDom;
      this.number = number;
      this.name = name;
    }
  }

  private record Value(Entry instance, long bits, long extra, String text) {}

  private record Label(int flags, int identity, int instance, String json) {}

  /** An entry of INDOMS, with its instances. */
  public static final class InDom {
    private final int serial;
    private final List<Entry> instances = new ArrayList<>();
    private final Map<Integer, Entry> byNumber = new HashMap<>(); // the first of each number
    private String shortHelp;
    private String longHelp;

    private InDom(int serial) {
      this.serial = serial;
    }

    /**
     * Sets the help texts.
     *
     * @param oneLine at most 256 bytes, null for none
     * @param text at most 256 bytes, null for none
     */
    public InDom help(String oneLine, String text) {
      shortHelp = oneLine;
      longHelp = text;
      return this;
    }

    /**
     * Adds an instance. The number may be taken already: then the file has two of that number.
     *
     * @param name at most 64 bytes in version 1, 256 in later ones
     */
    public InDom instance(int number, String name) {
      Entry entry = new Entry(this, number, name);
      instances.add(entry);
      byNumber.putIfAbsent(number, entry);
      return this;
    }

    private Entry find(int number) {
      return Objects.requireNonNull(byNumber.get(number));
    }
  }

  /** An entry of METRICS, with its values. By default a singular counter without units or help. */
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

    /** Sets the semantics, usually one of {@link Semantics}. */
    public Metric semantics(int value) {
      semantics = value;
      return this;
    }

    /** Sets the units, as the bits of a pmUnits: dimSpace in the highest four. */
    public Metric units(int bits) {
      units = bits;
      return this;
    }

    /** Makes this a metric over an instance domain of the same file. */
    public Metric inDom(InDom of) {
      inDom = of;
      serial = of.serial;
      return this;
    }

    /**
     * Sets the serial of the instance domain without a check: 0 and -1 mean singular, other numbers
     * may be those of an instance domain in another file, or in none.
     */
    public Metric serial(int value) {
      serial = value;
      return this;
    }

    /**
     * Sets the help texts.
     *
     * @param oneLine at most 256 bytes, null for none
     * @param text at most 256 bytes, null for none
     */
    public Metric help(String oneLine, String text) {
      shortHelp = oneLine;
      longHelp = text;
      return this;
    }

    /** Adds a value of a singular metric of an integer type. */
    public Metric value(long number) {
      return at(Instance.NULL, number);
    }

    /** Adds a value of a singular metric of type FLOAT or DOUBLE. */
    public Metric value(double number) {
      return at(Instance.NULL, number);
    }

    /** Adds a value of a singular metric of type STRING, at most 256 bytes. */
    public Metric text(String text) {
      return textAt(Instance.NULL, text);
    }

    /** Adds a value of a singular metric, as the 16 bytes of the file's {@code value} and extra. */
    public Metric raw(long bits, long extra) {
      return rawAt(Instance.NULL, bits, extra);
    }

    /**
     * Adds a value of an integer type.
     *
     * @param instance one of {@link #inDom(InDom)}, or {@link Instance#NULL} for a singular metric
     */
    public Metric at(int instance, long number) {
      return add(instance, bits(number), 0, null);
    }

    /** Adds a value of type FLOAT or DOUBLE. */
    public Metric at(int instance, double number) {
      return add(instance, bits(number), 0, null);
    }

    /** Adds a value of type STRING, at most 256 bytes. */
    public Metric textAt(int instance, String text) {
      return add(instance, 0, 0, text);
    }

    /** Adds a value as the 16 bytes of the file's {@code value} and extra. */
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

    private Metric add(int number, long bits, long extra, String text) {
      Entry instance = number == Instance.NULL ? null : inDom.find(number);
      values.add(new Value(instance, bits, extra, text));
      return this;
    }
  }

  /**
   * Begins a file.
   *
   * @param version 1, 2 or 3; any other number stands in the header of a file laid out as version 3
   */
  public MmvWriter(int version) {
    this.version = version;
  }

  /** Returns the 8 bytes of a 32-bit value in the host's byte order: the number, then zeros. */
  public static long word(int number) {
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
        ? Integer.toUnsignedLong(number)
        : (long) number << 32;
  }

  /** Sets the header's flags, see mmv(5). 0 by default. */
  public MmvWriter flags(int value) {
    flags = value;
    return this;
  }

  /** Sets the header's process. 0 by default. */
  public MmvWriter pid(long value) {
    pid = Math.toIntExact(value);
    return this;
  }

  /** Sets the header's cluster. 0, the default, leaves the choice to the agent. */
  public MmvWriter cluster(int value) {
    cluster = value;
    return this;
  }

  /** Sets both of the header's generations. */
  public MmvWriter generation(long value) {
    generation = value;
    return this;
  }

  /**
   * Writes each string right behind the NUL of the one before, instead of 256 bytes apart, and at
   * least 256 bytes behind the last one, as PCP's test 1552 does.
   */
  public MmvWriter packed() {
    packed = true;
    return this;
  }

  /** Adds an instance domain. */
  public InDom inDom(int serial) {
    inDoms.add(new InDom(serial));
    return inDoms.getLast();
  }

  /**
   * Adds a metric.
   *
   * @param name at most 64 bytes in version 1, 256 in later ones
   * @param type usually one of {@link MmvType}
   */
  public Metric metric(String name, int item, int type) {
    metrics.add(new Metric(name, item, type));
    return metrics.getLast();
  }

  /**
   * Adds a label.
   *
   * @param flags one of {@link org.jmmv.pcp.LabelType}, and others
   * @param identity a cluster, an item or the serial of an instance domain, as {@code flags} says
   * @param json at most 244 bytes
   */
  public MmvWriter label(int flags, int identity, int instance, String json) {
    labels.add(new Label(flags, identity, instance, json));
    return this;
  }

  // ---------------------------------------------------------------- offsets

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
      case STRINGS -> packed ? stringOffset(null) / STRING_SIZE + 2 : texts().size();
      default -> labels.size();
    };
  }

  /** Returns the offset of a text in STRINGS; for null, the size of all texts. */
  private int stringOffset(String text) {
    int offset = 0;
    for (String before : texts()) {
      if (before.equals(text)) {
        break;
      }
      offset += stringSize(before);
    }
    return offset;
  }

  private int stringSize(String text) {
    return packed ? text.length() + 1 : STRING_SIZE;
  }

  private boolean has(int section) {
    return section == METRICS || section == VALUES || count(section) > 0;
  }

  private int sectionCount() {
    return tocAt(LABELS + 1) / TOC_SIZE - HEADER_SIZE / TOC_SIZE;
  }

  /** Returns the offset of a section's TOC entry. */
  public int tocAt(int section) {
    int at = HEADER_SIZE;
    for (int s = INDOMS; s < section; s++) {
      at += has(s) ? TOC_SIZE : 0;
    }
    return at;
  }

  /** Returns the offset of a section. */
  public int sectionAt(int section) {
    int at = tocAt(LABELS + 1);
    for (int s = INDOMS; s < section; s++) {
      at += entrySize(s) * count(s);
    }
    return at;
  }

  /** Returns the offset of an instance domain. */
  public int inDomAt(int i) {
    return sectionAt(INDOMS) + i * entrySize(INDOMS);
  }

  /** Returns the offset of an instance, counted over all instance domains. */
  public int instanceAt(int i) {
    return sectionAt(INSTANCES) + i * entrySize(INSTANCES);
  }

  /** Returns the offset of a metric. */
  public int metricAt(int i) {
    return sectionAt(METRICS) + i * entrySize(METRICS);
  }

  /** Returns the offset of a metric's item. What follows it is the same in all versions. */
  public int metricItemAt(int i) {
    return metricAt(i) + (version == 1 ? NAME_SIZE : 8);
  }

  /** Returns the offset of a value, counted over all metrics. */
  public int valueAt(int i) {
    return sectionAt(VALUES) + i * entrySize(VALUES);
  }

  /** Returns the offset of a label. */
  public int labelAt(int i) {
    return sectionAt(LABELS) + i * entrySize(LABELS);
  }

  /** Returns the offset of a text in STRINGS, where equal texts share one entry. */
  public int stringAt(String text) {
    return sectionAt(STRINGS) + stringOffset(text);
  }

  /** Returns the size of the file in bytes. */
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

  /** Returns the whole file, in the host's byte order. */
  public ByteBuffer image() {
    ByteBuffer out = ByteBuffer.allocate(size()).order(ByteOrder.nativeOrder());
    out.put("MMV\0".getBytes(ISO_8859_1)).putInt(version).putLong(generation).putLong(generation);
    out.putInt(sectionCount()).putInt(flags).putInt(pid).putInt(cluster);
    for (int section = INDOMS; section <= LABELS; section++) {
      if (has(section)) {
        out.putInt(section).putInt(count(section)).putLong(sectionAt(section));
      }
    }
    // once, because the offset of a section is computed from all entries before it
    long stringsAt = sectionAt(STRINGS);
    long inDomsAt = inDomAt(0);
    long instancesAt = instanceAt(0);
    long metricsAt = metricAt(0);
    Map<String, Long> texts = new HashMap<>();
    long stringAt = stringsAt;
    for (String text : texts()) {
      texts.put(text, stringAt);
      stringAt += stringSize(text);
    }
    Map<Entry, Long> instances = new LinkedHashMap<>();
    for (InDom inDom : inDoms) {
      out.putInt(inDom.serial).putInt(inDom.instances.size());
      out.putLong(instancesAt + (long) instances.size() * entrySize(INSTANCES));
      putOffset(out, texts, inDom.shortHelp);
      putOffset(out, texts, inDom.longHelp);
      for (Entry instance : inDom.instances) {
        instances.put(instance, instancesAt + (long) instances.size() * entrySize(INSTANCES));
      }
    }
    for (Entry instance : instances.keySet()) {
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
    texts().forEach(text -> putText(out, text, stringSize(text)));
    out.position(sectionAt(LABELS));
    for (Label label : labels) {
      out.putInt(label.flags).putInt(label.identity).putInt(label.instance);
      putText(out, label.json, JSON_SIZE);
    }
    return out.flip();
  }

  /**
   * Returns the file with its values behind the largest page, so that they can be cut off alone.
   */
  public ByteBuffer imageOfPages() {
    ByteBuffer image = image();
    int from = sectionAt(VALUES);
    int size = sectionAt(STRINGS) - from;
    ByteBuffer pages = ByteBuffer.allocate(LARGEST_PAGE + size).order(image.order());
    pages.put(0, image, 0, image.limit()).put(LARGEST_PAGE, image, from, size);
    return pages.putLong(tocAt(VALUES) + 8, LARGEST_PAGE);
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

  /** Writes the file under a hidden name, then renames it: an agent sees all of it or nothing. */
  public Path write(Path directory, String name) {
    return write(image(), directory, name);
  }

  /** Writes an image as {@link #write(Path, String)} does. */
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
   * Overwrites an existing file of any size, as an application does that starts again. The file is
   * in flux until all of it is written.
   */
  public void rewrite(Path file) {
    rewrite(image(), file);
  }

  /** Overwrites a file with an image as {@link #rewrite(Path)} does. */
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

  /** Truncates a file, or adds zeros to it. */
  public static void resize(Path file, long size) {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts a file in flux with a store to a mapping, as applications do. */
  public static void flux(Path file) {
    storeLong(file, GENERATION2, 0);
  }

  /** Ends the flux: sets both generations. */
  public static void settle(Path file, long generation) {
    storeLong(file, GENERATION1, generation);
    storeLong(file, GENERATION2, generation);
  }

  /** Stores 8 bytes through a mapping, in the host's byte order. */
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
