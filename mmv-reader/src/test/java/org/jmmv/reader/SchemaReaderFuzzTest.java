package org.jmmv.reader;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;
import org.jmmv.testkit.SeedFiles;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a file holds, it is refused, or read to a schema whose every promise holds. */
class SchemaReaderFuzzTest {
  static Collection<byte[]> files() {
    return SeedFiles.all().values();
  }

  @MethodSource("files")
  @FuzzTest
  void anyBytesAreReadOrRefused(byte[] bytes) {
    if (bytes.length < MmvLayout.HEADER_SIZE) {
      return; // MmvFileReader refuses such a file
    }
    ByteBuffer image = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    MmvFile file = SchemaReaderMutationTest.open(image);
    if (file != null) {
      SchemaReaderMutationTest.assertSound(file, bytes.length);
    }
  }
}
