package org.jmmv.web.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jmmv.core.Metric;
import org.jmmv.pcp.PmidList;

/** Encoded families of metrics, in a few arrays, so that it is known what they take in the heap. */
final class EncodedFamilies {
  // of each family in numbers
  private static final int PMID = 0;
  private static final int HEAD = 1; // where its head begins in bytes; before is the metric's name
  private static final int LINE = 2;
  private static final int END = 3; // of its line; there the next family begins
  private static final int TYPE = 4;
  private static final int SEMANTICS = 5;
  private static final int UNITS = 6;
  private static final int FIELDS = 7;

  private final Bytes bytes = new Bytes();
  private int[] numbers = new int[FIELDS];
  private Family.Kind[] kinds = new Family.Kind[1];
  private Scale[] scales = new Scale[1]; // constants of BaseUnit
  private long[] starts = new long[1];
  private int count;

  int count() {
    return count;
  }

  /** Returns what is kept, in bytes. */
  long bytes() {
    return bytes.capacity()
        + (long) Integer.BYTES * numbers.length
        + (long) Long.BYTES * (kinds.length + scales.length + starts.length);
  }

  /** Returns the size of all texts, in bytes. */
  int textSize() {
    return bytes.size();
  }

  void clear() {
    count = 0;
    bytes.truncate(0);
  }

  /** Adds the family of a metric. */
  void add(String name, int pmid, Family family, Encoding encoding) {
    if (count == starts.length) {
      resize(2 * count);
    }
    int at = FIELDS * count;
    numbers[at + PMID] = pmid;
    numbers[at + HEAD] = bytes.addLatin1(name).size();
    encoding.addHead(family, bytes);
    numbers[at + LINE] = bytes.size();
    encoding.addLine(family, bytes);
    numbers[at + END] = bytes.size();
    kinds[count] = family.names().kind();
    scales[count] = family.names().scale();
    starts[count++] = family.start();
  }

  /** Gives back what no family takes. */
  void trim() {
    resize(Math.max(count, 1));
    bytes.trim();
  }

  private void resize(int capacity) {
    numbers = Arrays.copyOf(numbers, FIELDS * capacity);
    kinds = Arrays.copyOf(kinds, capacity);
    scales = Arrays.copyOf(scales, capacity);
    starts = Arrays.copyOf(starts, capacity);
  }

  EncodedFamily get(int index) {
    int at = FIELDS * index;
    return new EncodedFamily(
        bytes,
        numbers[at + HEAD],
        numbers[at + LINE],
        numbers[at + END],
        kinds[index],
        scales[index],
        starts[index]);
  }

  /** Returns the next metrics' PMIDs. */
  PmidList pmids(int from, int max) {
    return PmidList.of(
        IntStream.range(from, Math.min(from + max, count)).map(this::pmid).toArray());
  }

  /** Remembers the descriptor of the metric whose family was added last. */
  void setDescriptor(Metric metric) {
    int at = FIELDS * (count - 1);
    numbers[at + TYPE] = metric.type();
    numbers[at + SEMANTICS] = metric.semantics();
    numbers[at + UNITS] = metric.units();
  }

  /** Returns whether a metric still has the descriptor with which its family was encoded. */
  boolean describes(int index, Metric metric) {
    int at = FIELDS * index;
    return numbers[at + TYPE] == metric.type()
        && numbers[at + SEMANTICS] == metric.semantics()
        && numbers[at + UNITS] == metric.units();
  }

  int pmid(int index) {
    return numbers[FIELDS * index + PMID];
  }

  /** Returns the next metrics' names in PCP. */
  List<String> names(int from, int max) {
    return IntStream.range(from, Math.min(from + max, count)).mapToObj(this::name).toList();
  }

  /** Returns the metric's name in PCP. */
  String name(int index) {
    int start = index == 0 ? 0 : numbers[FIELDS * (index - 1) + END];
    return bytes.latin1(start, numbers[FIELDS * index + HEAD]);
  }
}
