package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;

/**
 * An MMV file of the layout that PCP's test 1552 writes: one metric with one instance, METRICS and
 * VALUES before INDOMS, and a STRINGS section of one entry with all strings right behind each
 * other.
 */
final class PackedFile {
  private static final int METRICS = 120; // behind the header and five entries of the TOC
  private static final int VALUES = METRICS + 48;
  private static final int INDOMS = VALUES + 32;
  private static final int INSTANCES = INDOMS + 32;
  private static final int STRINGS = INSTANCES + 24;
  private static final int STRINGS_SIZE = 1024;
  private static final int COUNT_UNITS = 1 << 20;

  private final ByteBuffer file =
      ByteBuffer.allocate(STRINGS + STRINGS_SIZE).order(ByteOrder.nativeOrder());
  private int nextString = STRINGS;

  private PackedFile() {}

  /** Returns the file. */
  static ByteBuffer image() {
    PackedFile packed = new PackedFile();
    packed.write();
    return packed.file;
  }

  private void write() {
    file.put("MMV\0".getBytes(US_ASCII)).putInt(3).putLong(1).putLong(1);
    file.putInt(5).putInt(0).putInt(5678).putInt(1234);
    toc(MmvWriter.METRICS, METRICS);
    toc(MmvWriter.VALUES, VALUES);
    toc(MmvWriter.INDOMS, INDOMS);
    toc(MmvWriter.INSTANCES, INSTANCES);
    toc(MmvWriter.STRINGS, STRINGS);
    file.putLong(string("counter"));
    file.putInt(1).putInt(ValueType.U32).putInt(Semantics.COUNTER).putInt(COUNT_UNITS);
    file.putInt(1).putInt(0).putLong(string("one line")).putLong(string("two\nlines"));
    file.putInt(42).putInt(0).putLong(0).putLong(METRICS).putLong(INSTANCES);
    file.putInt(1).putInt(1).putLong(INSTANCES);
    file.putLong(string("help of the domain")).putLong(string("more"));
    file.putLong(INDOMS).putInt(0).putInt(88).putLong(string("the only one"));
    file.rewind();
  }

  private void toc(int type, int offset) {
    file.putInt(type).putInt(1).putLong(offset);
  }

  private long string(String text) {
    int offset = nextString;
    file.put(offset, text.getBytes(US_ASCII));
    nextString += text.length() + 1;
    return offset;
  }
}
