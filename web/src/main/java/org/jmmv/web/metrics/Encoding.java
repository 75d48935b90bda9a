package org.jmmv.web.metrics;

import java.util.ArrayList;
import java.util.List;
import org.jmmv.core.InstanceDomain;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Labels;

/**
 * How families and samples become bytes. All pages of a format share one: a page uses it within one
 * call only, and a page that waits for its client keeps nothing of it.
 */
abstract class Encoding {
  /** What is written in this call. */
  final Bytes out = new Bytes();

  /** The labels of all series of the family, one after the other. */
  final Bytes labels = new Bytes();

  /** The family that has been begun. */
  EncodedFamily family;

  private final InstanceTexts instances = new InstanceTexts(this);
  private List<Labels> encoded = List.of();
  private final List<String> names = new ArrayList<>(); // of the labels, sorted
  private int[] ends = {}; // of the labels
  private InstanceDomain domain; // null for a singular metric
  private int start; // of the family in what is written
  private boolean isContinued;
  private boolean hasSamples; // of the family, or of its part

  /**
   * Begins a family.
   *
   * @param sets the labels of all series. Thousands of families may share some that take 200 KB:
   *     those of the last one are not encoded again
   * @param of the instances, null for a singular metric
   * @param hasBegun whether samples of it have been written before
   */
  final void begin(EncodedFamily next, List<Labels> sets, InstanceDomain of, boolean hasBegun) {
    family = next;
    domain = of;
    start = out.size();
    isContinued = hasBegun;
    if (domain != null) {
      instances.begin(domain);
    }
    if (!sets.equals(encoded)) {
      encodeLabels(LabelPair.of(sets));
      encoded = sets;
    }
    restart();
  }

  /** Begins the family again, without the samples that have been written since. */
  final void restart() {
    hasSamples = false;
    out.truncate(start);
    begin(isContinued);
  }

  private void encodeLabels(List<LabelPair> pairs) {
    labels.truncate(0);
    names.clear();
    ends = new int[pairs.size()];
    for (LabelPair pair : pairs) {
      add(pair, labels);
      ends[names.size()] = labels.size();
      names.add(pair.name());
    }
  }

  /** Appends the labels of all series that the instance has not, and those of the instance. */
  final void addMerged(List<LabelPair> own, Bytes to) {
    int begin = 0;
    int next = 0; // of the own ones: both are sorted by name
    for (int i = 0; i < ends.length; i++) {
      int difference = 1;
      while (next < own.size() && (difference = names.get(i).compareTo(own.get(next).name())) > 0) {
        next++;
      }
      if (difference != 0) {
        to.add(labels, begin, ends[i]);
      }
      begin = ends[i];
    }
    own.forEach(pair -> add(pair, to));
  }

  /**
   * Ends a family, or a part of it, of which nothing is written if it had no samples. Returns
   * whether the family has had samples so far.
   */
  final boolean end() {
    family = null;
    domain = null; // it keeps the files that have it
    if (hasSamples) {
      endSamples();
    } else {
      out.truncate(start);
    }
    return isContinued || hasSamples;
  }

  final boolean hasSamples() {
    return hasSamples;
  }

  /**
   * Begins a sample, which {@link #integer}, {@link #number} or {@link #real} ends.
   *
   * @param instance its number, or {@link Instance#NULL}
   * @param own labels of the instance, sorted by name
   */
  final void sample(int instance, List<LabelPair> own) {
    hasSamples = true;
    if (instance == Instance.NULL) {
      sample(null, 0, 0, own);
    } else {
      int index = instances.indexOf(instance, domain);
      sample(instances.bytes(), instances.from(index), instances.to(index), own);
    }
  }

  abstract EncodedFamily encode(Family next);

  abstract void begin(boolean hasBegun);

  /** Ends the family, which has samples. */
  abstract void endSamples();

  /** Begins a sample. The instance is a part of some bytes; null for a singular metric. */
  abstract void sample(Bytes instance, int from, int to, List<LabelPair> own);

  abstract void add(LabelPair pair, Bytes to);

  /**
   * Appends the labels that tell an instance.
   *
   * @param name its name, one char per byte
   */
  abstract void add(int instance, String name, Bytes to);

  /**
   * Ends a sample with an integer.
   *
   * @param isNegative whether there is a minus sign
   * @param magnitude the digits, an unsigned number
   * @param decimals the number of digits after the decimal point
   */
  abstract void integer(boolean isNegative, long magnitude, int decimals);

  /** Ends a sample with a number. */
  abstract void number(double value);

  /** Ends a sample with a number that was a float. */
  abstract void real(float value);

  /** Returns the size of the family so far, in bytes. */
  int size() {
    return out.size() - start;
  }

  abstract void endPage();
}
