package org.jmmv.qa;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvType;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.SectionedFile;
import org.jmmv.testkit.SparseFile;
import org.jmmv.testkit.UniformFile;

/** The contents of hostile files. */
final class HostileImages {
  /** Hard links that an inode has at most, or somewhat fewer. */
  static final int LINKS_OF_AN_INODE = 60_000;

  /** The number of metrics that a METRICS section can have. */
  static final int METRICS = 1023;

  /** The number of records that a LABELS section can have. */
  static final int LABELS = 255;

  /** An item that many records are about. */
  static final int ITEM = 1;

  private static final int METRIC_SIZE = 48;
  private static final int INDOM_SIZE = 32;
  private static final int VALUE_SIZE = 32;

  private HostileImages() {}

  /** Returns a text of 255 bytes that begins so. */
  static String longest(String start) {
    return start + "x".repeat(255 - start.length());
  }

  /** METRICS sections over the same records. */
  static SparseFile overlappingSections(int sections, IntFunction<String> name) {
    long metricsAt = SparseFile.behindToc(sections);
    long namesAt = metricsAt + METRICS * METRIC_SIZE;
    long size = Math.max(namesAt + METRICS * 256, (long) sections * METRICS * METRIC_SIZE);
    SparseFile file = new SparseFile(0, 5, sections, size);
    for (int i = 0; i < sections; i++) {
      file.section(MmvWriter.METRICS, METRICS, metricsAt);
    }
    for (int i = 0; i < METRICS; i++) {
      file.string(namesAt + i * 256L, name.apply(i));
    }
    return file.metrics(metricsAt, METRICS, i -> namesAt + i * 256L);
  }

  /** As many empty instance domains of different serials. */
  static SparseFile emptyInDoms(int count) {
    long inDomsAt = SparseFile.behindToc(2);
    ByteBuffer inDoms = ByteBuffer.allocate(count * INDOM_SIZE).order(ByteOrder.nativeOrder());
    for (int i = 0; i < count; i++) {
      inDoms.putInt(i * INDOM_SIZE, 1 + i);
    }
    return new SparseFile(0, 5, 2, inDomsAt + inDoms.capacity())
        .section(MmvWriter.INDOMS, count, inDomsAt)
        .section(MmvWriter.METRICS, 0, inDomsAt)
        .put(inDomsAt, inDoms);
  }

  /** A table of contents that fills the file. */
  static SparseFile toc(int entries) {
    return new SparseFile(0, 5, entries, SparseFile.behindToc(entries));
  }

  /** A metric, and values of zeros only. */
  static SparseFile zeroValues(int count) {
    long metricAt = SparseFile.behindToc(2);
    long nameAt = metricAt + METRIC_SIZE;
    long valuesAt = 4096;
    return new SparseFile(0, 5, 2, valuesAt + (long) count * VALUE_SIZE)
        .section(MmvWriter.METRICS, 1, metricAt)
        .section(MmvWriter.VALUES, count, valuesAt)
        .metrics(metricAt, 1, _ -> nameAt)
        .string(nameAt, "m");
  }

  /** Metrics over one instance domain, with values that follow no order. */
  static MmvWriter randomValues(int cluster, int instances, int metrics, int values) {
    MmvWriter file = new MmvWriter(2).packed().cluster(cluster);
    MmvWriter.InDom inDom = file.inDom(1);
    IntStream.range(0, instances).forEach(i -> inDom.instance(i, "i" + i));
    Random random = new Random(1);
    for (int m = 0; m < metrics; m++) {
      MmvWriter.Metric metric = file.metric("m" + m, m, ValueType.U64).inDom(inDom);
      random.ints(values / metrics, 0, instances).distinct().forEach(i -> metric.at(i, i));
    }
    return file;
  }

  /** METRICS sections without names, in a file of 512 MB. */
  static SparseFile hugeHole() {
    int sections = 256;
    SparseFile file = new SparseFile(0, 5, sections, 512 << 20);
    for (int i = 0; i < sections; i++) {
      file.section(MmvWriter.METRICS, METRICS, SparseFile.behindToc(sections) + i * (1L << 20));
    }
    return file;
  }

  /** Metrics without values whose names begin with "mmv." only. */
  static ByteBuffer metrics(int cluster, int count, IntFunction<String> name) {
    List<SectionedFile.Metric> metrics =
        IntStream.range(0, count)
            .mapToObj(i -> new SectionedFile.Metric(name.apply(i), i % METRICS))
            .toList();
    return SectionedFile.image(cluster, MmvWriter.NOPREFIX, Math.min(METRICS, count / 2), metrics);
  }

  /** Instance domains whose serials are all cut to the same number. */
  static MmvWriter foldingSerials() {
    MmvWriter file = new MmvWriter(2).cluster(2047);
    for (int i = 0; i < 2048; i++) {
      file.inDom(i << 11 | 1);
    }
    file.metric("m", ITEM, ValueType.U32).value(1);
    return file;
  }

  /** Returns the text with a number among the 2^17 texts of the same {@link String#hashCode}. */
  static String equalHash(int number) {
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < 17; bit++) {
      text.append((number >>> bit & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }

  /**
   * Labels about one item of cluster 5.
   *
   * @param json returns the labels of a record
   */
  static MmvWriter labels(IntFunction<String> json) {
    MmvWriter file = new MmvWriter(3).cluster(5);
    file.metric("m", ITEM, ValueType.I32).value(1);
    for (int i = 0; i < LABELS; i++) {
      file.label(LabelType.ITEM, ITEM, 0, json.apply(i));
    }
    return file;
  }

  /** Returns 20 of 250 labels, as an object of JSON. */
  static String twentyLabels(int first, int value) {
    List<String> labels = new ArrayList<>();
    for (int label = 0; label < 20; label++) {
      labels.add("\"l%d\":%d".formatted((first + 7 * label) % 250, value));
    }
    return "{" + String.join(",", labels) + "}";
  }

  /** Labels of instances whose serials and instances have one sum of the kind that hashes are. */
  static MmvWriter equalLabelHashes(int f) {
    MmvWriter file = new MmvWriter(3).cluster(5);
    file.metric("m" + f, f, ValueType.I32).value(1);
    for (int i = 0; i < LABELS; i++) {
      int serial = f * LABELS + i + 1;
      file.inDom(serial).instance(-31 * serial, "i" + serial);
      file.label(LabelType.INSTANCES, serial, -31 * serial, "{\"%s\":1}".formatted(equalHash(i)));
    }
    return file;
  }

  /** A sound file with its values behind the first page: cut there, its header can be read. */
  static MmvWriter valuesOnTheSecondPage(int cluster) {
    return new UniformFile(1, 45, 0, MmvType.U64).writer(0).cluster(cluster);
  }

  /** A small sound file of about 9 KiB. */
  static MmvWriter small(int cluster) {
    return new UniformFile(2, 27, 0, MmvType.U64).writer(0).cluster(cluster);
  }

  /** A file without metrics. */
  static MmvWriter empty(int cluster) {
    MmvWriter file = new MmvWriter(2).cluster(cluster);
    file.inDom(1);
    return file;
  }

  /** A file of one metric. */
  static MmvWriter single(int cluster) {
    MmvWriter file = new MmvWriter(1).cluster(cluster);
    file.metric("m", ITEM, ValueType.U32).value(1);
    return file;
  }

  /** A metric, and many with the longest names, each of which is invalid for another reason. */
  static MmvWriter faults(int cluster) {
    MmvWriter file = new MmvWriter(2).cluster(cluster);
    file.metric("m", ITEM, ValueType.U32).value(1);
    for (int i = 2; i < 40; i++) {
      file.metric((i + "\1".repeat(255)).substring(0, 255), i, ValueType.U32);
      file.metric("item" + i, 2000 + i, ValueType.U32);
      file.metric("domain" + i, 100 + i, ValueType.U32).serial(5_000_000 + i);
      file.metric("type" + i, 200 + i, 100 + i).value(1);
      file.label(LabelType.ITEM, 100 + i, 0, "{\"\1\2\3" + i);
      file.inDom(5_000_000 + i);
    }
    return file;
  }

  /**
   * A part of what all limits permit together, with the longest strings and with faults.
   *
   * @param parts the number of files that reach the limits
   */
  static MmvWriter atAllLimits(int f, int parts) {
    MmvWriter file = new MmvWriter(2).cluster(1 + f);
    int metrics = 100_000 / parts;
    int instances = 200_000 / parts - 1;
    MmvWriter.InDom inDom = file.inDom(1).help(longest("short"), longest("long"));
    for (int i = 0; i < instances; i++) {
      inDom.instance(i, longest("f" + f + "i" + i));
    }
    int values = 4_000_000 / parts;
    int invalid = 40;
    for (int m = 0; m < metrics - invalid; m++) {
      String name = ("m" + m + ".a".repeat(127)).substring(0, 255); // 128 nodes of the name space
      MmvWriter.Metric metric =
          file.metric(name, m, ValueType.U32)
              .help(longest("short " + f + " " + m), longest("long " + f + " " + m))
              .inDom(inDom);
      for (int i = 0; i < instances && values > 0; i++, values--) {
        metric.at(i, i);
      }
    }
    for (int m = 0; m < invalid; m++) {
      file.metric((f + "\1" + m + "\1".repeat(250)).substring(0, 250), 600 + m, ValueType.U32);
    }
    for (int i = 0; i < Math.min(LABELS, 50_000 / parts); i++) {
      file.label(LabelType.ITEM, i, 0, twentyLabels(i, f));
    }
    return file;
  }

  /** Many instances, which other files of the cluster share. */
  static MmvWriter instances(int cluster, int count, IntFunction<String> name) {
    MmvWriter file = new MmvWriter(2).packed().cluster(cluster);
    MmvWriter.InDom inDom = file.inDom(1);
    for (int i = 0; i < count; i++) {
      inDom.instance(i, name.apply(i));
    }
    file.metric("all", ITEM, ValueType.U32).inDom(inDom).at(0, 1);
    return file;
  }

  /** Metrics over the first instance domain of their cluster, each with one value. */
  static MmvWriter metricsOverInstances(int cluster, int count, IntUnaryOperator instance) {
    MmvWriter file = new MmvWriter(2).packed().cluster(cluster);
    MmvWriter.InDom inDom = file.inDom(1);
    IntStream.range(0, count)
        .map(instance)
        .distinct()
        .forEach(number -> inDom.instance(number, "own" + number));
    for (int m = 0; m < count; m++) {
      file.metric("m" + m, m, ValueType.U32).inDom(inDom).at(instance.applyAsInt(m), m);
    }
    return file;
  }
}
