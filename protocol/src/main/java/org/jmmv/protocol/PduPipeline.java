package org.jmmv.protocol;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Builds the Netty pipelines of connections that carry PDUs: framing, decoding and encoding, and a
 * handler that replies.
 *
 * <p>The handler receives one {@link Pdu}, {@link MalformedPdu} or {@link UnknownPdu} at a time,
 * and writes {@link Pdu}s or encoded PDUs as {@link io.netty.buffer.ByteBuf}s. It receives nothing
 * while the channel is not writable.
 */
public final class PduPipeline {
  /**
   * The maximum length of a request to an agent in bytes: 4 MiB. pmcd limits the PDUs of its
   * clients to 64 KiB unless its option -L sets another limit.
   */
  public static final int MAX_REQUEST = 4 << 20;

  private PduPipeline() {}

  /**
   * Returns an initializer for an agent's connection to pmcd.
   *
   * @param traced called for each PDU; returns whether to trace it
   * @param trace receives a text of several lines for each traced PDU
   * @param answers creates the handler that replies to the requests of a connection
   */
  public static ChannelInitializer<Channel> ofAgent(
      BooleanSupplier traced, Consumer<String> trace, Supplier<ChannelHandler> answers) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel
            .pipeline()
            .addLast(new PduFrameDecoder(MAX_REQUEST), new PduCodec(traced, trace), answers.get());
      }
    };
  }
}
