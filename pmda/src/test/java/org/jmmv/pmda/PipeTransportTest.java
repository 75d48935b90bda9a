package org.jmmv.pmda;

import static org.jmmv.core.TestCatalog.pmid;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import org.jmmv.core.LogCapture;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.replies.ServiceTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PipeTransportTest {
  private static final int CREDS_BYTES = 20;

  @TempDir Path root;
  private final LogCapture log = new LogCapture();

  @BeforeEach
  void write() {
    Peer.writeFile(root);
  }

  @AfterEach
  void close() {
    log.close();
  }

  private boolean serve(ReadableByteChannel in, WritableByteChannel out) throws IOException {
    return new PipeTransport(in, _ -> true, out).serve(Peer.pipeline(root));
  }

  // ---------------------------------------------------------------- a peer in memory

  /** Hands over what it is given, one part for each read, and then the end. */
  private static final class Requests implements ReadableByteChannel {
    final List<ByteBuf> reads = new ArrayList<>();
    Runnable beforeRead = () -> {};

    @Override
    public int read(ByteBuffer space) {
      beforeRead.run();
      if (reads.isEmpty()) {
        return -1;
      }
      ByteBuf part = reads.getFirst();
      int count = Math.min(space.remaining(), part.readableBytes());
      part.readBytes(space.limit(space.position() + count));
      if (!part.isReadable()) {
        reads.removeFirst().release();
      }
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  /** Takes a number of bytes at most with each write. */
  private static final class Replies implements WritableByteChannel {
    final ByteBuf received = Unpooled.buffer();
    final int most;
    Runnable beforeWrite = () -> {};
    int writes;

    Replies(int most) {
      this.most = most;
    }

    @Override
    public int write(ByteBuffer buffer) {
      beforeWrite.run();
      writes++;
      int taken = Math.min(most, buffer.remaining());
      received.writeBytes(buffer.slice(buffer.position(), taken));
      buffer.position(buffer.position() + taken);
      return taken;
    }

    List<Pdu> pdus() {
      List<Pdu> pdus = new ArrayList<>();
      while (received.isReadable()) {
        pdus.add(ServiceTester.decode(received.readBytes(received.getInt(received.readerIndex()))));
      }
      return pdus;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  private final Requests requests = new Requests();

  @Test
  void eachReplyIsOneWrite() throws IOException {
    Replies replies = new Replies(Integer.MAX_VALUE);
    requests.reads.add(
        ServiceTester.encode(
            Profile.all(0, 0), Fetch.of(0, 0, pmid(1, 2)), new DescReq(0, pmid(1, 2))));
    requests.reads.add(ServiceTester.encode(new DescReq(0, pmid(1, 1))));

    assertTrue(serve(requests, replies));

    assertEquals(4, replies.writes);
    List<Pdu> pdus = replies.pdus();
    assertInstanceOf(Creds.class, pdus.get(0));
    assertEquals(
        "42", ServiceTester.text(assertInstanceOf(Result.class, pdus.get(1)).sets().get(0)));
    assertEquals(pmid(1, 2), assertInstanceOf(Desc.class, pdus.get(2)).pmid());
    assertEquals(pmid(1, 1), assertInstanceOf(Desc.class, pdus.get(3)).pmid());
    assertEquals(4, pdus.size());
  }

  @Test
  void tasksRunWhileThereIsNoInput() throws IOException {
    List<String> events = new ArrayList<>();
    ChannelInitializer<Channel> pipeline =
        new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel channel) {
            schedule(channel, 3);
          }

          private void schedule(Channel channel, int times) {
            channel
                .eventLoop()
                .schedule(
                    () -> {
                      events.add("task");
                      if (times > 1) {
                        schedule(channel, times - 1);
                      }
                    },
                    1,
                    TimeUnit.MILLISECONDS);
          }
        };
    requests.beforeRead = () -> events.add("read");
    IntPredicate awaitInput =
        milliseconds -> {
          assertTrue(milliseconds >= 1 && milliseconds <= 2, milliseconds + " ms");
          LockSupport.parkNanos(milliseconds * 1_000_000L);
          return events.size() == 2;
        };

    assertTrue(
        new PipeTransport(requests, awaitInput, new Replies(Integer.MAX_VALUE)).serve(pipeline));
    assertEquals(List.of("task", "task", "read"), events.subList(0, 3));
  }

  @Test
  void staysAwakeAfterManyRequestsInARow() throws IOException {
    for (int i = 0; i < 200; i++) {
      requests.reads.add(ServiceTester.encode(new DescReq(0, pmid(1, 2))));
    }
    AtomicInteger looks = new AtomicInteger();
    List<Integer> looksUntilRead = new ArrayList<>();
    requests.beforeRead = () -> looksUntilRead.add(looks.get());
    IntPredicate awaitInput = milliseconds -> milliseconds > 0 || looks.incrementAndGet() < 0;
    Replies replies = new Replies(Integer.MAX_VALUE);

    assertTrue(new PipeTransport(requests, awaitInput, replies).serve(Peer.pipeline(root)));

    assertEquals(201, replies.pdus().size());
    assertEquals(Collections.nCopies(8, 0), looksUntilRead.subList(0, 8));
    assertEquals(Runtime.getRuntime().availableProcessors() > 1, looks.get() > 0);
  }

  @Test
  void aRequestLargerThanAReadIsAnswered() throws IOException {
    Replies replies = new Replies(Integer.MAX_VALUE);
    int[] pmids = new int[100_000];
    Arrays.fill(pmids, pmid(1, 2));
    requests.reads.add(ServiceTester.encode(Fetch.of(0, 0, pmids), new DescReq(0, pmid(1, 2))));

    assertTrue(serve(requests, replies));

    List<Pdu> pdus = replies.pdus();
    assertEquals(pmids.length, assertInstanceOf(Result.class, pdus.get(1)).sets().size());
    assertInstanceOf(Desc.class, pdus.get(2));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 65_536})
  void repliesAreWholeEvenIfFewBytesAreTakenAtATime(int most) throws IOException {
    Replies replies = new Replies(most);
    requests.reads.add(
        ServiceTester.encode(Fetch.of(0, 0, pmid(1, 1)), new DescReq(0, pmid(1, 2))));

    assertTrue(serve(requests, replies));

    List<Pdu> pdus = replies.pdus();
    List<String> values =
        List.of(ServiceTester.text(((Result) pdus.get(1)).sets().getFirst()).split(" "));
    assertEquals(Peer.INSTANCES, values.size());
    assertEquals("999=999", values.getLast());
    assertInstanceOf(Desc.class, pdus.get(2));
  }

  @Test
  void nothingIsReadBeforeAllRepliesHaveBeenTaken() throws IOException {
    Replies replies = new Replies(100);
    ByteBuf request = ServiceTester.encode(Fetch.of(0, 0, pmid(1, 1)));
    List<Integer> receivedBeforeRead = new ArrayList<>();
    requests.beforeRead = () -> receivedBeforeRead.add(replies.received.readableBytes());
    for (int i = 0; i < 3; i++) {
      requests.reads.add(request.copy());
    }
    request.release();

    assertTrue(serve(requests, replies));

    assertEquals(
        List.of(
            CREDS_BYTES,
            CREDS_BYTES + Peer.REPLY_BYTES,
            CREDS_BYTES + 2 * Peer.REPLY_BYTES,
            CREDS_BYTES + 3 * Peer.REPLY_BYTES),
        receivedBeforeRead);
  }

  @Test
  void aFloodOfRequestsInOneReadDoesNotPileUpReplies() throws IOException {
    Replies replies = new Replies(Integer.MAX_VALUE);
    ByteBuf flood = Unpooled.buffer();
    int count = 2000; // 64 KB, with 40 MB of replies
    for (int i = 0; i < count; i++) {
      Fetch.of(0, 0, pmid(1, 1)).encode(flood);
    }
    requests.reads.add(flood);
    AtomicReference<Channel> served = new AtomicReference<>();
    ChannelInitializer<Channel> pipeline =
        new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel channel) {
            served.set(channel);
            channel.pipeline().addLast(Peer.pipeline(root));
          }
        };
    AtomicLong waiting = new AtomicLong(); // the most bytes in the outbound buffer
    replies.beforeWrite =
        () -> {
          long bytes = served.get().unsafe().outboundBuffer().totalPendingWriteBytes();
          waiting.accumulateAndGet(bytes, Math::max);
        };

    assertTrue(new PipeTransport(requests, _ -> true, replies).serve(pipeline));

    assertEquals(CREDS_BYTES + (long) count * Peer.REPLY_BYTES, replies.received.readableBytes());
    assertTrue(waiting.get() <= (64 << 10) + 2 * Peer.REPLY_BYTES, waiting + " bytes waited");
  }

  /**
   * For example, a task that forgets a profile must not run before a later fetch of the same read.
   */
  @Test
  void whatAHandlerExecutesRunsAfterTheReadAndEndsNothing() throws IOException {
    requests.reads.add(ServiceTester.encode(new DescReq(0, pmid(1, 2))));
    requests.reads.add(ServiceTester.encode(new DescReq(0, pmid(1, 2))));
    Replies replies = new Replies(Integer.MAX_VALUE);
    List<String> events = new ArrayList<>();
    ChannelInboundHandlerAdapter handler =
        new ChannelInboundHandlerAdapter() {
          @Override
          public void channelRead(ChannelHandlerContext ctx, Object read) {
            ctx.executor()
                .execute(() -> {
                  events.add("task");
                  throw new IllegalStateException("of a task");
                });
            ctx.writeAndFlush(read);
            events.add("read");
          }
        };

    ChannelInitializer<Channel> pipeline =
        new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel channel) {
            channel.pipeline().addLast(handler);
          }
        };
    assertTrue(new PipeTransport(requests, _ -> true, replies).serve(pipeline));

    assertEquals(List.of("read", "task", "read", "task"), events);
    assertEquals(2, log.failures().size());
  }

  @Test
  void aBadLengthEndsItAfterTheRepliesBeforeIt() throws IOException {
    Replies replies = new Replies(Integer.MAX_VALUE);
    ByteBuf good = ServiceTester.encode(Fetch.of(0, 0, pmid(1, 2)));
    requests.reads.add(Unpooled.wrappedBuffer(good, Unpooled.copyInt(3, 0x7003, 0)));
    requests.reads.add(ServiceTester.encode(new DescReq(0, pmid(1, 2))));

    assertFalse(serve(requests, replies));

    List<Pdu> pdus = replies.pdus();
    assertEquals(2, pdus.size());
    assertInstanceOf(Result.class, pdus.get(1));
    assertEquals(1, requests.reads.size(), "what came later is not read");
  }

  // ---------------------------------------------------------------- pipes

  @Test
  void servesAPipeUntilItsEnd() throws Exception {
    Pipe there = Pipe.open();
    Pipe back = Pipe.open();
    CompletableFuture<Boolean> end = Peer.start(() -> serve(there.source(), back.sink()));

    assertInstanceOf(Creds.class, Peer.receive(back.source()));
    Peer.send(there.sink(), Creds.version2(1), Profile.all(0, 0), Fetch.of(0, 0, pmid(1, 2)));
    Result result = assertInstanceOf(Result.class, Peer.receive(back.source()));
    assertEquals("42", ServiceTester.text(result.sets().getFirst()));
    assertFalse(end.isDone());
    there.sink().close();

    assertTrue(end.get());
    back.source().close();
  }

  @Test
  void aPeerThatReadsOnlyWhenItIsStoppedGetsAllReplies() throws Exception {
    Pipe there = Pipe.open();
    Pipe back = Pipe.open();
    CompletableFuture<Boolean> end = Peer.start(() -> serve(there.source(), back.sink()));
    byte[] request = new byte[32];
    ServiceTester.encode(Fetch.of(0, 0, pmid(1, 1))).readBytes(request);
    int count = 10_000; // 320 KB, with 200 MB of replies

    CompletableFuture<Boolean> flood =
        Peer.start(() -> {
          for (int i = 0; i < count; i++) {
            ByteBuffer bytes = ByteBuffer.wrap(request);
            while (bytes.hasRemaining()) {
              there.sink().write(bytes);
            }
          }
          there.sink().close();
          return true;
        });

    assertInstanceOf(Creds.class, Peer.receive(back.source()));
    var replies = Channels.newInputStream(back.source());
    byte[] first = replies.readNBytes(Peer.REPLY_BYTES);
    for (int i = 1; i < count; i++) {
      byte[] next = replies.readNBytes(Peer.REPLY_BYTES);
      assertArrayEquals(first, next);
    }
    assertTrue(flood.get());
    assertTrue(end.get());
  }

  @Test
  void aPipeThatNobodyReadsFromAnyMoreIsAnError() throws Exception {
    Pipe there = Pipe.open();
    Pipe back = Pipe.open();
    CompletableFuture<Boolean> end = Peer.start(() -> serve(there.source(), back.sink()));
    assertInstanceOf(Creds.class, Peer.receive(back.source()));
    back.source().close();

    Peer.send(there.sink(), new DescReq(0, pmid(1, 2)));

    CompletionException failure = assertThrows(CompletionException.class, end::join);
    assertInstanceOf(IOException.class, failure.getCause());
  }

  @Test
  void closingItEndsItWhileItWaitsForInput() throws Exception {
    Pipe there = Pipe.open();
    Pipe back = Pipe.open();
    PipeTransport transport = new PipeTransport(there.source(), _ -> true, back.sink());
    CompletableFuture<Boolean> end = Peer.start(() -> transport.serve(Peer.pipeline(root)));
    assertInstanceOf(Creds.class, Peer.receive(back.source()));

    transport.close();

    assertTrue(end.get());
  }

  @Test
  void closingItEndsItWhileThePeerReadsNoReplies() throws Exception {
    Pipe there = Pipe.open();
    Pipe back = Pipe.open();
    PipeTransport transport = new PipeTransport(there.source(), _ -> true, back.sink());
    CompletableFuture<Boolean> end = Peer.start(() -> transport.serve(Peer.pipeline(root)));
    Pdu[] fetches = new Pdu[100]; // with 2 MB of replies, more than a pipe has room for
    Arrays.fill(fetches, Fetch.of(0, 0, pmid(1, 1)));
    Peer.send(there.sink(), fetches);
    assertInstanceOf(Creds.class, Peer.receive(back.source()));
    Peer.receive(back.source());

    transport.close();

    assertTrue(end.get());
    assertEquals(List.of(), log.warnings());
  }
}
