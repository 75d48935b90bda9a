package org.jmmv.qa;

import java.nio.ByteBuffer;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;

/** An MMV file with everything that the format allows, though no library writes it. */
final class OddFile {
  private static final int CLUSTER = 600;
  private static final int VALUE_METRIC = 16; // offset of the metric's offset in a value
  private static final long[] NO_METRICS = {0, -1, 1L << 40, 41};
  private static final String BYTES = "\u00ff\u00fe na\u00efve \u0080"; // no UTF-8
  private static final long START = 1_700_000_000_000_000L; // of a section in progress
  private static final int LAST = Integer.MAX_VALUE; // an instance
  private static final int NEGATIVE = -2;

  private final MmvWriter writer;
  private final boolean sentinel;
  private final String longest;

  private OddFile(MmvWriter writer, int version, int flags) {
    this.writer = writer.flags(flags).cluster(CLUSTER);
    sentinel = (flags & MmvWriter.SENTINEL) != 0;
    longest = "n".repeat(version == 1 ? 63 : 255);
  }

  /**
   * Returns the file.
   *
   * @param version 1 to 3
   * @param flags of the file's header
   */
  static ByteBuffer image(int version, int flags) {
    return image(new MmvWriter(version), version, flags);
  }

  /** Returns the file with strings right behind each other. */
  static ByteBuffer packed(int version, int flags) {
    return image(new MmvWriter(version).packed(), version, flags);
  }

  private static ByteBuffer image(MmvWriter writer, int version, int flags) {
    OddFile odd = new OddFile(writer, version, flags);
    odd.addMetrics();
    odd.addLabels();
    ByteBuffer image = odd.writer.image();
    for (int i = 0; i < NO_METRICS.length; i++) {
      image.putLong(odd.writer.valueAt(i) + VALUE_METRIC, NO_METRICS[i]);
    }
    return image;
  }

  private void addMetrics() {
    MmvWriter.Metric deprived = writer.metric("deprived", 0, ValueType.U32);
    for (long _ : NO_METRICS) {
      deprived.value(1);
    }
    MmvWriter.InDom inDom =
        writer
            .inDom(1)
            .instance(0, longest)
            .instance(7, BYTES)
            .instance(LAST, "")
            .instance(NEGATIVE, " blanks ");
    MmvWriter.InDom empty = writer.inDom(2).help(BYTES, null);
    for (int type = ValueType.I32; type <= ValueType.STRING; type++) {
      addMetricsOf(type, inDom);
    }
    addMetricsOf(MmvWriter.ELAPSED, inDom);
    writer.metric(longest, CLUSTER, ValueType.U32).value(1);
    writer.metric("unsupported", 41, ValueType.NOSUPPORT).value(1);
    writer.metric("unsupporteds", 42, ValueType.NOSUPPORT).inDom(inDom).at(0, 1);
    writer.metric("unknownType", 43, 99).semantics(99).value(1);
    writer.metric("unknownTypes", 44, 12).semantics(0).inDom(inDom).at(7, 1);
    writer.metric("emptyInDom", 46, ValueType.U64).inDom(empty).value(1);
    writer.metric("alsoSingular", 1023, ValueType.I32).serial(-1).value(1);
  }

  private void addMetricsOf(int type, MmvWriter.InDom inDom) {
    MmvWriter.Metric single =
        writer
            .metric("single" + type, 10 + type, type)
            .semantics(type)
            .units(-1 << type)
            .help(BYTES, "h".repeat(255));
    MmvWriter.Metric several =
        writer.metric("several" + type, 20 + type, type).inDom(inDom).help("", null);
    writer.metric("none" + type, 30 + type, type).inDom(inDom).help(null, "help");
    if (type == ValueType.STRING) {
      single.text("t".repeat(256)); // without a NUL
      several.textAt(NEGATIVE, BYTES).textAt(0, "").rawAt(7, 0, 1 << 30);
    } else {
      // the stock agent forgets that NaN, which all ones are, is a sentinel
      boolean avoidNaN = sentinel && (type == ValueType.FLOAT || type == ValueType.DOUBLE);
      long bits = avoidNaN ? 0x4000_0000_4000_0000L : -1;
      single.raw(bits, 0).raw(1, 0);
      several.rawAt(NEGATIVE, bits, 0).rawAt(0, bits >>> 32, 0).rawAt(0, 5, 0);
      several.rawAt(7, 0, -START); // of other types than ELAPSED, the extra means nothing
    }
  }

  private void addLabels() {
    for (int type : new int[] {1, 2, 4, 8, 16, 32}) {
      int identity = type == 8 ? CLUSTER : type == 16 ? 10 : 1;
      writer.label(type, identity, 0, " {\"plain\" : [\"" + BYTES + "\",null] }");
      writer.label(type | 128, identity, 7, "{\"note" + type + "\":\"\\u00ff\"}");
      // the stock agent takes each record of an instance for one label
      writer.label(type, identity, NEGATIVE, type == 32 ? "{\"last\":{}}" : "{}");
      writer.label(type, identity, 99, "{\"nobody\":1}");
    }
    writer.label(8 | 16 | 128, CLUSTER, 0, "{\"both\":{\"c\":-1.5e+9,\"b\":true}}");
    writer.label(4, 77, 0, "{\"undefined\":1}");
    writer.label(4, 2, 0, "{\"empty\":1}");
    writer.label(32, 2, 0, "{\"empty\":1}");
  }
}
