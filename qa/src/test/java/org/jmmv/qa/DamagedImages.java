package org.jmmv.qa;

import java.nio.ByteBuffer;
import java.util.Random;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;

/** MMV files as applications write them, with some damage. */
final class DamagedImages {
  private static final int MOST_CHANGES = 6;
  private static final long[] NUMBERS = {
    0,
    1,
    -1,
    2,
    39,
    40,
    127,
    128,
    255,
    256,
    1023,
    1024,
    4095,
    4096,
    65_535,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 32,
    1L << 40,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MAX_VALUE - 255
  };

  private final Random random;

  /** An endless supply; the same for the same seed. */
  DamagedImages(long seed) {
    random = new Random(seed);
  }

  /** The next file. */
  ByteBuffer next() {
    ByteBuffer image = sound();
    for (int changes = random.nextInt(MOST_CHANGES); changes >= 0; changes--) {
      change(image);
    }
    if (random.nextInt(8) == 0) {
      image.limit(random.nextInt(image.limit()));
    }
    if (image.limit() >= MmvWriter.HEADER_SIZE
        && GoodFile.isReserved(image.getInt(MmvWriter.CLUSTER))) {
      image.putInt(MmvWriter.CLUSTER, 0);
    }
    return image;
  }

  /** A file of any version, with all that there is. */
  private ByteBuffer sound() {
    int version = 1 + random.nextInt(3);
    int flags = random.nextInt(8);
    if (random.nextInt(20) == 0) {
      return OddFile.image(version, flags);
    }
    int[] clusters = {0, 0, 0, 1, 2, 4095};
    MmvWriter writer =
        new MmvWriter(version)
            .flags(flags)
            .cluster(clusters[random.nextInt(clusters.length)])
            .pid(ProcessHandle.current().pid());
    MmvWriter.InDom first = writer.inDom(1).help("a", "b").instance(0, "x").instance(1, "y z");
    MmvWriter.InDom second = writer.inDom(2).instance(5, "z").instance(6, "w");
    String name = "m" + random.nextInt(3);
    writer.metric(name + ".i32", 1, ValueType.I32).help("c", "d").value(1);
    writer.metric(name + ".u64", 2, ValueType.U64).inDom(first).at(0, 2).at(1, 3);
    writer.metric(name + ".text", 3, ValueType.STRING).inDom(second).textAt(5, "t").textAt(6, "u");
    writer.metric(name + ".double", 4, ValueType.DOUBLE).value(1.5);
    writer.metric(name + ".elapsed", 5, MmvWriter.ELAPSED).raw(1, -1);
    writer.label(8, 0, 0, "{\"a\":{\"b\":[1,2]}}").label(16, 1, 0, "{\"c\":\"d\"}");
    return writer.label(32, 1, 1, "{\"e\":null}").label(4, 2, 0, "{\"f\":true}").image();
  }

  private void change(ByteBuffer image) {
    int size = image.limit();
    // the metadata is at the beginning, where a change does more
    int end = random.nextInt(4) == 0 ? size : Math.min(size, 800);
    int at = random.nextInt(end - 8) & ~3;
    switch (random.nextInt(6)) {
      case 0 -> image.put(at, (byte) (image.get(at) ^ 1 << random.nextInt(8)));
      case 1 -> image.putInt(at, (int) number(size));
      case 2 -> image.putLong(at, number(size));
      case 3 -> image.putInt(at, image.getInt(at) + random.nextInt(5) - 2);
      case 4 -> copy(image, image, at);
      default -> copy(sound(), image, at);
    }
  }

  /** A piece of one file gets into another one, or to another place. */
  private void copy(ByteBuffer from, ByteBuffer to, int at) {
    byte[] piece = new byte[8 * (1 + random.nextInt(16))];
    from.get(random.nextInt(from.limit() - piece.length), piece);
    to.put(Math.min(at, to.limit() - piece.length), piece);
  }

  private long number(int size) {
    return switch (random.nextInt(3)) {
      case 0 -> NUMBERS[random.nextInt(NUMBERS.length)];
      case 1 -> size - 257L + random.nextInt(300);
      default -> random.nextInt(size);
    };
  }
}
