package org.jmmv.protocol;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes the pipelines of connections that speak PDUs, from the network inwards: frames, tracing,
 * decoding, encoding, and the handler that answers.
 *
 * <p>That handler gets a {@link Pdu}, a {@link MalformedPdu} or an {@link UnknownPdu} at a time,
 * and writes PDUs or, encoded already, {@link io.netty.buffer.ByteBuf}s. While the channel is not
 * writable it gets nothing.
 */
public final class PduPipeline {
  /**
   * The longest request that an agent accepts, in bytes: 4 MiB. pmcd limits what its clients send
   * to 64 KiB unless it is told otherwise.
   */
  public static final int MAX_REQUEST = 4 << 20;

  private PduPipeline() {}

  /**
   * The pipeline of an agent's connection with pmcd.
   *
   * @param traced asked for each PDU whether to trace it
   * @param trace receives a text of several lines for each traced PDU
   * @param answers makes the handler that answers requests, for each connection
   */
  public static ChannelInitializer<Channel> ofAgent(
      BooleanSupplier traced, Consumer<String> trace, Supplier<ChannelHandler> answers) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel
            .pipeline()
            .addLast(
                new PduFrameDecoder(MAX_REQUEST),
                new PduTracer(traced, trace),
                new PduDecoder(),
                new PduEncoder(),
                answers.get());
      }
    };
  }
}
