package org.jmmv.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jmmv.core.LogCapture;
import org.jmmv.core.LongestStep;
import org.jmmv.pcp.User;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FlowControlTest {
  private static final int FULL = 100_000; // bytes: more than a writable channel has
  private static final User USER = User.of(1);

  /** Decodes numbers of four bytes. */
  private static final class Numbers extends ByteToMessageDecoder {
    Numbers() {
      setSingleDecode(true);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      if (in.readableBytes() >= 4) {
        out.add(in.readInt());
      }
    }

    int undecodedBytes() {
      return actualReadableBytes();
    }
  }

  private final List<Object> received = new ArrayList<>();
  private final Numbers decoder = new Numbers();
  private Consumer<ChannelHandlerContext> reply = _ -> {};
  private int reads; // that are complete

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final Scheduler scheduler =
      new Scheduler(channel.eventLoop(), () -> 0, new LongestStep(0));
  private final FlowControl flow = new FlowControl(decoder::undecodedBytes, scheduler, USER, null);

  @BeforeEach
  void addHandlers() {
    channel
        .pipeline()
        .addLast(
            flow,
            decoder,
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext ctx, Object number) {
                received.add(number);
                reply.accept(ctx);
              }

              @Override
              public void channelReadComplete(ChannelHandlerContext ctx) {
                reads++;
              }
            });
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  /** Passes bytes to the channel, and gives it turns until none is left. */
  private void receive(ByteBuf bytes) {
    channel.writeInbound(bytes);
    giveTurns();
  }

  private void giveTurns() {
    while (channel.runScheduledPendingTasks() >= 0) {
      Thread.onSpinWait();
    }
  }

  /** Takes the replies that were written, and lets the channel go on. */
  private void takeReplies() {
    channel.flush();
    giveTurns();
    channel.releaseOutbound();
  }

  @Test
  void messagesOfOneReadAreDecodedInTheirOrder() {
    receive(Unpooled.copyInt(1, 2, 3));
    assertEquals(List.of(1, 2, 3), received);
    assertEquals(1, reads);
  }

  /** A peer that ends its side of TLS need not end the stream, but awaits its replies. */
  @Test
  void theEndOfTlsEndsTheConnectionAfterTheReplies() {
    reply = ctx -> ctx.write(Unpooled.buffer().writeZero(FULL));
    channel.writeInbound(Unpooled.copyInt(1, 2));
    channel.pipeline().fireUserEventTriggered(SslCloseCompletionEvent.SUCCESS);
    giveTurns();
    assertTrue(channel.isActive());
    takeReplies();
    takeReplies();
    assertEquals(List.of(1, 2), received);
    assertFalse(channel.isActive());
  }

  @Test
  void messagesMayBeSplitAnywhere() {
    ByteBuf bytes = Unpooled.copyInt(1, 2, 3);
    while (bytes.isReadable()) {
      receive(bytes.readBytes(Math.min(5, bytes.readableBytes())));
      assertTrue(channel.config().isAutoRead());
    }
    bytes.release();
    assertEquals(List.of(1, 2, 3), received);
  }

  @Test
  void messagesWaitUntilThePeerHasTakenTheReplies() {
    reply = ctx -> ctx.write(Unpooled.buffer().writeZero(FULL));
    receive(Unpooled.copyInt(1, 2, 3));
    receive(Unpooled.copyInt(4)); // as TLS does with several records of one read
    for (int number = 1; number <= 3; number++) {
      assertEquals(number, received.size());
      assertFalse(channel.config().isAutoRead());
      takeReplies();
    }
    takeReplies();
    assertEquals(List.of(1, 2, 3, 4), received);
    assertTrue(channel.config().isAutoRead());
  }

  @Test
  void afterAMillisecondTheNextMessageWaitsForItsTurn() {
    reply = _ -> LockSupport.parkNanos(2_000_000);
    receive(Unpooled.copyInt(1, 2, 3));
    assertEquals(List.of(1, 2, 3), received);
    assertTrue(reads >= 3, reads + " reads");
  }

  @Test
  void usersTakeTurnsWhateverTheNumberOfTheirConnections() {
    List<Integer> order = new ArrayList<>();
    EmbeddedChannel other = new EmbeddedChannel();
    Numbers otherDecoder = new Numbers();
    other
        .pipeline()
        .addLast(
            new FlowControl(otherDecoder::undecodedBytes, scheduler, User.of(2), null),
            otherDecoder,
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext ctx, Object number) {
                order.add((Integer) number);
              }
            });
    reply =
        _ -> {
          order.add((Integer) received.getLast());
          if (received.size() == 1) {
            other.pipeline().fireChannelRead(Unpooled.copyInt(4)).fireChannelReadComplete();
          }
          LockSupport.parkNanos(2_000_000);
        };
    receive(Unpooled.copyInt(1, 2, 3));
    assertEquals(List.of(1, 4, 2, 3), order);
    other.finishAndReleaseAll();
  }

  @Test
  void nothingIsReadWhileAConnectionWaitsForItsTurn() {
    List<Boolean> autoReads = new ArrayList<>();
    reply =
        _ -> {
          autoReads.add(channel.config().isAutoRead());
          LockSupport.parkNanos(2_000_000);
        };
    receive(Unpooled.copyInt(1, 2, 3));
    assertEquals(List.of(true, false, false), autoReads);
    assertTrue(channel.config().isAutoRead());
  }

  @Test
  void aConnectionThatHasEndedKeepsNothing() {
    LogCapture log = new LogCapture();
    Timeouts timeouts = new Timeouts(channel, new Accounts(1_000, Runnable::run), USER);
    channel
        .pipeline()
        .replace(flow, "flow", new FlowControl(decoder::undecodedBytes, scheduler, USER, timeouts));
    reply = ChannelHandlerContext::close;
    receive(Unpooled.copyInt(1));
    assertFalse(channel.isOpen());
    assertEquals(List.of(), log.messages());
    log.close();
  }

  /** A client that reads nothing must not keep 64 KiB that nobody counts. */
  @Test
  void whatWaitsToBeWrittenIsCountedFromTheFirstByte() {
    Accounts accounts = new Accounts(1_000, Runnable::run);
    Timeouts timeouts = new Timeouts(channel, accounts, USER);
    channel
        .pipeline()
        .replace(flow, "flow", new FlowControl(decoder::undecodedBytes, scheduler, USER, timeouts));
    reply = ctx -> ctx.write(Unpooled.buffer().writeZero(1_001));
    receive(Unpooled.copyInt(1));
    assertFalse(channel.isOpen());
  }

  @Test
  void connectionsWithTlsAreBoundedByWhatIsKeptForThem() {
    Accounts accounts = new Accounts(10 * FlowControl.TLS_STATE, Runnable::run);
    List<EmbeddedChannel> channels = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      EmbeddedChannel idle = new EmbeddedChannel();
      FlowControl plain =
          new FlowControl(() -> 0, scheduler, USER, new Timeouts(idle, accounts, USER));
      TlsInput tls = new TlsInput(plain);
      idle.pipeline().addLast(tls, plain);
      channels.add(idle);
      assertTrue(idle.isOpen());
      plain.startTls(tls);
      plain.awaitTurn();
    }
    assertEquals(10, channels.stream().filter(EmbeddedChannel::isOpen).count());
    channels.forEach(EmbeddedChannel::finishAndReleaseAll);
  }

  /** Keeps the last write, as a socket does whose buffer is full. */
  private static final class FullSocket extends ChannelOutboundHandlerAdapter {
    private ChannelPromise last;

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      ((ByteBuf) message).release();
      last = promise;
    }
  }

  @Test
  void nothingIsReadBeforeTheRepliesHaveBeenWritten() {
    FullSocket socket = new FullSocket();
    channel.pipeline().addFirst(socket);
    reply = ctx -> ctx.writeAndFlush(Unpooled.copyInt(1));
    receive(Unpooled.copyInt(1));
    assertFalse(channel.config().isAutoRead());
    socket.last.setSuccess();
    assertTrue(channel.config().isAutoRead());
    assertNull(flow.failure());
  }

  @Test
  void repliesThatCanNotBeWrittenAreAFailure() {
    FullSocket socket = new FullSocket();
    channel.pipeline().addFirst(socket);
    reply = ctx -> ctx.writeAndFlush(Unpooled.copyInt(1));
    receive(Unpooled.copyInt(1));
    socket.last.setFailure(new IOException("gone"));
    assertInstanceOf(IOException.class, flow.failure());
  }

  @Test
  void aPeerThatLeavesBeforeItsFirstRequestMissesNothing() {
    FullSocket socket = new FullSocket();
    channel.pipeline().addFirst(socket);
    channel.writeAndFlush(Unpooled.copyInt(1));
    socket.last.setFailure(new IOException("gone"));
    assertNull(flow.failure());
  }
}
