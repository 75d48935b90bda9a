package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.ValueSink;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.FileTruncated;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.fault.FileName;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedMetricTest {
  private static final int CLUSTER = 1;
  private static final int PMID = Pmid.build(70, CLUSTER, 1);
  private static final int LARGEST_PAGE = 65_536;

  @TempDir Path directory;
  private final NameTree names = new NameTree();
  private final SharedMetric shared = new SharedMetric(PMID, names, new IdMap<>());
  private final RequestState request = new RequestState(new ValueReader());
  private final List<MmvFile> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(MmvFile::close);
  }

  /** Adds a file that has the metric with one value, which is beyond the largest page. */
  private Path add(String name, int type, long value) throws Exception {
    MmvWriter writer = new MmvWriter(1).cluster(CLUSTER);
    writer.metric("m", 1, type).value(value);
    ByteBuffer small = writer.image();
    ByteBuffer image = ByteBuffer.allocate(2 * LARGEST_PAGE).order(small.order());
    image.put(0, small, 0, small.limit());
    image.put(LARGEST_PAGE, small, writer.valueAt(0), small.limit() - writer.valueAt(0));
    image.putLong(writer.tocAt(MmvWriter.VALUES) + 8, LARGEST_PAGE);
    Path path = MmvWriter.write(image, directory, name);
    MmvFile file = MmvFile.open(path);
    open.add(file);
    MmvMetric metric = file.schema().metrics().getFirst();
    Claim claim = new Claim("mmv." + name + ".m", PMID, FileName.of(name), 0);
    names.update(List.of(), List.of(claim), (_, _) -> {});
    shared.add(new MetricPart(new ServedFile(file, CLUSTER), metric, claim));
    return path;
  }

  private static void cutOff(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(LARGEST_PAGE);
    }
  }

  private List<Long> read() throws FileTruncated {
    List<Long> values = new ArrayList<>();
    shared.read(
        InstanceFilter.ALL,
        0,
        new ValueSink() {
          @Override
          public int numbers(int type, int[] instances, long[] bits, int count) {
            values.add(bits[0]);
            return count;
          }

          @Override
          public boolean text(int instance, byte[] bytes, int offset, int length) {
            throw new AssertionError();
          }

          @Override
          public void none(int status) {
            assertEquals(PmError.PMID.code(), status);
          }

          @Override
          public void clear() {
            throw new AssertionError();
          }
        },
        request);
    return values;
  }

  @Test
  void aFileThatIsCutOffIsLeftOutBeforeItIsWithdrawn() throws Exception {
    Path first = add("a", ValueType.I64, 5);
    Path second = add("b", ValueType.I64, 6);
    Path third = add("c", ValueType.U64, 7);
    assertEquals(List.of(5L), read());
    cutOff(first);
    assertEquals("a", assertThrows(FileTruncated.class, this::read).file().name());
    assertEquals(List.of(6L), read());
    assertEquals(ValueType.I64, shared.type());
    cutOff(second);
    assertEquals("b", assertThrows(FileTruncated.class, this::read).file().name());
    assertEquals(List.of(7L), read());
    assertEquals(ValueType.U64, shared.type());
    assertTrue(shared.isServed());
    cutOff(third);
    assertEquals("c", assertThrows(FileTruncated.class, this::read).file().name());
    assertFalse(shared.isServed());
    assertEquals(List.of(), read());
    assertEquals(ValueType.U64, shared.type(), "what was found stays valid");
  }
}
