package org.jmmv.pmda;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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
   * Where the values are: for each instance of a table the file and the value's index there. Never
   * changed; made anew when the files or the instances change.
   */
  static final class Plan {
    /** Of the instances that the plan is for, null for a singular metric. */
    final ServedInDom.Table table;

    /** By instance, {@link #NO_VALUE} where no file has one; of one entry for a singular metric. */
    final int[] values;

    /** The only file, or null if there are several. */
    private final MmvFile file;

    /** By instance, if there are several. */
    private final MmvFile[] files;

    static final int NO_VALUE = -1;

    private Plan(ServedInDom.Table table, int[] values, MmvFile file, MmvFile[] files) {
      this.table = table;
      this.values = values;
      this.file = file;
      this.files = files;
    }

    MmvFile file(int i) {
      return file != null ? file : files[i];
    }
  }

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
  Part descriptor(NameSpace names) {
    if (descriptorVersion != names.version()) {
      descriptorVersion = names.version();
      Part before = descriptor;
      descriptor = findDescriptor(names);
      if (!Objects.equals(descriptor, before)) {
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
    int[] values = new int[table == null ? 1 : table.size()];
    Arrays.fill(values, Plan.NO_VALUE);
    List<Part> sources =
        parts.list().stream()
            .filter(part -> part.fits(descriptor) && part.metric.valueCount() > 0)
            .toList();
    MmvFile[] files = sources.size() > 1 ? new MmvFile[values.length] : null;
    for (Part part : sources) {
      MmvMetric metric = part.metric;
      for (int v = 0; v < metric.valueCount(); v++) {
        int i = table == null ? 0 : indexOf(table, metric, v);
        if (i >= 0 && values[i] == Plan.NO_VALUE) {
          values[i] = metric.value(v);
          if (files != null) {
            files[i] = part.source.file;
          }
        }
      }
    }
    return new Plan(
        table, values, sources.size() == 1 ? sources.getFirst().source.file : null, files);
  }

  /** The instance that a metric's vth value is for; values mostly stand in the instances' order. */
  private static int indexOf(ServedInDom.Table table, MmvMetric metric, int v) {
    int number = metric.instance(v);
    return v < table.size() && table.numbers[v] == number ? v : table.indexOf(number);
  }
}
