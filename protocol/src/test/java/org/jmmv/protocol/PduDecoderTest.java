package org.jmmv.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PduDecoderTest {
  private static final int MAX_REQUEST = 4 << 20;

  private static final Fetch FETCH = Fetch.of(1, 1, 2, 3);

  /** The third PDU must not take its missing body from the fourth. */
  private static final ByteBuf STREAM =
      Unpooled.wrappedBuffer(
          SamplePdus.encode(Profile.all(1, 1)),
          SamplePdus.encode(FETCH),
          Unpooled.copyInt(12, 0x7000, 0),
          SamplePdus.encode(new Attr(1, 2, "odd length")));

  private static final List<Object> MESSAGES =
      List.of(
          Profile.all(1, 1),
          FETCH,
          new MalformedPdu(0, PduType.ERROR, "code missing at offset 12"),
          new Attr(1, 2, "odd length"));

  private final EmbeddedChannel channel = channel(100);

  private static EmbeddedChannel channel(int maxLength) {
    PduTrace noTrace = new PduTrace(() -> false, text -> {});
    return new EmbeddedChannel(new PduDecoder(maxLength, noTrace));
  }

  private List<Object> messages() {
    List<Object> messages = new ArrayList<>(channel.inboundMessages());
    channel.inboundMessages().clear();
    return messages;
  }

  @Test
  void pdusThatComeTogetherAreTakenApart() {
    ByteBuf stream = STREAM.copy();
    channel.writeInbound(stream);
    assertEquals(MESSAGES, messages());
    assertEquals(0, stream.refCnt());
  }

  @Test
  void pdusMayBeSplitAnywhere() {
    for (int split = 0; split <= STREAM.readableBytes(); split++) {
      ByteBuf stream = STREAM.copy();
      ByteBuf head = stream.readRetainedSlice(split);
      channel.writeInbound(head, stream);
      assertEquals(MESSAGES, messages(), "split at " + split);
      assertEquals(0, stream.refCnt());
    }
  }

  @Test
  void pdusMayComeByteByByte() {
    for (int i = 0; i < STREAM.readableBytes(); i++) {
      channel.writeInbound(STREAM.copy(i, 1));
    }
    assertEquals(MESSAGES, messages());
  }

  @Test
  void aPduOfTheLimitPassesInSmallPieces() {
    Text text = new Text(0, 1, "x".repeat(MAX_REQUEST - 20));
    ByteBuf stream = SamplePdus.encode(text);
    EmbeddedChannel large = channel(MAX_REQUEST);
    UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);
    large.config().setAllocator(memory);
    while (stream.readableBytes() > 1020) {
      large.writeInbound(stream.readBytes(1020));
      assertNull(large.readInbound());
    }
    assertTrue(memory.metric().usedHeapMemory() <= 2 * MAX_REQUEST, memory::toString);
    large.writeInbound(stream);
    assertEquals(text, large.readInbound());
    assertFalse(large.finish());
    assertEquals(0, memory.metric().usedHeapMemory());
  }

  @ParameterizedTest
  @ValueSource(ints = {11, 0, -1, Integer.MIN_VALUE, 101, Integer.MAX_VALUE, 0x47455420})
  void aBadLengthEndsTheStreamAfterWhatCameBefore(int length) {
    ByteBuf good = SamplePdus.encode(FETCH);
    ByteBuf bad = Unpooled.wrappedBuffer(good, Unpooled.copyInt(length), STREAM.copy());
    CorruptedFrameException e =
        assertThrows(CorruptedFrameException.class, () -> channel.writeInbound(bad));
    assertEquals("PDU length " + length + " is not within 12 to 100", e.getMessage());
    assertEquals(List.of(FETCH), messages());
    assertEquals(0, bad.refCnt());

    ByteBuf later = STREAM.copy();
    channel.writeInbound(later);
    assertEquals(List.of(), messages());
    assertEquals(0, later.refCnt());
    assertFalse(channel.finish());
  }

  @Test
  void aBadLengthIsFoundWithItsFourthByte() {
    channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {0, 0, 0}));
    assertThrows(
        CorruptedFrameException.class,
        () -> channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {11})));
  }

  @Test
  void thePartOfAPduBeforeTheEndOfTheStreamIsReleased() {
    ByteBuf part = STREAM.copy(0, 20);
    channel.writeInbound(part);
    assertFalse(channel.finish());
    assertEquals(0, part.refCnt());
  }
}
