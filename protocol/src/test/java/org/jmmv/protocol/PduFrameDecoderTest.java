package org.jmmv.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PduFrameDecoderTest {

  private static final List<ByteBuf> FRAMES =
      List.of(
          SamplePdus.encode(Profile.all(1, 1)),
          SamplePdus.encode(Fetch.of(1, 1, 2, 3)),
          Unpooled.copyInt(12, 0x7000, 0),
          SamplePdus.encode(new Attr(1, 2, "odd length")));

  private static final ByteBuf STREAM = Unpooled.wrappedBuffer(FRAMES.toArray(ByteBuf[]::new));

  private final EmbeddedChannel channel =
      new EmbeddedChannel(new PduFrameDecoder(100, Long.MAX_VALUE));

  /** Copies of the frames, which are released. */
  private List<ByteBuf> frames() {
    List<ByteBuf> frames = new ArrayList<>();
    for (ByteBuf frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
      frames.add(Unpooled.copiedBuffer(frame));
      frame.release();
    }
    return frames;
  }

  @Test
  void pdusThatComeTogetherAreTakenApart() {
    ByteBuf stream = STREAM.copy();
    channel.writeInbound(stream);
    assertEquals(FRAMES, frames());
    assertEquals(0, stream.refCnt());
  }

  @Test
  void pdusMayBeSplitAnywhere() {
    for (int split = 0; split <= STREAM.readableBytes(); split++) {
      ByteBuf stream = STREAM.copy();
      ByteBuf head = stream.readRetainedSlice(split);
      channel.writeInbound(head, stream);
      assertEquals(FRAMES, frames(), "split at " + split);
      assertEquals(0, stream.refCnt());
    }
  }

  @Test
  void pdusMayComeByteByByte() {
    for (int i = 0; i < STREAM.readableBytes(); i++) {
      channel.writeInbound(STREAM.copy(i, 1));
    }
    assertEquals(FRAMES, frames());
  }

  @Test
  void aPduOfTheLimitPassesInSmallPieces() {
    EmbeddedChannel large =
        new EmbeddedChannel(new PduFrameDecoder(PduPipeline.MAX_REQUEST, Long.MAX_VALUE));
    large.writeInbound(Unpooled.copyInt(PduPipeline.MAX_REQUEST));
    for (int sent = 4; sent < PduPipeline.MAX_REQUEST; sent += 1020) {
      assertNull(large.readInbound());
      large.writeInbound(
          Unpooled.buffer().writeZero(Math.min(1020, PduPipeline.MAX_REQUEST - sent)));
    }
    ByteBuf frame = large.readInbound();
    assertEquals(PduPipeline.MAX_REQUEST, frame.readableBytes());
    assertTrue(frame.unwrap().capacity() <= 2 * PduPipeline.MAX_REQUEST, "capacity");
    assertTrue(frame.release());
    assertFalse(large.finish());
  }

  @ParameterizedTest
  @ValueSource(ints = {11, 0, -1, Integer.MIN_VALUE, 101, Integer.MAX_VALUE, 0x47455420})
  void aBadLengthEndsTheStreamAfterWhatCameBefore(int length) {
    ByteBuf good = FRAMES.getFirst();
    ByteBuf bad = Unpooled.wrappedBuffer(good.copy(), Unpooled.copyInt(length), STREAM.copy());
    CorruptedFrameException e =
        assertThrows(CorruptedFrameException.class, () -> channel.writeInbound(bad));
    assertEquals("PDU length " + length + " is not within 12 to 100", e.getMessage());
    assertEquals(List.of(good), frames());
    assertEquals(0, bad.refCnt());

    ByteBuf later = STREAM.copy();
    channel.writeInbound(later);
    assertEquals(List.of(), frames());
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
