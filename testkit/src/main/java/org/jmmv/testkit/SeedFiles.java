package org.jmmv.testkit;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.stream.IntStream;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;

/** Small sound files: what fuzz tests start from, and what other tests have to serve. */
public final class SeedFiles {
  private static final int METRICS = 10;
  private static final int COUNT = 1 << 20; // pmUnits
  private static final int PER_SECOND = 0xf << 24 | 3 << 12; // likewise

  private SeedFiles() {}

  /** Returns the bytes of all files by name. */
  public static SequencedMap<String, byte[]> all() {
    SequencedMap<String, byte[]> all = new LinkedHashMap<>();
    for (int version = 1; version <= 3; version++) {
      all.put("version" + version, writer(version, "").image().array());
    }
    all.putAll(servedAlike());
    return all;
  }

  /**
   * Returns the bytes of the files that the stock agent serves as jmmv does, by name: all but those
   * of {@link #writer}, some labels of which it loses. They can be served together.
   */
  public static SequencedMap<String, byte[]> servedAlike() {
    SequencedMap<String, byte[]> files = ofLibraries();
    files.put("doubles", grouped(1, 3, MmvType.DOUBLE).image().array());
    files.put("floats", grouped(1, 4, MmvType.FLOAT).image().array());
    files.put("described", described(2, 5, MmvType.U64, 20).image().array());
    files.put("strings", described(3, 0, MmvType.STRING, 3).image().array());
    files.put("timers", grouped(2, 0, MmvType.ELAPSED).image().array());
    return files;
  }

  /**
   * Returns the bytes of all {@link Fixtures} by name, and of files whose numbers are like those of
   * Speed (a library for Go) and Hornet (for Rust).
   */
  public static SequencedMap<String, byte[]> ofLibraries() {
    SequencedMap<String, byte[]> files = Fixtures.images();
    files.put("like_speed", hashed(1, -1, 1178, MmvWriter.PROCESS).image().array());
    files.put("like_hornet", hashed(2, 0, 1234, MmvWriter.SENTINEL).image().array());
    return files;
  }

  /**
   * Returns a file whose numbers are hashes of names: items of 10 bits, serials of 22 bits, and
   * instances of 32 bits, often negative. It has two metrics of each type that the libraries write.
   *
   * @param singular the serial of a metric without an instance domain
   */
  private static MmvWriter hashed(int version, int singular, int cluster, int flags) {
    MmvWriter writer = new MmvWriter(version).cluster(cluster).flags(flags).pid(1);
    MmvWriter.InDom inDom = writer.inDom(3_201_552).help(null, "Instances");
    inDom
        .instance(-1_172_149_291, "first")
        .instance(1_511_900_585, "r\u00c3\u00a9sum\u00c3\u00a9 2");
    for (MmvType type : MmvType.values()) {
      if (type != MmvType.ELAPSED) {
        String name = type.name().toLowerCase(Locale.ROOT);
        int item = 1003 * (type.code() + 1) & 0x3ff;
        MmvWriter.Metric single = writer.metric(name, item, type.code()).serial(singular);
        UniformFile.addValue(single.units(COUNT).help("", name), type, -1, Instance.NULL);
        MmvWriter.Metric many = writer.metric(name + "s", item ^ 0x3ff, type.code()).inDom(inDom);
        many.semantics(Semantics.INSTANT).units(PER_SECOND);
        UniformFile.addValue(many, type, 1, -1_172_149_291);
        UniformFile.addValue(many, type, 1_000, 1_511_900_585);
      }
    }
    return writer;
  }

  /** Returns a file of ten metrics in two groups, with the items 1 to 10, counts without help. */
  public static MmvWriter grouped(int version, int instances, MmvType type) {
    return grouped(version, instances, type, false);
  }

  /** Returns such a file with help texts for all metrics, and with labels of them in turn. */
  public static MmvWriter described(int version, int instances, MmvType type, int labels) {
    MmvWriter writer = grouped(version, instances, type, true);
    for (int i = 0; i < labels; i++) {
      String json = "{\"label%d\":\"value%d\"}".formatted(i, i);
      writer.label(LabelType.ITEM, 1 + i % METRICS, Instance.NULL, json);
    }
    return writer;
  }

  private static MmvWriter grouped(int version, int instances, MmvType type, boolean hasHelp) {
    MmvWriter writer = new MmvWriter(version);
    MmvWriter.InDom inDom = instances == 0 ? null : writer.inDom(1);
    IntStream.range(0, instances).forEach(i -> inDom.instance(i, "inst" + i));
    for (int m = 0; m < METRICS; m++) {
      MmvWriter.Metric metric =
          writer.metric("group%d.metric%d".formatted(m % 2, m), 1 + m, type.code());
      metric.units(COUNT);
      if (hasHelp) {
        metric.help("short text " + m, "long text " + m + " " + "x".repeat(100));
      }
      if (inDom == null) {
        UniformFile.addValue(metric.serial(-1), type, m, Instance.NULL);
      } else {
        metric.inDom(inDom);
        for (int i = 0; i < instances; i++) {
          UniformFile.addValue(metric, type, m, i);
        }
      }
    }
    return writer;
  }

  /**
   * Returns a file of cluster 9 with values of each kind, instances, help texts and labels.
   *
   * @param prefix what the names of the metrics begin with
   */
  public static MmvWriter writer(int version, String prefix) {
    MmvWriter writer = new MmvWriter(version).flags(MmvWriter.SENTINEL).cluster(9).pid(1);
    MmvWriter.InDom first = writer.inDom(1).help("a", "b").instance(0, "x").instance(1, "y z");
    MmvWriter.InDom second = writer.inDom(2).instance(5, "z").instance(6, "w");
    writer.metric(prefix + "i32", 1, ValueType.I32).help("c", "d").value(1);
    writer.metric(prefix + "u64", 2, ValueType.U64).inDom(first).at(0, 2).at(1, 3);
    writer.metric(prefix + "text", 3, ValueType.STRING).inDom(second).textAt(5, "t").textAt(6, "u");
    writer.metric(prefix + "double", 4, ValueType.DOUBLE).value(1.5);
    writer.metric(prefix + "elapsed", 5, MmvWriter.ELAPSED).raw(1, -1);
    writer.label(LabelType.CLUSTER, 0, 0, "{\"a\":{\"b\":[1,2]}}");
    writer.label(LabelType.ITEM, 1, 0, "{\"c\":\"d\"}");
    writer.label(LabelType.INSTANCES, 1, 1, "{\"e\":null}");
    return writer.label(LabelType.INDOM, 2, 0, "{\"f\":true}");
  }
}
