package org.jmmv.web.api;

import java.util.Arrays;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.Instance;
import org.jmmv.web.http.Failure;
import org.jmmv.web.http.Request;

/**
 * The values that a client wants, which are called series: each of a singular metric, or of one
 * instance. Each is a PMID and an instance number in one {@code long}, so that those of a metric
 * follow each other when they are sorted.
 */
final class Subscription {
  /** The maximum number of values: a range could name billions. */
  private static final int MAX = 1000;

  private static final long MAX_INSTANCE = 0xffff_ffffL;

  private final long[] sorted;
  private final int[] positions; // of the sorted ones in the request

  private Subscription(long[] series) throws Failure {
    sorted = series.clone();
    Arrays.sort(sorted);
    positions = new int[series.length];
    for (int position = 0; position < series.length; position++) {
      positions[Arrays.binarySearch(sorted, series[position])] = position;
    }
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1]) {
        throw Failure.badRequest("the same series is given twice");
      }
    }
  }

  /** Returns the values that the parameters {@code series} of a request name. */
  static Subscription of(Request request) throws Failure {
    long[] series = new long[MAX];
    int size = 0;
    for (String one : request.all("series")) {
      int colon = one.indexOf(':');
      int dash = one.indexOf('-', colon);
      int pmid = Parameters.pmid(colon < 0 ? one : one.substring(0, colon));
      long first = Integer.toUnsignedLong(Instance.NULL);
      long last = first;
      if (colon >= 0) {
        first = instance(one.substring(colon + 1, dash < 0 ? one.length() : dash));
        last = dash < 0 ? first : instance(one.substring(dash + 1));
      }
      if (last < first) {
        throw Failure.badRequest("a range of instances ends before it begins");
      }
      if (last - first >= MAX - size) {
        throw Failure.badRequest("there are more than " + MAX + " series");
      }
      for (long instance = first; instance <= last; instance++) {
        series[size++] = series(pmid, (int) instance);
      }
    }
    return new Subscription(Arrays.copyOf(series, size));
  }

  private static long series(int pmid, int instance) {
    return (long) pmid << Integer.SIZE | Integer.toUnsignedLong(instance);
  }

  private static long instance(String text) throws Failure {
    if (!Parameters.isDecimal(text) || Long.parseLong(text) > MAX_INSTANCE) {
      throw Failure.badRequest(
          "a series is a PMID, perhaps with a colon and an instance number, or two with a dash");
    }
    return Long.parseLong(text);
  }

  int size() {
    return sorted.length;
  }

  /** Returns the PMID of a series, by its index in the order of PMIDs. */
  int pmid(int index) {
    return (int) (sorted[index] >> Integer.SIZE);
  }

  /** Returns the instance of a series, by its index in the same order. */
  int instance(int index) {
    return (int) sorted[index];
  }

  /** Returns the index behind the last series of the same metric. */
  int end(int index) {
    int end = index;
    while (end < sorted.length && pmid(end) == pmid(index)) {
      end++;
    }
    return end;
  }

  /** Returns the instances of the series from an index to another. */
  int[] instances(int begin, int end) {
    return Arrays.stream(sorted, begin, end).mapToInt(series -> (int) series).toArray();
  }

  /** Returns the position of a series in the request; negative: it is not wanted. */
  int position(int pmid, int instance) {
    int index = Arrays.binarySearch(sorted, series(pmid, instance));
    return index < 0 ? -1 : positions[index];
  }

  long bytes() {
    return HeapSize.ofLongs(sorted.length) + HeapSize.ofInts(positions.length);
  }
}
