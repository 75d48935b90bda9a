package org.jmmv.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentedBufferTest {
  /** A segment has 1,048,576 words. */
  @ParameterizedTest
  @CsvSource({
    "0, 1, 5",
    "5, 0, 3000000",
    "0, 5, 3000000",
    "1000, 2000000, 2500000",
    "2000000, 1000, 2500000",
    "1048575, 1048576, 1048577",
    "1048576, 1048575, 1048577",
    "100, 2097252, 3000000"
  })
  void wordsMoveWithoutAChange(int from, int to, int count) {
    int[] expected = IntStream.range(0, from + count).toArray();
    SegmentedBuffer buffer = new SegmentedBuffer(16);
    try {
      buffer.put(0, expected, 0, expected.length);
      buffer.move(from, to, count);
      int[] moved = new int[count];
      buffer.get(to, moved, count);
      assertArrayEquals(IntStream.range(from, from + count).toArray(), moved);
      int[] before = new int[Math.min(from, to)];
      buffer.get(0, before, before.length);
      assertArrayEquals(IntStream.range(0, before.length).toArray(), before);
    } finally {
      buffer.release();
    }
  }
}
