package org.jmmv.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.params.provider.MethodSource;

/** Any frame is either malformed or a PDU that survives encoding and decoding. */
class PduFuzzTest {
  static List<byte[]> frames() {
    return SamplePdus.all().stream().map(SamplePdus::encode).map(ByteBufUtil::getBytes).toList();
  }

  @MethodSource("frames")
  @FuzzTest
  void isMalformedOrSurvivesARoundTrip(byte[] bytes) {
    ByteBuf frame = Unpooled.wrappedBuffer(bytes);
    if (bytes.length < Pdu.HEADER_LENGTH || PduType.of(frame.getInt(4)) == null) {
      return; // PduDecoder handles these frames.
    }
    Pdu pdu;
    try {
      pdu = SamplePdus.decode(frame);
    } catch (MalformedPduException e) {
      assertTrue(e.getMessage().matches("[ -~]+ at offset \\d+"), e.getMessage());
      return;
    }
    assertRoundTrip(pdu);
  }

  private static void assertRoundTrip(Pdu pdu) {
    ByteBuf encoded = SamplePdus.encode(pdu);
    try {
      Pdu again = SamplePdus.decode(encoded);
      assertEquals(pdu, again);
      assertEquals(pdu.toString(), again.toString()); // toString is used in log messages
      assertEquals(encoded, SamplePdus.encode(again));
    } catch (MalformedPduException e) {
      throw new AssertionError(pdu.toString(), e);
    }
  }
}
