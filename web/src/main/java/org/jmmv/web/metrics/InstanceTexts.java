package org.jmmv.web.metrics;

import java.util.Arrays;
import org.jmmv.core.InstanceDomain;
import org.jmmv.pcp.IntMap;

/**
 * The encoded instances of one instance domain. Usually the next metric has the same one, so they
 * are kept until its instances change.
 */
final class InstanceTexts {
  /** The number of instances that are kept for the next metric, and that a part of a page has. */
  static final int MAX = 1024;

  private final Encoding encoding;
  private final Bytes bytes = new Bytes();
  private int[] ends = new int[16]; // of the instances in bytes
  private IntMap indexes = new IntMap(); // in ends, by instance numbers
  private int count;
  private Object identity; // of the domain

  InstanceTexts(Encoding encoding) {
    this.encoding = encoding;
  }

  /** Begins with a metric, or the next part of its instances. */
  void begin(InstanceDomain domain) {
    if (!domain.identity().equals(identity) || count > MAX) {
      identity = domain.identity();
      indexes = new IntMap();
      count = 0;
      bytes.truncate(0);
    }
  }

  /** Returns the index of an instance, which is encoded if it has not been yet. */
  int indexOf(int number, InstanceDomain domain) {
    int known = indexes.get(number);
    if (known != IntMap.NONE) {
      return known;
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
    }
    encoding.encode(number, domain.name(domain.indexOf(number)), bytes);
    indexes.add(number, count);
    ends[count] = bytes.size();
    return count++;
  }

  Bytes bytes() {
    return bytes;
  }

  /** Returns where an encoded instance begins. */
  int from(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  /** Returns where an encoded instance ends. */
  int to(int index) {
    return ends[index];
  }
}
