package org.jmmv.pmda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jmmv.core.LogCapture;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class WarmUpTest {
  private static final int REQUESTS_PER_METRIC = 5;

  @TempDir Path sample;
  private final LogCapture log = new LogCapture();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private WarmUp warmUp;

  @BeforeEach
  void write() {
    MmvWriter file = new MmvWriter(2);
    file.metric("single", 1, ValueType.I64).value(1);
    file.metric("several", 2, ValueType.I64).inDom(file.inDom(1).instance(3, "three")).at(3, 1);
    file.write(sample, "file");
  }

  /** A handler that replies to each buffer with the same one. */
  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object bytes) {
      ctx.writeAndFlush(bytes);
    }
  }

  @AfterEach
  void close() {
    log.close();
  }

  private void start(Path directory) {
    warmUp = new WarmUp(directory);
    channel.pipeline().addLast(warmUp, new Echo());
    channel.pipeline().fireChannelActive();
  }

  private boolean isWarmingUp() {
    return channel.pipeline().get(WarmUp.class) != null;
  }

  private void waitUntilItHasGone() throws InterruptedException {
    while (isWarmingUp()) {
      channel.runScheduledPendingTasks();
      Thread.sleep(1);
    }
  }

  @Test
  void itLeavesThePipelineAndNeitherPmcdNorTheLogNoticesIt() throws Exception {
    start(sample);
    waitUntilItHasGone();
    assertTrue(warmUp.requests() >= 3 * REQUESTS_PER_METRIC * 2, warmUp.requests() + " requests");
    assertNull(channel.readOutbound());
    assertEquals(List.of(), log.messages());
  }

  @Test
  void requestsAreAnsweredMeanwhileAndItWaitsForTheirEnd() throws Exception {
    start(sample);
    for (int i = 0; i < 20; i++) {
      ByteBuf request = Unpooled.copyInt(i);
      channel.writeInbound(request);
      assertEquals(i, assertInstanceOf(ByteBuf.class, channel.readOutbound()).readInt());
      channel.runScheduledPendingTasks();
      assertTrue(isWarmingUp());
    }
    waitUntilItHasGone();
  }

  @Test
  void itLeavesThePipelineWhenRequestsHaveComeWithoutAPause() {
    start(sample);
    for (int i = 0; i < 1_000; i++) {
      assertTrue(isWarmingUp());
      channel.writeInbound(Unpooled.copyInt(i));
      assertEquals(i, assertInstanceOf(ByteBuf.class, channel.readOutbound()).readInt());
    }
    assertFalse(isWarmingUp());
    channel.runScheduledPendingTasks();
    assertEquals(List.of(), log.messages());
  }

  @Test
  void withoutSampleFilesItAsksAboutTheControlMetrics() throws Exception {
    Files.delete(sample.resolve("file"));
    start(sample.resolve("missing"));
    waitUntilItHasGone();
    assertTrue(warmUp.requests() >= 3 * REQUESTS_PER_METRIC * 2, warmUp.requests() + " requests");
    assertEquals(List.of(), log.messages());
  }

  @Test
  void itEndsWithTheConnection() throws Exception {
    start(sample);
    while (warmUp.requests() == 0) {
      channel.runScheduledPendingTasks();
      Thread.sleep(1);
    }
    channel.close();
    assertFalse(isWarmingUp());
    int requests = warmUp.requests();
    channel.runScheduledPendingTasks();
    assertEquals(requests, warmUp.requests());
    assertEquals(List.of(), log.messages());
  }
}
