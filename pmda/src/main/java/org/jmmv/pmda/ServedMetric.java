package org.jmmv.pmda;

import java.util.Arrays;
import java.util.List;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvMetric;

/**
 * A metric, as the files that share its PMID make it up together: the first file that has a name
 * for it says what it is, and each instance's value comes from the first file that has one.
 */
final class ServedMetric {
  /** One file's share. */
  record Part(Source source, MmvMetric metric, NameSpace.Claim claim) implements Parts.Part {
    @Override
    public int index() {
      return claim.index();
    }

    /** Whether this part's values can be values of what the other one describes. */
    boolean fits(Part descriptor) {
      return metric.type() == descriptor.metric.type()
          && metric.isSingular() == descriptor.metric.isSingular();
    }
  }

  /**
   * Where the values are. It has room for the values that there are, not for one of each instance:
   * many metrics may share many instances, and hardly have any values. Never changed; made anew
   * when the files or the instances change.
   */
  static final class Plan {
    /** The instances that the plan is for, null for a singular metric. */
    final ServedInDom.Table table;

    /** The values' indexes in their files, in the order of the instances. */
    final int[] values;

    /** The instances that have a value, by their indexes in the table; null if all have one. */
    final int[] places;

    /** The only file, or null if there are several. */
    final MmvFile file;

    /** By value, if there are several. */
    private final MmvFile[] files;

    private Plan(
        ServedInDom.Table table, int[] values, int[] places, MmvFile file, MmvFile[] files) {
      this.table = table;
      this.values = values;
      this.places = places;
      this.file = file;
      this.files = files;
    }

    /** The file of a value. */
    MmvFile file(int value) {
      return file != null ? file : files[value];
    }

    /** The index in the table of a value's instance. */
    int place(int value) {
      return places == null ? value : places[value];
    }

    /** Whether an instance has a value, by its index in the table. */
    boolean hasValue(int place) {
      return places == null || Arrays.binarySearch(places, place) >= 0;
    }
  }

  private static final int NO_VALUE = -1;

  private final Parts<Part> parts = new Parts<>();
  private Plan plan;
  private Part descriptor;
  private long descriptorVersion = -1;

  void add(Part part) {
    parts.add(part);
    plan = null;
  }

  void remove(Source source) {
    parts.remove(source);
    plan = null;
  }

  Parts<Part> parts() {
    return parts;
  }

  /** The part that says what the metric is, or null if no file has a name for it. */
  @SuppressWarnings("ReferenceEquality") // a file that was loaded anew has new parts
  Part descriptor(NameSpace names) {
    if (descriptorVersion != names.version()) {
      descriptorVersion = names.version();
      Part before = descriptor;
      descriptor = findDescriptor(names);
      if (descriptor != before) {
        plan = null;
      }
    }
    return descriptor;
  }

  private Part findDescriptor(NameSpace names) {
    for (Part part : parts) {
      if (part.claim.equals(names.leaf(part.claim.name()))) {
        return part;
      }
    }
    return null;
  }

  /** All the metric's names. */
  List<String> names(NameSpace names) {
    return parts.list().stream()
        .map(Part::claim)
        .filter(claim -> claim.equals(names.leaf(claim.name())))
        .map(NameSpace.Claim::name)
        .toList();
  }

  /**
   * Where the metric's values are.
   *
   * @param descriptor what the metric is
   * @param table its instances, null for a singular metric
   */
  Plan plan(Part descriptor, ServedInDom.Table table) {
    if (plan == null || plan.table != table) {
      plan = makePlan(descriptor, table);
    }
    return plan;
  }

  private Plan makePlan(Part descriptor, ServedInDom.Table table) {
    List<Part> sources =
        parts.list().stream()
            .filter(part -> part.fits(descriptor) && part.metric.valueCount() > 0)
            .toList();
    int instances = table == null ? 1 : table.size();
    int[] values = new int[sources.isEmpty() ? 0 : instances];
    Arrays.fill(values, NO_VALUE);
    MmvFile[] files = sources.size() > 1 ? new MmvFile[instances] : null;
    int count = 0;
    for (Part part : sources) {
      MmvMetric metric = part.metric;
      for (int v = 0; v < metric.valueCount(); v++) {
        int i = table == null ? 0 : indexOf(table, metric, v);
        if (i >= 0 && values[i] == NO_VALUE) {
          values[i] = metric.value(v);
          count++;
          if (files != null) {
            files[i] = part.source.file;
          }
        }
      }
    }
    MmvFile file = sources.size() == 1 ? sources.getFirst().source.file : null;
    if (count == instances) {
      return new Plan(table, values, null, file, files);
    }
    int[] places = new int[count];
    for (int i = 0, v = 0; v < count; i++) {
      if (values[i] != NO_VALUE) {
        values[v] = values[i];
        if (files != null) {
          files[v] = files[i];
        }
        places[v++] = i;
      }
    }
    return new Plan(
        table,
        Arrays.copyOf(values, count),
        places,
        file,
        files == null ? null : Arrays.copyOf(files, count));
  }

  /** The instance that a metric's vth value is for; values mostly stand in the instances' order. */
  private static int indexOf(ServedInDom.Table table, MmvMetric metric, int v) {
    int number = metric.instance(v);
    return v < table.size() && table.numbers[v] == number ? v : table.indexOf(number);
  }
}
