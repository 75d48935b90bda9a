package org.jmmv.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PduTraceTest {

  @Test
  void showsEightWordsALine() {
    assertEquals(
        """
        FETCH len=40 from=2
        0: 00000028 00007003 00000002 00000002 00000000 00000000 00000003 00000001
        8: 00000002 00000003\
        """,
        PduTrace.dump(SamplePdus.encode(Fetch.of(2, 2, 1, 2, 3))));
  }

  @Test
  void fillsTheLastWordWithPadding() {
    ByteBuf frame = SamplePdus.encode(new Attr(2, 1, ""));
    assertEquals(
        "ATTR len=17 from=2\n0: 00000011 00007011 00000002 00000001 007e7e7e",
        PduTrace.dump(frame));
    assertEquals(0, frame.readerIndex());
  }

  @Test
  void showsTheCodeOfAnUnknownType() {
    assertEquals(
        "TYPE-0x7018? len=12 from=0\n0: 0000000c 00007018 00000000",
        PduTrace.dump(Unpooled.copyInt(12, 0x7018, 0)));
  }

  @Test
  void cutsLongPdus() {
    String dump =
        PduTrace.dump(SamplePdus.encode(Fetch.of(2, 2, IntStream.range(0, 5000).toArray())));
    assertTrue(dump.endsWith("\n... 15932 bytes more"), dump.substring(dump.length() - 100));
    assertEquals(1 + 1024 / 8 + 1, dump.lines().count());
  }
}
