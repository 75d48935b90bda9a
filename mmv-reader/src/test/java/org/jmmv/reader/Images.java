package org.jmmv.reader;

import static java.util.stream.Collectors.joining;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.MappedFile;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.FileName;

/** Files in memory, as if they were mapped, and short texts of what was read from them. */
public final class Images {
  /** What files in memory are called. */
  public static final FileName FILE = FileName.of("app");

  /** More than the files of tests have. */
  static final FileLimits LIMITS = new FileLimits(1 << 30, 100_000, 4_194_304, 500 << 20);

  private Images() {}

  /** The buffer has the image's exact size: no read beyond it can go unseen. */
  static MmvMapping mapping(ByteBuffer image) {
    byte[] bytes = new byte[image.limit()];
    image.get(0, bytes);
    FileStatus status = new FileStatus(1, 1, bytes.length, 1, 0, 1, 0x81a4, 0);
    ByteBuffer exact = ByteBuffer.wrap(bytes).asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    return new MmvMapping(new MappedFile(status, false, exact, Arena.ofConfined()));
  }

  static MmvSchema read(ByteBuffer image) throws MmvFormatException {
    return read(FILE, mapping(image));
  }

  /** Reads a schema, null if the file is in flux. An error of the program is not caught. */
  static MmvSchema read(FileName name, MmvMapping mapping) throws MmvFormatException {
    try {
      return reader(name, mapping).readOn(() -> true);
    } catch (MmvFormatException e) {
      if (e.fault().kind() == FaultKind.IN_FLUX || e.fault().kind() == FaultKind.NO_GENERATION) {
        return null;
      }
      throw e;
    }
  }

  static MmvFileReader reader(FileName name, MmvMapping mapping) throws MmvFormatException {
    return MmvFileReader.of(name, mapping.mapped(), LIMITS, () -> true);
  }

  static MmvFile open(ByteBuffer image) throws MmvFormatException {
    MmvMapping mapping = mapping(image);
    return new MmvFile(read(FILE, mapping), mapping);
  }

  /** The names of the metrics with the indexes of their values, {@code a=0 b=2:1,5:2}. */
  static String metrics(MmvSchema schema) {
    return schema.metrics().stream()
        .map(metric -> metric.name() + "=" + values(metric))
        .collect(joining(" "));
  }

  private static String values(MmvMetric metric) {
    return IntStream.range(0, metric.valueCount())
        .mapToObj(i -> (metric.isSingular() ? "" : metric.instance(i) + ":") + metric.value(i))
        .collect(joining(","));
  }

  /** The instance domains, {@code 3{0=one,1=two}}. */
  static String inDoms(MmvSchema schema) {
    return schema.inDoms().stream()
        .map(inDom ->
            inDom.instances().list().stream()
                .map(instance -> instance.number() + "=" + instance.name())
                .collect(joining(",", inDom.serial() + "{", "}")))
        .collect(joining(" "));
  }

  /** Everything in a schema but its fingerprint. */
  public static String describe(MmvSchema schema) {
    StringBuilder out = new StringBuilder();
    for (MmvMetric metric : schema.metrics()) {
      out.append(metric.name()).append(' ').append(metric.index()).append(' ');
      out.append(metric.offset()).append(' ').append(metric.item()).append(' ');
      out.append(metric.type()).append(' ').append(metric.semantics()).append(' ');
      out.append(metric.units()).append(' ').append(metric.serial()).append(' ');
      out.append(metric.shortHelp()).append(' ').append(metric.longHelp()).append('\n');
    }
    return out.append(metrics(schema))
        .append(schema.inDoms())
        .append(schema.labels())
        .append(schema.faults())
        .append(schema.header().version())
        .append(' ')
        .append(schema.header().generation1())
        .append(' ')
        .append(schema.header().flags())
        .append(' ')
        .append(schema.header().pid())
        .append(' ')
        .append(schema.header().cluster())
        .append(' ')
        .append(schema.valuesOffset())
        .toString();
  }
}
