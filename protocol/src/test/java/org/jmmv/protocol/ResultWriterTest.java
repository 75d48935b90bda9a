package org.jmmv.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jmmv.pcp.ValueType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultWriterTest {
  private static final List<Integer> TYPES =
      List.of(ValueType.I32, ValueType.U64, ValueType.FLOAT, ValueType.DOUBLE, ValueType.STRING);

  private final Random random = new Random(42);
  private final ResultWriter writer = new ResultWriter();

  /** Writes values in batches to the current set, and returns them. */
  private List<InstanceValue> writeValues(int count) {
    int type = TYPES.get(random.nextInt(TYPES.size()));
    List<InstanceValue> values = new ArrayList<>();
    while (values.size() < count) {
      int batch = 1 + random.nextInt(count - values.size());
      if (type == ValueType.STRING) {
        byte[] text = new byte[1 + random.nextInt(20)];
        writer.text(values.size(), text, 1, text.length - 1);
        values.add(new InstanceValue(values.size(), Value.ofText("\0".repeat(text.length - 1))));
        continue;
      }
      int[] instances = new int[batch];
      long[] bits = new long[batch];
      for (int i = 0; i < batch; i++) {
        instances[i] = values.size();
        bits[i] = random.nextLong();
        values.add(new InstanceValue(instances[i], SamplePdus.number(type, bits[i])));
      }
      writer.numbers(type, instances, bits, batch);
    }
    return values;
  }

  /**
   * @param sizeOfSets the size that the writer is told, in thousandths of the size of the sets
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 300, 999, 1000, 3000})
  void setsMayNeedMoreOrLessRoomThanExpectedAndBeWrittenAgain(int sizeOfSets) {
    for (int round = 0; round < 200; round++) {
      int[] counts = random.ints(1 + random.nextInt(20), 0, 30).toArray();
      long size = 0;
      for (int count : counts) {
        size += ResultWriter.sizeOfSet(count);
      }
      SegmentedBuffer memory = new SegmentedBuffer(64);
      boolean isHighRes = round % 2 == 0;
      writer.begin(memory, isHighRes, (int) (size * sizeOfSets / 1000) & ~3);
      List<ValueSet> sets = new ArrayList<>();
      for (int count : counts) {
        int pmid = random.nextInt();
        writer.beginSet(pmid);
        if (random.nextInt(3) == 0) {
          writeValues(random.nextInt(60));
          writer.clear();
        }
        List<InstanceValue> values = writeValues(count);
        if (random.nextInt(3) == 0) {
          writer.beginReading();
          writeValues(random.nextInt(60));
          writer.clear();
        }
        sets.add(values.isEmpty() ? ValueSet.none(pmid, 0) : ValueSet.of(pmid, values));
      }
      ByteBuf reply = writer.end(7L, 9);
      ByteBuf expected =
          SamplePdus.encode(
              isHighRes ? new HighResResult(0, 7, 9, sets) : new Result(0, 7, 9, sets));
      assertEquals(expected, reply);
      reply.release();
      memory.release();
    }
  }

  /** To allocate tens of megabytes takes as many milliseconds. */
  @ParameterizedTest
  @ValueSource(ints = {500, 1000, 2000})
  void theMemoryOfALargeResultIsAllocatedWhenItIsNeeded(int sizeOfSets) {
    int count = 1_000_000;
    SegmentedBuffer memory = new SegmentedBuffer(64);
    long size = ResultWriter.sizeOfSet(count);
    writer.begin(memory, false, (int) (size * sizeOfSets / 1000) & ~3);
    writer.beginSet(1);
    long before = memory.capacity();
    assertTrue(before <= 4 << 20, () -> before + " bytes");
    List<InstanceValue> values = new ArrayList<>();
    for (int done = 0; done < count; done += 1_000) {
      int[] instances = IntStream.range(done, done + 1_000).toArray();
      long[] bits = IntStream.of(instances).mapToLong(i -> 7L * i).toArray();
      writer.numbers(ValueType.U64, instances, bits, 1_000);
      for (int i = 0; i < 1_000; i++) {
        values.add(new InstanceValue(instances[i], SamplePdus.number(ValueType.U64, bits[i])));
      }
    }
    ByteBuf reply = writer.end(7L, 9);
    assertTrue(memory.isInUse());
    Pdu expected = new Result(0, 7, 9, List.of(ValueSet.of(1, values)));
    assertEquals(SamplePdus.encode(expected), reply);
    reply.release();
    assertFalse(memory.isInUse());
    memory.release();
  }
}
