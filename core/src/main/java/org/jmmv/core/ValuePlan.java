package org.jmmv.core;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvMetric;

/**
 * The locations of a metric's values. The value of an instance is in the first file that has one.
 * Memory and the time to create a plan depend on the number of values, not of instances, but for a
 * bit each: many metrics may share a large instance domain and have few values. Immutable: a new
 * plan is created when files or instances change.
 */
final class ValuePlan {
  /** How many entries of a file are copied at once, at most, to get at one value. */
  static final int MAX_ENTRIES_PER_VALUE = 4;

  private final InstanceTable table; // null for a singular metric
  private final int[] values; // indexes into the VALUES sections, in the order of the instances
  private final int[]
      positions; // indexes of the values' instances in the table; null: all instances have a value
  private final MmvFile file; // null if the values are in several files
  private final MmvFile[] files; // for each value, if the values are in several files
  private final boolean isAscending; // whether the indexes are

  private ValuePlan(
      InstanceTable table, int[] values, int[] positions, MmvFile file, MmvFile[] files) {
    this.table = table;
    this.values = values;
    this.positions = positions;
    this.file = file;
    this.files = files;
    boolean ascends = true;
    for (int i = 1; i < values.length && ascends; i++) {
      ascends = values[i - 1] < values[i];
    }
    isAscending = ascends;
  }

  /**
   * Creates a plan.
   *
   * @param sources the records that have values, in the order of precedence
   * @param table the instances, null for a singular metric
   */
  static ValuePlan of(List<MetricRecord> sources, InstanceTable table) {
    if (table == null && !sources.isEmpty()) { // quickly: there may be 100,000 such metrics
      MetricRecord first = sources.getFirst();
      return new ValuePlan(
          null, new int[] {first.metric().value(0)}, null, first.file().file, null);
    }
    int instances = table == null ? 1 : table.size();
    int max =
        Math.min(instances, sources.stream().mapToInt(part -> part.metric().valueCount()).sum());
    BitSet taken = new BitSet(); // indexes of the instances that have a value
    int[] found = new int[max]; // their indexes, in the order of the sources
    int[] indexes = new int[max];
    MmvFile[] owners = new MmvFile[max];
    int count = 0;
    for (MetricRecord part : sources) {
      MmvMetric metric = part.metric();
      for (int v = 0; v < metric.valueCount() && count < max; v++) {
        int position = table == null ? 0 : positionOf(metric, v, table);
        if (position >= 0 && !taken.get(position)) {
          taken.set(position);
          found[count] = position;
          indexes[count] = metric.value(v);
          owners[count] = part.file().file;
          count++;
        }
      }
    }
    long[] bits = taken.toLongArray();
    int[] before = new int[bits.length]; // the number of bits that are set before each word
    for (int i = 1; i < bits.length; i++) {
      before[i] = before[i - 1] + Long.bitCount(bits[i - 1]);
    }
    int[] values = new int[count];
    int[] positions = new int[count];
    MmvFile[] files = new MmvFile[count];
    for (int i = 0; i < count; i++) { // to where sorting would move it, in linear time
      int position = found[i];
      int word = position / Long.SIZE;
      int rank = before[word] + Long.bitCount(bits[word] & ((1L << position) - 1));
      values[rank] = indexes[i];
      positions[rank] = position;
      files[rank] = owners[i];
    }
    boolean isInOneFile = sources.size() == 1;
    return new ValuePlan(
        table,
        values,
        count == instances ? null : positions,
        isInOneFile ? sources.getFirst().file().file : null,
        isInOneFile ? null : files);
  }

  /**
   * Returns the index of a value's instance in the table, or -1. Most files have their values in
   * the order of the instances, so that index is tried first.
   */
  private static int positionOf(MmvMetric metric, int v, InstanceTable table) {
    int number = metric.instance(v);
    return v < table.size() && table.number(v) == number ? v : table.indexOf(number);
  }

  /** Returns the table that the plan was created for; null for a singular metric. */
  InstanceTable table() {
    return table;
  }

  int count() {
    return values.length;
  }

  /** Returns whether all values are in the same file. */
  boolean isInOneFile() {
    return file != null;
  }

  MmvFile file(int value) {
    return file != null ? file : files[value];
  }

  /**
   * Returns the values of selected instances, in ascending order. The time is linear in the smaller
   * of the numbers of values and of selected instances, but for a logarithm.
   *
   * @param selected the indexes of the instances in the table, in ascending order
   */
  int[] valuesOf(int[] selected) {
    if (positions == null) {
      return selected; // a value's index is its instance's index
    }
    int[] found = new int[Math.min(selected.length, positions.length)];
    int count = 0;
    if (selected.length <= positions.length) {
      for (int position : selected) {
        int value = Arrays.binarySearch(positions, position);
        if (value >= 0) {
          found[count++] = value;
        }
      }
    } else {
      for (int value = 0; value < positions.length; value++) {
        if (Arrays.binarySearch(selected, positions[value]) >= 0) {
          found[count++] = value;
        }
      }
    }
    return Arrays.copyOf(found, count);
  }

  /** Returns the index of a value in its file's VALUES section. */
  int index(int value) {
    return values[value];
  }

  /** Returns the instance number of a value, {@link Instance#NULL} for a singular metric. */
  int instance(int value) {
    return table == null
        ? Instance.NULL
        : table.number(positions == null ? value : positions[value]);
  }

  /**
   * Copies values that are in the same file, without interpreting them. The entries between the
   * first and the last one in the file are copied at once, in whatever order they are needed, if
   * there are few others among them: a look at each takes three times as long. It uses local
   * variables and plain loops, because most of the time for a large reply is spent here.
   *
   * @param from the index of the first value in this plan
   * @param count the number of values
   * @param word {@link MmvFile#VALUE} or {@link MmvFile#EXTRA}
   * @param instances receives the instance numbers
   * @param bits receives this word of each value
   * @param entries room for {@link #MAX_ENTRIES_PER_VALUE} entries for each value
   */
  void copy(int from, int count, int word, int[] instances, long[] bits, long[] entries) {
    MmvFile owner = file(from);
    int[] indexes = values;
    int first = indexes[from];
    int last = indexes[from + count - 1];
    for (int i = 0; i < count && !isAscending; i++) {
      first = Math.min(first, indexes[from + i]);
      last = Math.max(last, indexes[from + i]);
    }
    if (last - first < MAX_ENTRIES_PER_VALUE * (count - 1)) {
      owner.entries(first, last - first + 1, entries);
      for (int i = 0; i < count; i++) {
        bits[i] = entries[(indexes[from + i] - first) * MmvFile.LONGS_PER_VALUE + word];
      }
    } else {
      for (int i = 0; i < count; i++) {
        bits[i] = owner.word(indexes[from + i], word);
      }
    }
    if (table == null) {
      Arrays.fill(instances, 0, count, Instance.NULL);
    } else if (positions == null) {
      table.copyNumbers(from, count, instances);
    } else {
      int[] inTable = positions;
      for (int i = 0; i < count; i++) {
        instances[i] = table.number(inTable[from + i]);
      }
    }
  }

  /**
   * Returns whether the last selected instance has a value in a file.
   *
   * @param selected the indexes of the instances in the table, in ascending order; null: all
   * @return true if no instance is selected
   */
  boolean hasLast(int[] selected) {
    if (table == null) {
      return values.length > 0;
    }
    int count = selected == null ? table.size() : selected.length;
    int last = count == 0 || selected == null ? count - 1 : selected[count - 1];
    return last < 0 || positions == null || Arrays.binarySearch(positions, last) >= 0;
  }
}
