package org.jmmv.web.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.compression.GzipOptions;
import io.netty.handler.codec.compression.StandardCompressionOptions;
import io.netty.handler.codec.http.HttpContentCompressor;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jmmv.pcp.User;
import org.jmmv.serving.Clients;
import org.jmmv.serving.FlowControl;
import org.jmmv.serving.Peer;
import org.jmmv.serving.Server;
import org.jmmv.serving.Timeouts;
import org.jmmv.serving.Tls;

/** Adds the handlers of clients of HTTP. */
public final class HttpPipeline implements Clients.Face {
  private static final int IDLE_SECONDS =
      120; // twice the interval of a usual scrape, and of proxies

  /** In bytes: a smaller response is one packet whether it is compressed or not. */
  private static final int MIN_COMPRESSED = 1024;

  private static final int GZIP_LEVEL = 1; // a third of the time of level 6, and a third more bytes
  private static final GzipOptions USUAL = StandardCompressionOptions.gzip();

  /** Connections beyond the maximum that still get an answer: else probes would find no server. */
  private static final int MAX_SPARE = 8;

  private static final int ARENAS = 1; // one thread
  private static final int PAGE = PooledByteBufAllocator.defaultPageSize(); // 8 KiB

  /** 2^5 pages, 256 KiB, are taken from the system at once: by default they would be 4 MiB. */
  private static final int CHUNK_ORDER = 5;

  /**
   * The number of free buffers of each size that are kept for the next piece. Without them, a chunk
   * goes back to the system when its last buffer is free, and the kernel takes up to 1 ms to clear
   * the pages of the next one: a whole turn, in which a page would not go on. The launcher permits
   * this for buffers of 128 KiB, which a piece has that exceeds {@link Body#PIECE}.
   */
  private static final int KEPT = 1;

  /** Compresses a response if its client wants that. Netty's own choice takes parts of words. */
  private static final class Compressor extends HttpContentCompressor {
    Compressor() {
      super(
          MIN_COMPRESSED,
          StandardCompressionOptions.gzip(GZIP_LEVEL, USUAL.windowBits(), USUAL.memLevel()));
    }

    @Override
    protected String determineEncoding(String accepted) {
      return wantsGzip(accepted) ? "gzip" : null;
    }

    /** Returns whether a client wants gzip, and does not like the content as it is better. */
    private static boolean wantsGzip(String accepted) {
      Map<String, Double> qualities = new HashMap<>();
      Accepted.of(accepted).forEach(coding -> qualities.put(coding.name(), coding.quality()));
      double others = qualities.getOrDefault("*", 0.0);
      double gzip = qualities.getOrDefault("gzip", qualities.getOrDefault("x-gzip", others));
      return gzip > 0 && gzip >= qualities.getOrDefault("identity", 0.0);
    }
  }

  private final Server server;
  private final Site site;
  private final Optional<Tls> tls;
  private final Passwords passwords = new Passwords();
  private int spare; // number of connections beyond the maximum

  private final ByteBufAllocator buffers =
      new PooledByteBufAllocator(true, 0, ARENAS, PAGE, CHUNK_ORDER, 0, KEPT, false);

  public HttpPipeline(Server server, Site site, Optional<Tls> tls) {
    this.server = server;
    this.site = site;
    this.tls = tls;
  }

  @Override
  public void refuse(Channel client, Peer peer, Clients.Refusal reason) {
    if (reason == Clients.Refusal.QUOTA && spare < MAX_SPARE) {
      spare++;
      Future<?> end =
          server
              .loop()
              .executor()
              .schedule((Runnable) client::close, Timeouts.MESSAGE_SECONDS, TimeUnit.SECONDS);
      client
          .closeFuture()
          .addListener(_ -> {
            spare--;
            end.cancel(false);
          });
      serve(client, peer, true);
    } else {
      client.close();
    }
  }

  @Override
  public void serve(Channel client, Peer peer) {
    serve(client, peer, false);
  }

  /**
   * Serves a client.
   *
   * @param isSpare whether it gets one response only, because all connections are taken
   */
  private void serve(Channel client, Peer peer, boolean isSpare) {
    client.config().setAllocator(buffers);
    User user = peer.user();
    ChannelPipeline pipeline = client.pipeline();
    HeadFramer framer = new HeadFramer();
    Timeouts timeouts = new Timeouts(client, server.clients().accounts(), user);
    pipeline.addLast(
        new FlowControl(framer::undecodedBytes, server.loop().scheduler(), user, timeouts),
        framer,
        new HttpRequestDecoder(HeadFramer.limits()),
        new HttpResponseEncoder(),
        new Compressor(),
        new IdleStateHandler(0, 0, IDLE_SECONDS),
        new HttpHandler(site, server, passwords, user, isSpare));
    tls.ifPresent(one -> one.begin(client, user));
  }
}
