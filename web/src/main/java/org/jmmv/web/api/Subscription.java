package org.jmmv.web.api;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jmmv.core.Metric;
import org.jmmv.core.View;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Pmid;
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

  private static final long NONE = -1; // no check

  private static final Pattern SERIES =
      Pattern.compile(
          "(?<pmid>[^:_-]*)(-(?<item>[0-9]{1,10}))?(:(?<first>[0-9]{1,10})(-(?<last>[0-9]{1,10}))?)?"
              + "(_(?<check>[0-9a-f]{8}))?");

  private final long[] sorted;
  private final int[] positions; // of the sorted ones in the request
  private final long[] checks; // in the order of the request; NONE: any metric will do

  private Subscription(long[] series, long[] checks) throws Failure {
    this.checks = checks;
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
    long[] checks = new long[MAX];
    int size = 0;
    for (String one : request.all("series")) {
      Matcher parts = SERIES.matcher(one);
      if (!parts.matches()) {
        throw Failure.badRequest(
            "a series is a PMID, perhaps with a dash and a second item, and perhaps with a colon and"
                + " an instance number, or two with a dash; and perhaps with an underscore and a"
                + " hash of 8 digits");
      }
      int pmid = Parameters.pmid(parts.group("pmid"));
      long items = count(Pmid.item(pmid), parts.group("item"), Pmid.MAX_ITEM);
      long instance = Integer.toUnsignedLong(Instance.NULL);
      long instances = 1;
      if (parts.group("first") != null) {
        instance = number(parts.group("first"), MAX_INSTANCE);
        instances = count(instance, parts.group("last"), MAX_INSTANCE);
      }
      if (items * instances > MAX - size) {
        throw Failure.badRequest("there are more than " + MAX + " series");
      }
      String check = parts.group("check");
      for (int item = 0; item < items; item++) { // the lowest bits of a PMID
        for (int i = 0; i < instances; i++) {
          checks[size] = check == null ? NONE : Long.parseLong(check, 16);
          series[size++] = series(pmid + item, (int) (instance + i));
        }
      }
    }
    return new Subscription(Arrays.copyOf(series, size), Arrays.copyOf(checks, size));
  }

  private static long series(int pmid, int instance) {
    return (long) pmid << Integer.SIZE | Integer.toUnsignedLong(instance);
  }

  /** Returns how many numbers a range has; one if there is no last number. */
  private static long count(long first, String last, long max) throws Failure {
    long count = last == null ? 1 : number(last, max) - first + 1;
    if (count < 1) {
      throw Failure.badRequest("a range ends before it begins");
    }
    return count;
  }

  private static long number(String digits, long max) throws Failure {
    long number = Long.parseLong(digits);
    if (number > max) {
      throw Failure.badRequest("%d is more than %d".formatted(number, max));
    }
    return number;
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

  /**
   * Returns whether a metric and one of its instances are what the client takes them for.
   *
   * @param position that of their series in the request
   */
  boolean isMeant(int position, Metric metric, int instance, View view) {
    return checks[position] == NONE
        || SeriesCheck.isOf(metric, instance, view, (int) checks[position]);
  }

  long bytes() {
    return 2 * HeapSize.ofLongs(sorted.length) + HeapSize.ofInts(positions.length);
  }
}
