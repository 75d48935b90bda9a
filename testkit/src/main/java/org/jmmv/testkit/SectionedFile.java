package org.jmmv.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An MMV file with many METRICS sections, as no known writer makes them. Metrics have to differ in
 * their items only within a section, so such a file can have far more metrics than there are items.
 * It has version 2 and no values; equal names share a string.
 */
public final class SectionedFile {
  private static final int TOC_SIZE = 16;
  private static final int METRIC_SIZE = 48;
  private static final int STRING_SIZE = 256;

  private SectionedFile() {}

  /**
   * A metric.
   *
   * @param name at most 255 bytes, one char per byte
   * @param item 0 to 1023
   */
  public record Metric(String name, int item) {}

  /**
   * Returns the bytes of a file, in the host's byte order.
   *
   * @param cluster the cluster in the header
   * @param flags the flags in the header, for example {@link MmvWriter#NOPREFIX}
   * @param perSection the number of metrics in each section but the last, at most 1,023
   * @param metrics enough for at least two sections
   */
  public static ByteBuffer image(int cluster, int flags, int perSection, List<Metric> metrics) {
    int sections = Math.ceilDiv(metrics.size(), perSection);
    long metricsAt = MmvWriter.HEADER_SIZE + (long) sections * TOC_SIZE;
    long size = metricsAt + (long) metrics.size() * METRIC_SIZE;
    Map<String, Long> nameOffsets = new LinkedHashMap<>();
    for (Metric metric : metrics) {
      if (nameOffsets.putIfAbsent(metric.name, size) == null) {
        size += metric.name.length() + 1;
      }
    }
    ByteBuffer out =
        ByteBuffer.allocate(Math.toIntExact(size + STRING_SIZE)).order(ByteOrder.nativeOrder());
    out.put("MMV\0".getBytes(ISO_8859_1)).putInt(2).putLong(1).putLong(1);
    out.putInt(sections).putInt(flags).putInt(0).putInt(cluster);
    for (int first = 0; first < metrics.size(); first += perSection) {
      out.putInt(MmvWriter.METRICS).putInt(Math.min(perSection, metrics.size() - first));
      out.putLong(metricsAt + (long) first * METRIC_SIZE);
    }
    for (Metric metric : metrics) {
      out.putLong(nameOffsets.get(metric.name)).putInt(metric.item).putInt(MmvType.U32.code());
      out.putInt(1).putInt(0).putInt(0).putInt(0).putLong(0).putLong(0);
    }
    nameOffsets.keySet().forEach(name -> out.put(name.getBytes(ISO_8859_1)).put((byte) 0));
    return out.rewind().limit(out.capacity());
  }
}
