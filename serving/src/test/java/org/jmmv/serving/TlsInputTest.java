package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jmmv.core.LongestStep;
import org.jmmv.pcp.User;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A handler that keeps the pieces stands for the one that decrypts. */
class TlsInputTest {
  private static final int PIECE = 4096;
  private static final int HANDSHAKE_HEAP = 14;

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final EmbeddedChannel turns = new EmbeddedChannel(); // runs them when a test says so
  private final Scheduler scheduler = new Scheduler(turns.eventLoop(), () -> 0, new LongestStep(0));
  private final FlowControl flow = new FlowControl(() -> 0, scheduler, User.of(1), null);
  private final TlsInput tls = new TlsInput(flow);
  private final List<ByteBuf> pieces = new ArrayList<>();
  private ChannelHandlerContext decrypting;

  @BeforeEach
  void addHandlers() {
    channel
        .pipeline()
        .addLast(
            tls,
            new ChannelInboundHandlerAdapter() {
              @Override
              public void handlerAdded(ChannelHandlerContext ctx) {
                decrypting = ctx;
              }

              @Override
              public void channelRead(ChannelHandlerContext ctx, Object piece) {
                pieces.add((ByteBuf) piece);
              }
            },
            flow);
    flow.startTls(tls);
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    pieces.forEach(ByteBuf::release);
  }

  /** Has the channel read bytes, without a turn. */
  private void read(byte... bytes) {
    channel.pipeline().fireChannelRead(Unpooled.wrappedBuffer(bytes)).fireChannelReadComplete();
  }

  private void giveTurns() {
    while (scheduler.doRequestsWait()) {
      turns.runPendingTasks();
    }
  }

  @Test
  void whatWasReadIsDecryptedInTurnsAndInSmallPieces() {
    byte[] bytes = new byte[2 * PIECE + 5];
    IntStream.range(0, bytes.length).forEach(i -> bytes[i] = (byte) (i / 7));
    read(bytes);
    read((byte) 42);
    assertEquals(List.of(), pieces);
    giveTurns();
    assertEquals(List.of(PIECE, PIECE, 6), pieces.stream().map(ByteBuf::readableBytes).toList());
    ByteBuf all = Unpooled.wrappedBuffer(pieces.toArray(ByteBuf[]::new));
    assertEquals(Unpooled.wrappedBuffer(bytes, new byte[] {42}), all);
  }

  /** Messages of a handshake take more in the heap than on the wire. */
  @Test
  void untilTheHandshakeEndsWhatWasDecryptedIsCountedManyTimes() {
    read(new byte[PIECE + 10]);
    assertEquals(PIECE + 10, tls.bytes());
    tls.decrypt();
    assertEquals(10 + HANDSHAKE_HEAP * PIECE, tls.bytes());
    tls.endHandshake();
    assertEquals(10, tls.bytes());
    tls.decrypt();
    assertEquals(0, tls.bytes());
  }

  /** A handler that decrypts asks for more at the end of each piece. */
  @Test
  void theSocketIsNotReadWhileFlowControlForbidsIt() {
    AtomicInteger reads = new AtomicInteger();
    channel
        .pipeline()
        .addFirst(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void read(ChannelHandlerContext ctx) {
                reads.incrementAndGet();
              }
            });
    channel.config().setAutoRead(false);
    decrypting.read();
    assertEquals(0, reads.get());
    channel.config().setAutoRead(true); // reads
    decrypting.read();
    assertEquals(2, reads.get());
  }

  @Test
  void aConnectionThatEndsReleasesWhatWaits() {
    ByteBuf bytes = Unpooled.buffer().writeZero(PIECE + 1);
    channel.pipeline().fireChannelRead(bytes).fireChannelReadComplete();
    tls.decrypt();
    channel.close();
    pieces.removeFirst().release();
    assertEquals(0, bytes.refCnt());
    assertTrue(pieces.isEmpty());
  }
}
