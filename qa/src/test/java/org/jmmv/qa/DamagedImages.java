package org.jmmv.qa;

import java.nio.ByteBuffer;
import java.util.Random;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.SeedFiles;

/** MMV files as applications write them, with a few bytes changed, moved or cut off. */
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

  /** Begins an endless sequence, which depends on the seed alone. */
  DamagedImages(long seed) {
    random = new Random(seed);
  }

  /** Returns the next file. */
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

  /** Returns an undamaged file of any version that uses every part of the format. */
  private ByteBuffer sound() {
    int version = 1 + random.nextInt(3);
    int flags = random.nextInt(8);
    if (random.nextInt(20) == 0) {
      return OddFile.image(version, flags);
    }
    int[] clusters = {0, 0, 0, 1, 2, 4095};
    return SeedFiles.writer(version, "m" + random.nextInt(3) + ".")
        .flags(flags)
        .cluster(clusters[random.nextInt(clusters.length)])
        .pid(ProcessHandle.current().pid())
        .image();
  }

  private void change(ByteBuffer image) {
    int size = image.limit();
    // most changes hit the metadata, which comes first and can break more than a value can
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

  /** Copies a piece of one file to another file, or to another place in the same file. */
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
