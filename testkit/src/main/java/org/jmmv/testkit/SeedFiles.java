package org.jmmv.testkit;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.ValueType;

/** Small sound files that use every part of the format: what fuzz tests start from. */
public final class SeedFiles {
  private SeedFiles() {}

  /**
   * Returns all seeds: {@link #sound} and, if the folder is there, {@link Fixtures#images}. A fuzz
   * test that uses them needs a second test, over the fixtures alone and with {@link
   * NeedsFixtures}, which shows as skipped if the folder is missing.
   */
  public static List<byte[]> all() {
    List<byte[]> all = new ArrayList<>(sound());
    if (Fixtures.exist()) {
      all.addAll(Fixtures.images());
    }
    return all;
  }

  /** Returns a file of each version. */
  public static List<byte[]> sound() {
    return IntStream.rangeClosed(1, 3)
        .mapToObj(version -> writer(version, ""))
        .map(MmvWriter::image)
        .map(ByteBuffer::array)
        .toList();
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
