package org.jmmv.serving;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jmmv.pcp.User;

/** A connection to a server that sends no requests: see {@link Server#push}. */
final class Push extends ChannelInitializer<Channel> {
  private final Server server;
  private final User user;
  private final Duration period;
  private final Function<Channel, LongReply> stream;

  Push(Server server, User user, Duration period, Function<Channel, LongReply> stream) {
    this.server = server;
    this.user = user;
    this.period = period;
    this.stream = stream;
  }

  @Override
  protected void initChannel(Channel channel) {
    Timeouts timeouts = new Timeouts(channel, server.clients().accounts(), user);
    FlowControl turns = new FlowControl(() -> 0, server.loop().scheduler(), user, timeouts);
    channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelActive(ChannelHandlerContext ctx) {
                begin(channel, turns);
              }

              @Override
              public void channelRead(ChannelHandlerContext ctx, Object message) {
                ReferenceCountUtil.release(message); // kept, it would hide the end behind it
              }
            },
            turns);
  }

  private void begin(Channel channel, FlowControl turns) {
    turns.send(stream.apply(channel));
    long nanos = period.toNanos();
    Future<?> timer =
        channel.eventLoop().scheduleAtFixedRate(turns::resume, nanos, nanos, TimeUnit.NANOSECONDS);
    channel.closeFuture().addListener(_ -> timer.cancel(false));
  }
}
