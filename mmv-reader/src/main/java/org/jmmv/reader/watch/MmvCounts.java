package org.jmmv.reader.watch;

import java.util.Arrays;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.MmvSchema;

/**
 * The numbers of files, metrics, instances, values and label records of one or several files, the
 * memory that they need in bytes, and their number of clusters; to be compared with {@link Limits}.
 * Immutable.
 */
final class MmvCounts {
  private static final int MEMORY = Limit.COUNTED.indexOf(Limit.MEMORY);
  private static final int CLUSTERS = Limit.COUNTED.indexOf(Limit.CLUSTERS);

  static final MmvCounts NONE = new MmvCounts(0, 0, 0, 0, 0, 0, 0);

  /** The counts of a file that was not read. */
  static final MmvCounts ONE_FILE = new MmvCounts(1, 0, 0, 0, 0, 0, 0);

  private final long[] numbers;
  private final int cluster;

  MmvCounts(long... numbers) {
    this(numbers, 0);
  }

  /** Creates the counts of a file that has this cluster in its header. */
  MmvCounts(long[] numbers, int cluster) {
    this.numbers = numbers;
    this.cluster = cluster;
  }

  /** Returns the maximum counts of all files together. */
  static MmvCounts max(Limits limits) {
    return new MmvCounts(
        Limit.COUNTED.stream()
            .mapToLong(limit -> (long) limits.of(limit) << (limit == Limit.MEMORY ? 20 : 0))
            .toArray());
  }

  /** Returns the maximum counts of the files of one user while files of others need room. */
  static MmvCounts maxOfOneUser(Limits limits) {
    return new MmvCounts(
        Arrays.stream(max(limits).numbers)
            .map(number -> Math.ceilDiv(number * limits.of(Limit.SHARE), 100))
            .toArray());
  }

  /** Returns the counts of a file. Each instance domain counts as one more instance. */
  static MmvCounts of(MmvSchema schema) {
    long instances =
        schema.inDoms().stream().mapToLong(inDom -> 1L + inDom.instances().size()).sum();
    long values = schema.metrics().stream().mapToLong(MmvMetric::valueCount).sum();
    long[] numbers = {
      1, schema.metrics().size(), instances, values, schema.labels().size(), schema.memory(), 1
    };
    return new MmvCounts(numbers, schema.header().cluster());
  }

  /** Returns the cluster in the header of one file; 0 if it is to be assigned. */
  int cluster() {
    return cluster;
  }

  /** Returns these counts of a file whose cluster is counted already, with another file. */
  MmvCounts withoutCluster() {
    long[] others = numbers.clone();
    others[CLUSTERS] = 0;
    return new MmvCounts(others, cluster);
  }

  /** Returns the memory in bytes. */
  long memory() {
    return numbers[MEMORY];
  }

  /** Returns one of the numbers, by its index in {@link Limit#COUNTED}. */
  long number(int index) {
    return numbers[index];
  }

  /** Returns the number of records: of everything except values, which cost little each. */
  int records() {
    return Math.toIntExact(numbers[1] + numbers[2] + numbers[4]);
  }

  MmvCounts plus(MmvCounts more) {
    return with(more, Long::sum);
  }

  MmvCounts minus(MmvCounts less) {
    return with(less, (a, b) -> a - b);
  }

  /** Returns the larger one of each two numbers. */
  MmvCounts max(MmvCounts others) {
    return with(others, Math::max);
  }

  /** Returns by how much each number exceeds that of {@code max}; 0 if it does not. */
  MmvCounts excess(MmvCounts max) {
    return with(max, (a, b) -> Math.max(0, a - b));
  }

  private MmvCounts with(MmvCounts others, LongBinaryOperator operator) {
    long[] results = new long[numbers.length];
    Arrays.setAll(results, i -> operator.applyAsLong(numbers[i], others.numbers[i]));
    return new MmvCounts(results);
  }

  /** Returns the index of the first number that is positive here and there; -1: there is none. */
  int firstOf(MmvCounts others) {
    return IntStream.range(0, numbers.length)
        .filter(i -> numbers[i] > 0 && others.numbers[i] > 0)
        .findFirst()
        .orElse(-1);
  }

  /** Returns an equal part of each number, rounded down. */
  MmvCounts dividedBy(int parts) {
    return new MmvCounts(Arrays.stream(numbers).map(number -> number / parts).toArray());
  }

  boolean isWithin(MmvCounts max) {
    return exceeded(max) < 0;
  }

  /** Returns the index of the first number that exceeds that of {@code max}, or -1. */
  int exceeded(MmvCounts max) {
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] > max.numbers[i]) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Describes the maximum at an index, for example "the limit of 1000 metrics in all
   * (--max-metrics)".
   */
  String limit(int index) {
    Limit limit = Limit.COUNTED.get(index);
    String number =
        index == MEMORY
            ? (numbers[index] >> 20) + " MiB of memory"
            : numbers[index] + " " + limit.key();
    return "the limit of %s in all (%s)".formatted(number, limit.option());
  }
}
