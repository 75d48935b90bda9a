package org.jmmv.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks a server on this machine one thing, for the probes of containers that have no curl. */
public final class Probe {
  /** A server that hangs is not healthy: without an end, nobody would be told. */
  private static final int SECONDS = 10;

  /** In bytes. Whatever listens there, it can't fill the heap. */
  private static final int MAX_ANSWER = 64 << 10;

  private Probe() {}

  /**
   * What a server has answered.
   *
   * @param status that of HTTP
   * @param text the content, without white space around it
   */
  public record Answer(int status, String text) {
    /** Returns whether what was asked is so. */
    public boolean isGood() {
      return status == HttpResponseStatus.OK.code();
    }
  }

  /**
   * Sends a GET request.
   *
   * @param server an IP address and port, or the path of a Unix domain socket
   * @param hasTls whether the server speaks HTTPS. Its certificate is not verified: it need not
   *     have the name of a loopback address, and nothing secret is sent
   * @throws IOException if no answer comes within ten seconds
   */
  public static Answer get(SocketAddress server, boolean hasTls, String path) throws IOException {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    Optional<SslContext> tls =
        hasTls
            ? Optional.of(
                SslContextBuilder.forClient()
                    .trustManager(InsecureTrustManagerFactory.INSTANCE)
                    .endpointIdentificationAlgorithm(null)
                    .build())
            : Optional.empty();
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      new Bootstrap()
          .group(loop)
          .channel(
              server instanceof UnixDomainSocketAddress
                  ? NioDomainSocketChannel.class
                  : NioSocketChannel.class)
          .handler(
              new ChannelInitializer<Channel>() {
                @Override
                protected void initChannel(Channel channel) {
                  tls.ifPresent(
                      context -> channel.pipeline().addLast(context.newHandler(channel.alloc())));
                  channel
                      .pipeline()
                      .addLast(
                          new HttpClientCodec(),
                          new HttpObjectAggregator(MAX_ANSWER),
                          new Client(path, answer));
                }
              })
          .connect(server)
          .addListener(connected -> {
            if (!connected.isSuccess()) {
              answer.completeExceptionally(connected.cause());
            }
          });
      return answer.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      throw new IOException("no answer within %d s".formatted(SECONDS), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
  }

  private static final class Client extends SimpleChannelInboundHandler<FullHttpResponse> {
    private final String path;
    private final CompletableFuture<Answer> answer;

    Client(String path, CompletableFuture<Answer> answer) {
      this.path = path;
      this.answer = answer;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      HttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path);
      request.headers().set(HttpHeaderNames.HOST, "localhost");
      ctx.writeAndFlush(request);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpResponse response) {
      answer.complete(
          new Answer(response.status().code(), response.content().toString(UTF_8).strip()));
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      answer.completeExceptionally(new IOException("the connection was closed without an answer"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      answer.completeExceptionally(cause);
    }
  }
}
