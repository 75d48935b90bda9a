package org.jmmv.web.metrics;

import java.util.Arrays;
import org.jmmv.core.InstanceDomain;
import org.jmmv.pcp.IntMap;

/**
 * The encoded instances of one instance domain. Usually the next metric has the same one, so they
 * are kept until its instances change, unless they take more than 256 KiB.
 */
final class InstanceTexts {
  private final Encoding encoding;
  private final Bytes bytes = new Bytes();
  private int[] ends; // of the instances in bytes
  private IntMap indexes; // in ends, by instance numbers
  private int count;
  private Object identity; // of the domain

  InstanceTexts(Encoding encoding) {
    this.encoding = encoding;
  }

  /** Begins with a metric, or the next part of its instances. */
  void begin(InstanceDomain domain) {
    if (!domain.table().identity().equals(identity) || bytes.size() > Bytes.MAX_KEPT) {
      identity = domain.table().identity();
      indexes = new IntMap();
      count = 0;
      ends = new int[16];
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
    encoding.add(number, domain.table().name(domain.table().indexOf(number)), bytes);
    indexes.add(number, count);
    ends[count] = bytes.size();
    return count++;
  }

  Bytes bytes() {
    return bytes;
  }

  int from(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  int to(int index) {
    return ends[index];
  }
}
