package org.jmmv.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.pcp.PmError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The handlers together, as an agent and as its client use them. */
class PduPipelineTest {
  private static final int MAX_REQUEST = 4 << 20;

  private boolean tracing;
  private final List<String> traces = new ArrayList<>();
  private final PduTrace trace = new PduTrace(() -> tracing, traces::add);
  private final List<Object> messages = new ArrayList<>();

  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new PduDecoder(MAX_REQUEST, trace),
          new PduEncoder(trace),
          new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
              messages.add(message);
            }
          });

  @AfterEach
  void nothingIsLeft() {
    assertFalse(channel.finish());
  }

  @Test
  void everyPduGoesOutAndComesIn() {
    Map<Pdu, ByteBuf> sent = new HashMap<>();
    for (Pdu pdu : SamplePdus.all()) {
      channel.writeOutbound(pdu);
      ByteBuf encoded = channel.readOutbound();
      sent.put(pdu, encoded);
      channel.writeInbound(encoded);
      assertEquals(pdu, messages.removeFirst());
    }
    channel.finish();
    sent.forEach((pdu, encoded) -> assertEquals(0, encoded.refCnt(), pdu::toString));
  }

  @Test
  void aPduThatWaitsIsNotOverwrittenByTheNext() {
    List<Pdu> pdus =
        List.of(
            new PduError(0, 1),
            new Text(0, 1, "long".repeat(2000)),
            new PduError(0, 2),
            new PduError(0, 3));
    channel.writeOutbound(pdus.toArray());
    for (Pdu ignored : pdus) {
      channel.writeInbound(channel.<ByteBuf>readOutbound());
    }
    assertEquals(pdus, messages);
  }

  @Test
  void theMemoryOfALargePduIsReleasedWhenItHasBeenSent() {
    channel.writeOutbound(new Text(0, 1, "long".repeat(2000)));
    ByteBuf large = channel.readOutbound();
    assertEquals(1, large.refCnt());
    large.release();
  }

  @Test
  void shortPdusShareABuffer() {
    channel.writeOutbound(new PduError(0, 1));
    ByteBuf first = channel.readOutbound();
    first.release();
    channel.writeOutbound(new PduError(0, 2));
    assertSame(first, channel.<ByteBuf>readOutbound());
    first.release();
  }

  /** Buffers of at most 4 KiB, as if direct memory was exhausted. */
  private static final class LittleMemory extends AbstractByteBufAllocator {
    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      return newHeapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity) {
        @Override
        public ByteBuf capacity(int newCapacity) {
          if (newCapacity > 4096) {
            throw new OutOfMemoryError();
          }
          return super.capacity(newCapacity);
        }
      };
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }

  @Test
  void aPduForWhichThereIsNoMemoryIsReplacedByAnError() {
    channel.config().setAllocator(new LittleMemory());
    channel.writeOutbound(new Text(0, 1, "long".repeat(2000)), new PduError(0, 2));
    channel.writeInbound(channel.<ByteBuf>readOutbound());
    channel.writeInbound(channel.<ByteBuf>readOutbound());
    assertEquals(List.of(new PduError(0, PmError.GENERIC.code()), new PduError(0, 2)), messages);
  }

  @Test
  void aRequestIsReleasedAlsoWhenTheHandlerFails() {
    EmbeddedChannel failing =
        new EmbeddedChannel(
            new PduDecoder(MAX_REQUEST, trace),
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext ctx, Object message) {
                throw new IllegalStateException();
              }

              @Override
              public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                messages.add(cause.getClass());
              }
            });
    ByteBuf request = SamplePdus.encode(Fetch.of(1, 2, 3));
    failing.writeInbound(request);
    assertEquals(List.of(IllegalStateException.class), messages);
    assertEquals(0, request.refCnt());
  }

  @Test
  void aMalformedPduIsAMessageAndTheStreamGoesOn() {
    channel.writeInbound(
        Unpooled.copyInt(20, 0x7004, 5, 1, 2), SamplePdus.encode(new DescReq(5, 1)));
    assertEquals(
        List.of(
            new MalformedPdu(5, PduType.DESC_REQ, "4 bytes too many at offset 16"),
            new DescReq(5, 1)),
        messages);
  }

  @Test
  void anUnknownPduIsAMessageAndTheStreamGoesOn() {
    channel.writeInbound(
        Unpooled.copyInt(16, 0x7018, 5, 1),
        Unpooled.copyInt(12, 0x700b, 6),
        Unpooled.copyInt(12, -1, 7),
        SamplePdus.encode(new DescReq(5, 1)));
    assertEquals(
        List.of(
            new UnknownPdu(5, 0x7018, 16),
            new UnknownPdu(6, 0x700b, 12),
            new UnknownPdu(7, -1, 12),
            new DescReq(5, 1)),
        messages);
  }

  @Test
  void whatIsEncodedAlreadyPasses() {
    ByteBuf reply = SamplePdus.encode(new PduError(0, 0));
    channel.writeOutbound(reply);
    assertSame(reply, channel.readOutbound());
    assertEquals(1, reply.refCnt());
    reply.release();
  }

  @Test
  void theTraceShowsBothDirectionsWhileEnabled() {
    channel.writeInbound(SamplePdus.encode(new DescReq(5, 1)));
    tracing = true;
    channel.writeInbound(SamplePdus.encode(new DescReq(5, 0x11800402)));
    channel.writeOutbound(new PduError(0, PmError.PMID.code()));
    channel.<ByteBuf>readOutbound().release();
    assertEquals(
        List.of(
            "recv DESC_REQ len=16 from=5\n0: 00000010 00007004 00000005 11800402",
            "xmit ERROR len=16 from=0\n0: 00000010 00007000 00000000 ffffcfba"),
        traces);
  }
}
