package org.jmmv.reader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.jmmv.reader.MmvLayout.*;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads a file's metadata once, each byte once, and checks it.
 *
 * <p>What is broken is left out, with a {@link MmvFault} that says where; what is sound is kept.
 * Work and memory are bounded by the file's size: sections, and the instances of all instance
 * domains, may not take more bytes than the file has.
 */
final class SchemaReader {
  private static final int MAX_FAULTS = 20;

  private record Section(int type, int count, long offset) {}

  /** A run of instance entries. */
  private static final class Instances {
    final long offset;
    final int[] numbers;

    Instances(long offset, int[] numbers) {
      this.offset = offset;
      this.numbers = numbers;
    }
  }

  private final String file;
  private final MemorySegment bytes;
  private final long size;
  private final List<MmvFault> faults = new ArrayList<>();
  private int moreFaults;
  private long digest;
  private int version;

  private final List<MmvMetric> metrics = new ArrayList<>();
  private MmvMetric[] lastMetrics = {}; // by index in the last METRICS section; null: left out
  private long lastMetricsOffset;
  private final Map<Integer, List<MmvInDom.Instance>> instancesBySerial = new LinkedHashMap<>();
  private final Map<Integer, Set<Integer>> numbersBySerial = new LinkedHashMap<>();
  private final Map<Integer, String[]> helpBySerial = new LinkedHashMap<>();
  private final TreeMap<Long, Instances> instancesByOffset = new TreeMap<>();
  private long instanceBytes;

  private SchemaReader(String file, MmvMapping mapping) {
    this.file = file;
    bytes = mapping.bytes();
    size = mapping.size();
  }

  /**
   * Reads a file that has a header.
   *
   * @return null if the file is in flux
   * @throws MmvFormatException if nothing of it can be served
   */
  static MmvSchema read(String file, MmvMapping mapping) throws MmvFormatException {
    return new SchemaReader(file, mapping).read();
  }

  private MmvSchema read() throws MmvFormatException {
    long generation = i64(HEADER_GENERATION1);
    int magic = i32(HEADER_MAGIC);
    if (magic == 0 && generation == 0) {
      return null; // all zeros: nothing has been written yet
    }
    if (magic != MAGIC) {
      throw refused(HEADER_MAGIC, "no MMV file, it begins with \"" + text(HEADER_MAGIC, 4) + '"');
    }
    version = i32(HEADER_VERSION);
    if (version < 1 || version > 3) {
      throw refused(HEADER_VERSION, "version " + version + ", known are 1, 2 and 3");
    }
    if (generation == 0 || generation != i64(HEADER_GENERATION2)) {
      return null;
    }
    int entries = i32(HEADER_TOC_ENTRIES);
    if (entries < 2) {
      throw refused(
          HEADER_TOC_ENTRIES, entries + " entries in the table of contents, at least 2 are needed");
    }
    if (entries > (size - HEADER_SIZE) / TOC_SIZE) {
      throw refused(
          HEADER_TOC_ENTRIES,
          entries + " entries in the table of contents are beyond the file's " + size + " bytes");
    }
    int cluster = i32(HEADER_CLUSTER);
    if (cluster < 0 || cluster > MAX_CLUSTER) {
      throw refused(HEADER_CLUSTER, "cluster " + cluster + " is not in 0 to " + MAX_CLUSTER);
    }
    int flags = i32(HEADER_FLAGS);
    boolean prefixed = (flags & MmvSchema.FLAG_NOPREFIX) == 0;

    Section values = null;
    Section labels = null;
    for (Section section : sections(entries)) {
      switch (section.type) {
        case SECTION_INDOMS -> readInDoms(section);
        case SECTION_METRICS -> readMetrics(section, prefixed);
        case SECTION_VALUES -> values = section;
        case SECTION_LABELS -> labels = section;
        default -> {} // what stands in INSTANCES and STRINGS is found by its offset
      }
    }
    if (values != null) {
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

  /** The sections that lie in the file, but those that would be its bytes all over again. */
  private List<Section> sections(int entries) {
    List<Section> sections = new ArrayList<>();
    long taken = 0;
    for (int i = 0; i < entries; i++) {
      long at = HEADER_SIZE + (long) i * TOC_SIZE;
      Section section = new Section(i32(at + TOC_TYPE), i32(at + TOC_COUNT), i64(at + TOC_OFFSET));
      String entry = "TOC[" + i + "]";
      int entrySize =
          switch (section.type) {
            case SECTION_INDOMS -> INDOM_SIZE;
            case SECTION_INSTANCES -> instanceSize(version);
            case SECTION_METRICS -> metricSize(version);
            case SECTION_VALUES -> VALUE_SIZE;
            case SECTION_STRINGS -> STRING_SIZE;
            case SECTION_LABELS -> LABEL_SIZE;
            default -> 0;
          };
      int limit =
          switch (section.type) {
            case SECTION_METRICS -> MAX_METRICS;
            case SECTION_LABELS -> MAX_LABELS;
            default -> Integer.MAX_VALUE;
          };
      if (entrySize == 0) {
        fault(entry, at, "unknown section type " + section.type + ", section ignored");
      } else if (section.count > limit) {
        fault(
            entry,
            at,
            section.count + " entries, at most " + limit + " are served, section ignored");
      } else if (!fits(section.offset, section.count, entrySize)) {
        fault(
            entry,
            at,
            section.count
                + " entries of "
                + entrySize
                + " bytes from "
                + Long.toUnsignedString(section.offset)
                + " on are beyond the file's "
                + size
                + " bytes, section ignored");
      } else if (taken + (long) section.count * entrySize > size) {
        fault(entry, at, "sections overlap, section ignored");
      } else {
        taken += (long) section.count * entrySize;
        sections.add(section);
      }
    }
    return sections;
  }

  private void readInDoms(Section section) {
    for (int i = 0; i < section.count; i++) {
      long at = section.offset + (long) i * INDOM_SIZE;
      String entry = "indom[" + i + "]";
      int serial = i32(at + INDOM_SERIAL);
      int count = i32(at + INDOM_COUNT);
      long offset = i64(at + INDOM_INSTANCES);
      int instanceSize = instanceSize(version);
      if (serial < 0 || serial > MAX_SERIAL) {
        fault(
            entry,
            at,
            "serial " + Integer.toUnsignedString(serial) + " is over " + MAX_SERIAL + ", left out");
      } else if (count != 0 && !fits(offset, count, instanceSize)) {
        fault(
            entry,
            at,
            Integer.toUnsignedString(count)
                + " instances from "
                + Long.toUnsignedString(offset)
                + " on are beyond the file's "
                + size
                + " bytes, left out");
      } else if (instanceBytes + (long) count * instanceSize > size) {
        fault(entry, at, "its instances are those of other instance domains, left out");
      } else {
        instanceBytes += (long) count * instanceSize;
        readInstances(serial, offset, count);
        helpBySerial.computeIfAbsent(
            serial,
            _ ->
                new String[] {
                  help(entry, at, i64(at + INDOM_SHORT_HELP)),
                  help(entry, at, i64(at + INDOM_LONG_HELP))
                });
      }
    }
  }

  private void readInstances(int serial, long offset, int count) {
    List<MmvInDom.Instance> instances =
        instancesBySerial.computeIfAbsent(serial, _ -> new ArrayList<>());
    Set<Integer> known = numbersBySerial.computeIfAbsent(serial, _ -> new HashSet<>());
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      long at = offset + (long) i * instanceSize(version);
      numbers[i] = i32(at + INSTANCE_NUMBER);
      String name =
          version == 1
              ? text(at + INSTANCE_NAME, NAME_SIZE)
              : string("instance[" + i + "] of serial " + serial, at, i64(at + INSTANCE_NAME));
      if (name != null && known.add(numbers[i])) {
        instances.add(new MmvInDom.Instance(numbers[i], name));
      }
    }
    if (count > 0) {
      instancesByOffset.putIfAbsent(offset, new Instances(offset, numbers));
    }
  }

  private List<MmvInDom> inDoms() {
    List<MmvInDom> inDoms = new ArrayList<>(instancesBySerial.size());
    instancesBySerial.forEach((serial, instances) -> {
      String[] help = helpBySerial.get(serial);
      inDoms.add(new MmvInDom(serial, List.copyOf(instances), help[0], help[1]));
    });
    return List.copyOf(inDoms);
  }

  private void readMetrics(Section section, boolean prefixed) {
    lastMetrics = new MmvMetric[section.count];
    lastMetricsOffset = section.offset;
    if (prefixed && section.count > 0 && !isNamePart(file)) {
      fault(
          "",
          0,
          "the file's name can't be part of a metric's name, its "
              + section.count
              + " metrics are left out");
      return;
    }
    BitSet items = new BitSet();
    for (int i = 0; i < section.count; i++) {
      long at = section.offset + (long) i * metricSize(version);
      long rest = at + metricRest(version);
      String entry = "metric[" + i + "]";
      int item = i32(rest + METRIC_ITEM);
      String name = version == 1 ? text(at, NAME_SIZE) : string(entry, at, i64(at + METRIC_NAME));
      boolean itemFits = item >= 0 && item <= MAX_ITEM;
      boolean itemTaken = itemFits && items.get(item);
      if (itemFits) {
        items.set(item);
      }
      if (name == null) {
        continue;
      }
      if (!isNamePart(name)) {
        fault(
            entry,
            at,
            "name \"" + MmvFault.printable(name) + "\" is not one for a metric, left out");
      } else if (!itemFits) {
        fault(
            entry,
            at,
            "item "
                + Integer.toUnsignedString(item)
                + " of "
                + name
                + " is over "
                + MAX_ITEM
                + ", left out");
      } else if (itemTaken) {
        fault(entry, at, "item " + item + " of " + name + " is another metric's, left out");
      } else {
        lastMetrics[i] =
            new MmvMetric(
                name,
                i,
                at,
                item,
                i32(rest + METRIC_TYPE),
                i32(rest + METRIC_SEMANTICS),
                i32(rest + METRIC_UNITS),
                i32(rest + METRIC_INDOM),
                help(entry, at, i64(rest + METRIC_SHORT_HELP)),
                help(entry, at, i64(rest + METRIC_LONG_HELP)));
        metrics.add(lastMetrics[i]);
      }
    }
  }

  private void readValues(Section section) {
    int[] metricOf = new int[section.count];
    int[] instanceOf = new int[section.count];
    int[] counts = new int[lastMetrics.length];
    int metricSize = metricSize(version);
    for (int i = 0; i < section.count; i++) {
      long at = section.offset + (long) i * VALUE_SIZE;
      metricOf[i] = -1;
      long distance = i64(at + VALUE_METRIC) - lastMetricsOffset;
      long instance = i64(at + VALUE_INSTANCE);
      if (distance < 0
          || distance >= (long) lastMetrics.length * metricSize
          || distance % metricSize != 0) {
        fault(
            "value[" + i + "]",
            at,
            "metric offset "
                + Long.toUnsignedString(lastMetricsOffset + distance)
                + " is that of no metric, left out");
        continue;
      }
      int metric = (int) (distance / metricSize);
      if (lastMetrics[metric] == null) {
        continue;
      }
      if (lastMetrics[metric].isSingular()) {
        if (counts[metric] > 0) {
          continue; // the first one counts
        }
      } else {
        Instances run = instancesAt(instance);
        if (run == null) {
          fault(
              "value[" + i + "]",
              at,
              "instance offset "
                  + Long.toUnsignedString(instance)
                  + " is that of no instance, left out");
          continue;
        }
        instanceOf[i] = run.numbers[(int) ((instance - run.offset) / instanceSize(version))];
      }
      metricOf[i] = metric;
      counts[metric]++;
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

  /** The run of instances that has an entry beginning exactly at {@code offset}, or null. */
  private Instances instancesAt(long offset) {
    Map.Entry<Long, Instances> run = instancesByOffset.floorEntry(offset);
    if (run == null) {
      return null;
    }
    long distance = offset - run.getKey();
    int instanceSize = instanceSize(version);
    return distance % instanceSize == 0 && distance / instanceSize < run.getValue().numbers.length
        ? run.getValue()
        : null;
  }

  private List<MmvLabel> readLabels(Section section) {
    List<MmvLabel> labels = new ArrayList<>(section.count);
    for (int i = 0; i < section.count; i++) {
      long at = section.offset + (long) i * LABEL_SIZE;
      int flags = i32(at + LABEL_FLAGS);
      String json = text(at + LABEL_JSON, LABEL_JSON_SIZE);
      try {
        labels.add(
            new MmvLabel(
                flags,
                i32(at + LABEL_IDENTITY),
                i32(at + LABEL_INSTANCE),
                Labels.parse(json, flags)));
      } catch (IllegalArgumentException e) {
        fault("label[" + i + "]", at, e.getMessage() + ", left out");
      }
    }
    return List.copyOf(labels);
  }

  /** Help text, or null: offset 0 means that there is none. */
  private String help(String entry, long at, long offset) {
    if (offset != 0 && !fits(offset, 1, STRING_SIZE)) {
      fault(
          entry,
          at,
          "help offset "
              + Long.toUnsignedString(offset)
              + " is beyond the file's "
              + size
              + " bytes, help left out");
      return null;
    }
    return offset == 0 ? null : text(offset, STRING_SIZE - 1);
  }

  /** A name in an entry of the STRINGS section, or null and a fault. */
  private String string(String entry, long at, long offset) {
    if (!fits(offset, 1, STRING_SIZE)) {
      fault(
          entry,
          at,
          "name offset "
              + Long.toUnsignedString(offset)
              + " is beyond the file's "
              + size
              + " bytes, left out");
      return null;
    }
    return text(offset, STRING_SIZE - 1);
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
    digest = digest * 31 + value;
    return value;
  }

  private long i64(long offset) {
    long value = bytes.get(LONG, offset);
    digest = digest * 31 + value;
    return value;
  }

  /** The bytes at {@code offset} up to a NUL, at most {@code max}. */
  private String text(long offset, int max) {
    byte[] copy = new byte[max];
    MemorySegment.copy(bytes, JAVA_BYTE, offset, copy, 0, max);
    int length = 0;
    while (length < max && copy[length] != 0) {
      length++;
    }
    String text = new String(copy, 0, length, ISO_8859_1);
    digest = digest * 31 + text.hashCode();
    return text;
  }

  private MmvFormatException refused(long offset, String reason) {
    return new MmvFormatException(new MmvFault(file, "header", offset, reason));
  }

  private void fault(String entry, long offset, String reason) {
    if (faults.size() < MAX_FAULTS) {
      faults.add(new MmvFault(file, entry, offset, reason));
    } else {
      moreFaults++;
    }
  }
}
