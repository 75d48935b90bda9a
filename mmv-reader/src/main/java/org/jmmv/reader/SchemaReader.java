package org.jmmv.reader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.jmmv.reader.MmvFault.printable;
import static org.jmmv.reader.MmvLayout.*;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Pmid;

/**
 * Reads a file's metadata once, each byte once, and checks it.
 *
 * <p>What is broken is left out, with a {@link MmvFault} that says where; what is sound is kept.
 * Work and memory are bounded: by {@link Limits}, and by the file's size, which all sections
 * together, the instances of all instance domains together, and all strings together may not
 * exceed.
 */
final class SchemaReader {
  private static final int MAX_FAULTS = 20;

  private record Section(int type, int count, long offset) {}

  /** What the entries of one serial come to; there may be several in a file. */
  private static final class InDom {
    final List<Instance> instances = new ArrayList<>();
    final Set<Integer> numbers = new HashSet<>();
    final String shortHelp;
    final String longHelp;

    InDom(String shortHelp, String longHelp) {
      this.shortHelp = shortHelp;
      this.longHelp = longHelp;
    }
  }

  private final String file;
  private final Limits limits;
  private final MemorySegment bytes;
  private final long size;
  private final List<MmvFault> faults = new ArrayList<>();
  private int moreFaults;
  private long digest;
  private int version;

  private final List<MmvMetric> metrics = new ArrayList<>();
  private MmvMetric[] lastMetrics = {}; // by index in the last METRICS section; null: left out
  private long lastMetricsOffset;
  private final Map<Integer, InDom> inDomBySerial = new LinkedHashMap<>();
  private final Map<Long, Integer> instanceByOffset = new HashMap<>();
  private int instanceCount;
  private final Map<Long, String> stringByOffset = new HashMap<>();

  private SchemaReader(String file, MmvMapping mapping, Limits limits) {
    this.file = file;
    this.limits = limits;
    bytes = mapping.bytes();
    size = mapping.size();
  }

  /**
   * Reads a file that has a header.
   *
   * @param limits what all files may have together, and so this one
   * @return null if the file is in flux
   * @throws MmvFormatException if nothing of it can be served
   */
  static MmvSchema read(String file, MmvMapping mapping, Limits limits) throws MmvFormatException {
    return new SchemaReader(file, mapping, limits).read();
  }

  private MmvSchema read() throws MmvFormatException {
    long generation = i64(HEADER_GENERATION1);
    int magic = i32(HEADER_MAGIC);
    if (magic == 0 && generation == 0) {
      return null; // all zeros: nothing has been written yet
    }
    if (magic != MAGIC) {
      throw refused(
          HEADER_MAGIC, "no MMV file, it begins with \"%s\"", printable(text(HEADER_MAGIC, 4)));
    }
    if (generation == 0 || generation != i64(HEADER_GENERATION2)) {
      return null;
    }
    version = i32(HEADER_VERSION);
    if (version < 1 || version > 3) {
      throw refused(HEADER_VERSION, "version %d, known are 1, 2 and 3", version);
    }
    int entries = i32(HEADER_TOC_ENTRIES);
    if (entries < 2) {
      throw refused(
          HEADER_TOC_ENTRIES,
          "%d entries in the table of contents, at least 2 are needed",
          entries);
    }
    if (entries > (size - HEADER_SIZE) / TOC_SIZE) {
      throw refused(
          HEADER_TOC_ENTRIES,
          "%d entries in the table of contents are beyond the file's %d bytes",
          entries,
          size);
    }
    int cluster = i32(HEADER_CLUSTER);
    if (cluster < 0 || cluster > Pmid.MAX_CLUSTER) {
      throw refused(HEADER_CLUSTER, "cluster %d is not in 0 to %d", cluster, Pmid.MAX_CLUSTER);
    }
    int flags = i32(HEADER_FLAGS);

    Section values = null;
    Section labels = null;
    for (Section section : sections(entries)) {
      switch (section.type) {
        case SECTION_INDOMS -> readInDoms(section);
        case SECTION_METRICS -> readMetrics(section, (flags & MmvSchema.FLAG_NOPREFIX) == 0);
        case SECTION_VALUES -> values = section;
        case SECTION_LABELS -> labels = section;
        default -> {} // what stands in INSTANCES and STRINGS is found by its offset
      }
    }
    if (values != null && lastMetrics.length > 0) {
      readValues(values);
    }
    List<MmvLabel> labelRecords = labels == null ? List.of() : readLabels(labels);
    int pid = i32(HEADER_PID);

    // an application may have begun anew while we read
    if (bytes.get(LONG, HEADER_GENERATION1) != generation
        || bytes.get(LONG, HEADER_GENERATION2) != generation) {
      return null;
    }
    if (moreFaults > 0) {
      faults.add(new MmvFault(file, "", 0, moreFaults + " more faults"));
    }
    return new MmvSchema(
        file,
        version,
        generation,
        flags,
        pid,
        cluster,
        List.copyOf(metrics),
        inDoms(),
        labelRecords,
        values == null ? 0 : values.offset,
        List.copyOf(faults),
        digest);
  }

  /** The sections that can be read, without those that would be the same bytes all over again. */
  private List<Section> sections(int entries) {
    List<Section> sections = new ArrayList<>();
    long taken = 0;
    for (int i = 0; i < entries; i++) {
      long at = HEADER_SIZE + (long) i * TOC_SIZE;
      Section section = new Section(i32(at + TOC_TYPE), i32(at + TOC_COUNT), i64(at + TOC_OFFSET));
      int entrySize = entrySize(section.type, version);
      if (entrySize == 0) {
        fault("TOC", i, at, "unknown section type %d, section ignored", section.type);
      } else if (section.count > maxEntries(section.type)) {
        fault(
            "TOC",
            i,
            at,
            "%d entries, at most %d are served, section ignored",
            section.count,
            maxEntries(section.type));
      } else if (!fits(section.offset, section.count, entrySize)) {
        fault(
            "TOC",
            i,
            at,
            "%d entries of %d bytes from %s on are beyond the file's %d bytes, section ignored",
            section.count,
            entrySize,
            Long.toUnsignedString(section.offset),
            size);
      } else if (taken + (long) section.count * entrySize > size) {
        fault("TOC", i, at, "sections overlap, section ignored");
      } else {
        taken += (long) section.count * entrySize;
        sections.add(section);
      }
    }
    return sections;
  }

  /** How many entries a section may have to be served. */
  private int maxEntries(int type) {
    return switch (type) {
      case SECTION_INDOMS -> limits.instances();
      case SECTION_METRICS -> MAX_METRICS;
      case SECTION_VALUES -> limits.values();
      case SECTION_LABELS -> MAX_LABELS;
      default -> Integer.MAX_VALUE; // not read from one end to the other
    };
  }

  private void readInDoms(Section section) {
    int instanceSize = instanceSize(version);
    for (int i = 0; i < section.count; i++) {
      long at = section.offset + (long) i * INDOM_SIZE;
      int serial = i32(at + INDOM_SERIAL);
      int count = i32(at + INDOM_COUNT);
      long offset = i64(at + INDOM_INSTANCES);
      if (serial < 0 || serial > org.jmmv.pcp.InDom.MAX_SERIAL) {
        fault(
            "indom",
            i,
            at,
            "serial %s is over %d, left out",
            Integer.toUnsignedString(serial),
            org.jmmv.pcp.InDom.MAX_SERIAL);
      } else if (count != 0 && !fits(offset, count, instanceSize)) {
        fault(
            "indom",
            i,
            at,
            "%s instances from %s on are beyond the file's %d bytes, left out",
            Integer.toUnsignedString(count),
            Long.toUnsignedString(offset),
            size);
      } else if (count > limits.instances() - instanceCount) {
        fault(
            "indom",
            i,
            at,
            "%d instances are too many, at most %d of a file are served, left out",
            count,
            limits.instances());
      } else if ((long) (instanceCount + count) * instanceSize > size) {
        fault("indom", i, at, "its instances are those of other instance domains, left out");
      } else {
        instanceCount += count;
        String shortHelp = help("indom", i, at, i64(at + INDOM_SHORT_HELP));
        String longHelp = help("indom", i, at, i64(at + INDOM_LONG_HELP));
        InDom inDom = inDomBySerial.computeIfAbsent(serial, _ -> new InDom(shortHelp, longHelp));
        for (int k = 0; k < count; k++) {
          readInstance(inDom, k, offset + (long) k * instanceSize);
        }
      }
    }
  }

  private void readInstance(InDom inDom, int index, long at) {
    int number = i32(at + INSTANCE_NUMBER);
    instanceByOffset.put(at, number);
    String name =
        version == 1
            ? text(at + INSTANCE_NAME, NAME_SIZE)
            : string("instance", index, at, i64(at + INSTANCE_NAME));
    if (name != null && inDom.numbers.add(number)) {
      inDom.instances.add(new Instance(number, name));
    }
  }

  private List<MmvInDom> inDoms() {
    List<MmvInDom> inDoms = new ArrayList<>(inDomBySerial.size());
    inDomBySerial.forEach((serial, inDom) ->
        inDoms.add(
            new MmvInDom(serial, List.copyOf(inDom.instances), inDom.shortHelp, inDom.longHelp)));
    return List.copyOf(inDoms);
  }

  private void readMetrics(Section section, boolean prefixed) {
    lastMetrics = new MmvMetric[section.count];
    lastMetricsOffset = section.offset;
    if (prefixed && section.count > 0 && !isNamePart(file)) {
      fault(
          "",
          0,
          0,
          "the file's name can't be part of a metric's name, its %d metrics are left out",
          section.count);
      return;
    }
    BitSet items = new BitSet();
    for (int i = 0; i < section.count; i++) {
      long at = section.offset + (long) i * metricSize(version);
      lastMetrics[i] = readMetric(i, at, items);
      if (lastMetrics[i] != null) {
        metrics.add(lastMetrics[i]);
      }
    }
  }

  /**
   * Reads a metric's entry.
   *
   * @param items those of the entries before, of this one afterwards
   * @return null if it is left out
   */
  private MmvMetric readMetric(int index, long at, BitSet items) {
    long rest = at + metricRest(version);
    int item = i32(rest + METRIC_ITEM);
    String name =
        version == 1 ? text(at, NAME_SIZE) : string("metric", index, at, i64(at + METRIC_NAME));
    boolean itemFits = item >= 0 && item <= Pmid.MAX_ITEM;
    boolean itemTaken = itemFits && items.get(item);
    if (itemFits) {
      items.set(item);
    }
    if (name == null) {
      return null;
    }
    if (name.isEmpty() || !isNamePart(name)) {
      fault("metric", index, at, "\"%s\" is no name for a metric, left out", printable(name));
      return null;
    }
    if (!itemFits) {
      fault(
          "metric",
          index,
          at,
          "item %s of %s is over %d, left out",
          Integer.toUnsignedString(item),
          name,
          Pmid.MAX_ITEM);
      return null;
    }
    if (itemTaken) {
      fault("metric", index, at, "item %d of %s is another metric's, left out", item, name);
      return null;
    }
    return new MmvMetric(
        name,
        index,
        at,
        item,
        i32(rest + METRIC_TYPE),
        i32(rest + METRIC_SEMANTICS),
        i32(rest + METRIC_UNITS),
        i32(rest + METRIC_INDOM),
        help("metric", index, at, i64(rest + METRIC_SHORT_HELP)),
        help("metric", index, at, i64(rest + METRIC_LONG_HELP)));
  }

  private void readValues(Section section) {
    int[] metricOf = new int[section.count];
    int[] instanceOf = new int[section.count];
    int[] counts = new int[lastMetrics.length];
    for (int i = 0; i < section.count; i++) {
      long at = section.offset + (long) i * VALUE_SIZE;
      int m = metricAt(i, at, i64(at + VALUE_METRIC));
      long instance = i64(at + VALUE_INSTANCE);
      metricOf[i] = -1;
      if (m < 0 || lastMetrics[m] == null) {
        continue;
      }
      if (lastMetrics[m].isSingular()) {
        if (counts[m] > 0) {
          continue; // the first one counts
        }
      } else {
        Integer number = instanceByOffset.get(instance);
        if (number == null) {
          fault(
              "value",
              i,
              at,
              "instance offset %s is that of no instance, left out",
              Long.toUnsignedString(instance));
          continue;
        }
        instanceOf[i] = number;
      }
      metricOf[i] = m;
      counts[m]++;
    }
    int[][] instances = new int[lastMetrics.length][];
    int[][] values = new int[lastMetrics.length][];
    for (int m = 0; m < lastMetrics.length; m++) {
      instances[m] = new int[counts[m]];
      values[m] = new int[counts[m]];
    }
    Arrays.fill(counts, 0);
    for (int i = 0; i < section.count; i++) {
      int m = metricOf[i];
      if (m >= 0) {
        instances[m][counts[m]] = instanceOf[i];
        values[m][counts[m]++] = i;
      }
    }
    for (int m = 0; m < lastMetrics.length; m++) {
      if (lastMetrics[m] != null) {
        lastMetrics[m].setValues(instances[m], values[m]);
      }
    }
  }

  /** The index of the metric whose entry begins exactly at {@code offset}, or -1 and a fault. */
  private int metricAt(int value, long at, long offset) {
    long distance = offset - lastMetricsOffset;
    int metricSize = metricSize(version);
    if (distance < 0
        || distance >= (long) lastMetrics.length * metricSize
        || distance % metricSize != 0) {
      fault(
          "value",
          value,
          at,
          "metric offset %s is that of no metric, left out",
          Long.toUnsignedString(offset));
      return -1;
    }
    return (int) (distance / metricSize);
  }

  private List<MmvLabel> readLabels(Section section) {
    List<MmvLabel> labels = new ArrayList<>(section.count);
    for (int i = 0; i < section.count; i++) {
      long at = section.offset + (long) i * LABEL_SIZE;
      int flags = i32(at + LABEL_FLAGS);
      int identity = i32(at + LABEL_IDENTITY);
      int instance = i32(at + LABEL_INSTANCE);
      String json = text(at + LABEL_JSON, LABEL_JSON_SIZE);
      try {
        labels.add(new MmvLabel(flags, identity, instance, Labels.parse(json, flags)));
      } catch (IllegalArgumentException e) {
        fault("label", i, at, "%s, left out", e.getMessage());
      }
    }
    return List.copyOf(labels);
  }

  /** Help text, or null: offset 0 means that there is none. */
  private String help(String entry, int index, long at, long offset) {
    return offset == 0 ? null : string("help", "help ", entry, index, at, offset);
  }

  /** A name in an entry of the STRINGS section, or null and a fault. */
  private String string(String entry, int index, long at, long offset) {
    return string("name", "", entry, index, at, offset);
  }

  private String string(String what, String loss, String entry, int index, long at, long offset) {
    if (offset < HEADER_SIZE && offset >= 0) {
      fault(entry, index, at, "%s offset %d is in the header, %sleft out", what, offset, loss);
      return null;
    }
    if (!fits(offset, 1, STRING_SIZE)) {
      fault(
          entry,
          index,
          at,
          "%s offset %s is beyond the file's %d bytes, %sleft out",
          what,
          Long.toUnsignedString(offset),
          size,
          loss);
      return null;
    }
    String known = stringByOffset.get(offset);
    if (known != null) {
      return known;
    }
    if (stringByOffset.size() >= size / STRING_SIZE) {
      fault(entry, index, at, "%s offset %d: strings overlap, %sleft out", what, offset, loss);
      return null;
    }
    String text = text(offset, STRING_SIZE - 1);
    stringByOffset.put(offset, text);
    return text;
  }

  /** A metric's name below the prefix, or a file's: the rest of what pmns(5) allows in a name. */
  private static boolean isNamePart(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean allowed =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '_'
              || c == '.';
      if (!allowed) {
        return false;
      }
    }
    return true;
  }

  /** Whether {@code count} entries from {@code offset} on lie in the file. */
  private boolean fits(long offset, int count, int entrySize) {
    return offset >= 0 && offset <= size && count >= 0 && count <= (size - offset) / entrySize;
  }

  private int i32(long offset) {
    int value = bytes.get(INT, offset);
    mix(value);
    return value;
  }

  private long i64(long offset) {
    long value = bytes.get(LONG, offset);
    mix(value);
    return value;
  }

  /** The bytes at {@code offset} up to a NUL, at most {@code max}. */
  private String text(long offset, int max) {
    byte[] copy = new byte[max];
    MemorySegment.copy(bytes, JAVA_BYTE, offset, copy, 0, max);
    int length = 0;
    while (length < max && copy[length] != 0) {
      mix(copy[length]);
      length++;
    }
    mix(length);
    return new String(copy, 0, length, ISO_8859_1);
  }

  /** A step of FNV-1a, on 64 bits at a time. */
  private void mix(long value) {
    digest = (digest ^ value) * 0x100000001b3L;
    digest ^= digest >>> 32;
  }

  private MmvFormatException refused(long offset, String reason, Object... values) {
    return new MmvFormatException(new MmvFault(file, "header", offset, reason.formatted(values)));
  }

  /**
   * Notes a fault; in words only while there are few.
   *
   * @param entry the part, empty for the file as a whole
   * @param index which one of its kind
   * @param offset where it begins
   * @param reason with the values' places
   */
  private void fault(String entry, int index, long offset, String reason, Object... values) {
    if (faults.size() < MAX_FAULTS) {
      String which = entry.isEmpty() ? "" : entry + "[" + index + "]";
      faults.add(new MmvFault(file, which, offset, reason.formatted(values)));
    } else {
      moreFaults++;
    }
  }
}
