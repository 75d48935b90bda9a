package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.*;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jmmv.pcp.IntMap;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.Units;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Place;

/**
 * Reads the METRICS sections of a file. If there are several sections, only the metrics of the last
 * one have values.
 */
final class MetricSection {
  private final SchemaInput in;
  private final int version;
  private final boolean prefixed;
  private final StringSection strings;
  private final List<MmvMetric> earlier = new ArrayList<>(); // metrics of sections before the last
  private MmvMetric[] last = {}; // by index in the last section; null: the metric is left out
  private long lastOffset;
  private final Map<String, Integer> longNames = new HashMap<>(); // indexes, see NAMES_CUT

  /**
   * Creates a reader for the sections of one file.
   *
   * @param prefixed whether the metrics' names begin with the file's name, so that this name has to
   *     be valid, too
   */
  MetricSection(SchemaInput in, int version, boolean prefixed, StringSection strings) {
    this.in = in;
    this.version = version;
    this.prefixed = prefixed;
    this.strings = strings;
  }

  void read(MmvHeader.Section section) {
    Arrays.stream(last).filter(Objects::nonNull).forEach(earlier::add);
    last = new MmvMetric[section.count()];
    lastOffset = section.offset();
    if (prefixed && last.length > 0 && !isName(in.file())) {
      FaultKind kind =
          hasNameCharacters(in.file()) ? FaultKind.FILE_NAME_DOTS : FaultKind.FILE_NAME;
      in.fault(kind, Place.of(in.name()), last.length);
      return;
    }
    IntMap indexByItem = new IntMap();
    for (int i = 0; i < last.length; i++) {
      last[i] =
          readMetric(
              in.place(Place.Section.METRICS, i, lastOffset + (long) i * metricSize(version)),
              indexByItem);
    }
  }

  /**
   * Reads an entry.
   *
   * @param indexByItem the first entry of the section with each item; the metric's item is added
   * @return null if the metric is left out
   */
  private MmvMetric readMetric(Place entry, IntMap indexByItem) {
    long at = entry.offset();
    long rest = at + metricRest(version);
    in.load(at, metricSize(version));
    int item = in.i32(rest + METRIC_ITEM);
    String name =
        version == 1
            ? in.text(at + METRIC_NAME, NAME_SIZE)
            : strings.name(entry, in.i64(at + METRIC_NAME));
    boolean itemFits = item >= 0 && item <= Pmid.MAX_ITEM;
    int owner = itemFits ? indexByItem.get(item) : IntMap.NONE;
    if (itemFits && owner == IntMap.NONE) {
      indexByItem.add(item, entry.index());
    }
    if (name == null) {
      return null;
    }
    if (name.isEmpty()) {
      in.fault(FaultKind.NAME_EMPTY, entry);
      return null;
    }
    if (!isName(name)) {
      FaultKind kind = hasNameCharacters(name) ? FaultKind.NAME_DOTS : FaultKind.NAME_CHARACTERS;
      in.fault(kind, entry, name);
      return null;
    }
    if (!itemFits) {
      in.fault(FaultKind.ITEM, entry, Integer.toUnsignedString(item), name, Pmid.MAX_ITEM);
      return null;
    }
    if (owner != IntMap.NONE) {
      in.fault(FaultKind.ITEM_TAKEN, entry, item, name, owner);
      return null;
    }
    in.keep(Memory.ofMetric(name, in.file()) + (version == 1 ? Memory.of(name) : 0));
    int units = in.i32(rest + METRIC_UNITS);
    if (!Units.of(units).isKnown()) {
      in.fault(FaultKind.UNITS, entry, Units.of(units), units);
    }
    if (version == 1 && name.length() >= NAME_SIZE - 1) {
      Integer other = longNames.putIfAbsent(name, entry.index());
      if (other != null) {
        in.fault(FaultKind.NAMES_CUT, entry, name, other);
      }
    }
    return new MmvMetric(
        name,
        entry.index(),
        at,
        item,
        in.i32(rest + METRIC_TYPE),
        in.i32(rest + METRIC_SEMANTICS),
        units,
        in.i32(rest + METRIC_INDOM),
        strings.help(entry, in.i64(rest + METRIC_SHORT_HELP)),
        strings.help(entry, in.i64(rest + METRIC_LONG_HELP)),
        MmvValueTable.EMPTY);
  }

  /**
   * Returns whether a text can follow "mmv." in a name. With an empty part between dots, libpcp's
   * clients can't list the names: PM_ERR_IPC.
   */
  private static boolean isName(String name) {
    return hasNameCharacters(name)
        && !name.startsWith(".")
        && !name.endsWith(".")
        && !name.contains("..");
  }

  /**
   * Returns whether a text contains only characters that pmns(5) allows in a name after its first
   * letter. The first letter is always that of "mmv".
   */
  private static boolean hasNameCharacters(String name) {
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

  /**
   * Leaves out the metrics whose instance domain was not read. If such a metric were served,
   * PM_ERR_INDOM would end pmrep(1) and pcp2json(1), also for all other metrics; with an empty
   * domain in its place, it would still do so for pmrep with an archive.
   */
  void leaveOutUndefined(InDomSection inDoms) {
    earlier.removeIf(metric -> isUndefined(metric, inDoms));
    for (int i = 0; i < last.length; i++) {
      if (last[i] != null && isUndefined(last[i], inDoms)) {
        last[i] = null;
      }
    }
  }

  private boolean isUndefined(MmvMetric metric, InDomSection inDoms) {
    if (metric.isSingular() || inDoms.has(metric.serial())) {
      return false;
    }
    in.fault(
        FaultKind.NO_INSTANCE_DOMAIN,
        in.place(Place.Section.METRICS, metric.index(), metric.offset()),
        Integer.toUnsignedString(metric.serial()));
    return true;
  }

  /** Returns the number of entries of the last section, including those that are left out. */
  int count() {
    return last.length;
  }

  /**
   * Returns the index of the entry of the last section that begins at an offset, or -1 if there is
   * none.
   *
   * @param offset in bytes from the start of the file
   */
  int indexAt(long offset) {
    long distance = offset - lastOffset;
    int metricSize = metricSize(version);
    int sectionSize = last.length * metricSize;
    if (distance < 0 || distance >= sectionSize) {
      return -1;
    }
    int within = (int) distance; // an int is divided faster: there can be millions of values
    int index = within / metricSize;
    return within == index * metricSize ? index : -1;
  }

  /** Returns the metric with an index in the last section, or null if it is left out. */
  MmvMetric metric(int index) {
    return last[index];
  }

  void setValues(int index, MmvValueTable values) {
    last[index] = last[index].withValues(values);
  }

  /** Returns all metrics, in the order of the file. */
  List<MmvMetric> metrics() {
    List<MmvMetric> all = new ArrayList<>(earlier);
    for (MmvMetric metric : last) {
      if (metric != null) {
        all.add(metric);
      }
    }
    return List.copyOf(all);
  }
}
