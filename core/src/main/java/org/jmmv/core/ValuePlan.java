package org.jmmv.core;

import java.util.Arrays;
import java.util.List;
import org.jmmv.pcp.Instance;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvMetric;

/**
 * Where a metric's values are: for each instance in the first file that has a value for it. Takes
 * memory for the values that there are, not for every instance, because many metrics may share many
 * instances and have hardly any values. Immutable; made anew when files or instances change.
 */
final class ValuePlan {
  private static final int NO_VALUE = -1;

  private final InstanceDomain.Table table; // null for a singular metric
  private final int[] values; // indexes in the VALUES sections, in the order of the instances
  private final int[] places; // of the values' instances in the table; null: all have a value
  private final MmvFile file; // null if there are several
  private final MmvFile[] files; // by value, if there are several

  private ValuePlan(
      InstanceDomain.Table table, int[] values, int[] places, MmvFile file, MmvFile[] files) {
    this.table = table;
    this.values = values;
    this.places = places;
    this.file = file;
    this.files = files;
  }

  /**
   * Makes a plan.
   *
   * @param parts what may have values, the first first
   * @param table the instances, null for a singular metric
   */
  static ValuePlan of(List<SharedMetric.Part> parts, InstanceDomain.Table table) {
    List<SharedMetric.Part> sources =
        parts.stream().filter(part -> part.metric().valueCount() > 0).toList();
    int instances = table == null ? 1 : table.size();
    int[] values = new int[sources.isEmpty() ? 0 : instances];
    Arrays.fill(values, NO_VALUE);
    MmvFile[] files = sources.size() > 1 ? new MmvFile[instances] : null;
    int count = 0;
    for (SharedMetric.Part part : sources) {
      MmvMetric metric = part.metric();
      for (int v = 0; v < metric.valueCount(); v++) {
        int place = table == null ? 0 : placeOf(metric, v, table);
        if (place >= 0 && values[place] == NO_VALUE) {
          values[place] = metric.value(v);
          count++;
          if (files != null) {
            files[place] = part.file().file;
          }
        }
      }
    }
    MmvFile file = sources.size() == 1 ? sources.getFirst().file().file : null;
    if (count == instances) {
      return new ValuePlan(table, values, null, file, files);
    }
    int[] places = new int[count];
    for (int place = 0, v = 0; v < count; place++) {
      if (values[place] != NO_VALUE) {
        values[v] = values[place];
        if (files != null) {
          files[v] = files[place];
        }
        places[v++] = place;
      }
    }
    return new ValuePlan(
        table,
        Arrays.copyOf(values, count),
        places,
        file,
        files == null ? null : Arrays.copyOf(files, count));
  }

  /** The place of a value's instance; values mostly stand in the order of the instances. */
  private static int placeOf(MmvMetric metric, int v, InstanceDomain.Table table) {
    int number = metric.instance(v);
    return v < table.size() && table.numbers[v] == number ? v : table.indexOf(number);
  }

  /** Whether the plan is for these instances, null for none. */
  boolean isFor(InstanceDomain.Table instances) {
    return table == instances;
  }

  /** The number of values. */
  int count() {
    return values.length;
  }

  /** The file of a value. */
  MmvFile file(int value) {
    return file != null ? file : files[value];
  }

  /** The index behind the last of the values, from this one on, that stand in the same file. */
  int endOfRun(int value) {
    if (file != null) {
      return values.length;
    }
    int end = value + 1;
    while (end < values.length && files[end] == files[value]) {
      end++;
    }
    return end;
  }

  /** The index of a value in its file's VALUES section. */
  int index(int value) {
    return values[value];
  }

  /** The instance number of a value, {@link Instance#NULL} for a singular metric. */
  int instance(int value) {
    return table == null ? Instance.NULL : table.numbers[places == null ? value : places[value]];
  }

  /**
   * Copies values that stand in one file, as they are. Local variables and plain loops, because
   * large replies are made of such values.
   *
   * @param from the first value
   * @param count the number of values
   * @param instances receives the instance numbers
   * @param bits receives the values' 8 bytes
   */
  void copy(int from, int count, int[] instances, long[] bits) {
    file(from).values(values, from, count, bits);
    if (table == null) {
      Arrays.fill(instances, 0, count, Instance.NULL);
    } else if (places == null) {
      System.arraycopy(table.numbers, from, instances, 0, count);
    } else {
      int[] numbers = table.numbers;
      int[] indexes = places;
      for (int i = 0; i < count; i++) {
        instances[i] = numbers[indexes[from + i]];
      }
    }
  }

  /**
   * Whether the last instance that a client wants to see has a value in a file.
   *
   * @return true if it wants to see none
   */
  boolean hasLast(InstanceFilter.Choice choice) {
    if (table == null) {
      return values.length > 0;
    }
    if (choice.most(table.size()) > 0) {
      for (int place = table.size() - 1; place >= 0; place--) {
        if (choice.passes(table.numbers[place])) {
          return places == null || Arrays.binarySearch(places, place) >= 0;
        }
      }
    }
    return true;
  }
}
