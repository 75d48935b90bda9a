package org.jmmv.protocol;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Builds the Netty pipelines of connections that carry PDUs: decoding, encoding, and a handler that
 * replies.
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

  /** The maximum length of a client's request to a collector in bytes: 64 KiB, as in pmcd. */
  public static final int MAX_CLIENT_REQUEST = 64 << 10;

  /** How long other clients wait for the requests that one client has sent together: 1 ms. */
  private static final long CLIENT_TURN_NANOS = 1_000_000;

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
    return pipeline(
        MAX_REQUEST, Long.MAX_VALUE, new PduTrace(traced, trace), (_, _) -> answers.get());
  }

  /** Creates handlers that reply to the requests of clients. */
  @FunctionalInterface
  public interface ClientHandlerFactory {
    /**
     * Returns the handler for a new connection.
     *
     * @param requests the decoder, which tells whether requests wait to be decoded
     */
    ChannelHandler create(Channel channel, PduDecoder requests);
  }

  /**
   * Returns an initializer for a client's connection to a collector. The first two parameters are
   * those of {@link #ofAgent}.
   *
   * @param handlers creates the handler that replies to the requests of a connection
   */
  public static ChannelInitializer<Channel> ofCollector(
      BooleanSupplier traced, Consumer<String> trace, ClientHandlerFactory handlers) {
    return pipeline(MAX_CLIENT_REQUEST, CLIENT_TURN_NANOS, new PduTrace(traced, trace), handlers);
  }

  private static ChannelInitializer<Channel> pipeline(
      int maxLength, long turnNanos, PduTrace trace, ClientHandlerFactory handlers) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        PduDecoder requests = new PduDecoder(maxLength, turnNanos, trace);
        channel
            .pipeline()
            .addLast(requests, new PduEncoder(trace), handlers.create(channel, requests));
      }
    };
  }
}
