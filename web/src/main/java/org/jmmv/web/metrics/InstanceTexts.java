package org.jmmv.web.metrics;

import java.util.Arrays;
import org.jmmv.core.InstanceDomain;

/**
 * The encoded instances of one instance domain. Usually the next metric has the same one, so they
 * are kept as long as the catalogue does not change.
 */
final class InstanceTexts {
  private final Encoding encoding;
  private final Bytes bytes = new Bytes();
  private int[] ends = new int[16]; // of the instances in bytes
  private int inDom;
  private long version = -1; // of the catalogue
  private int first; // index of the first instance
  private int count;

  InstanceTexts(Encoding encoding) {
    this.encoding = encoding;
  }

  /**
   * Begins with an instance domain, or the next part of it.
   *
   * @param from the index of the first instance
   */
  void begin(int wanted, long versionNow, int from) {
    if (inDom != wanted || version != versionNow || first != from) {
      inDom = wanted;
      version = versionNow;
      first = from;
      count = 0;
      bytes.truncate(0);
    }
  }

  /** Encodes the instances up to an index. */
  void encode(InstanceDomain instances, int index) {
    for (; first + count <= index; count++) {
      if (count == ends.length) {
        ends = Arrays.copyOf(ends, 2 * count);
      }
      int next = first + count;
      encoding.encode(instances.number(next), instances.name(next), bytes);
      ends[count] = bytes.size();
    }
  }

  Bytes bytes() {
    return bytes;
  }

  /** Returns where an encoded instance begins. */
  int from(int index) {
    return index == first ? 0 : ends[index - first - 1];
  }

  /** Returns where an encoded instance ends. */
  int to(int index) {
    return ends[index - first];
  }
}
