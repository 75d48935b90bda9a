package org.jmmv.web.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jmmv.serving.Clients;
import org.jmmv.serving.ConnectionQuota;
import org.jmmv.serving.FlowControl;
import org.jmmv.serving.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last handler of a pipeline: finds the resource of a request, and sends its response. */
final class HttpHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHandler.class);
  private static final int MAX_PARAMETERS = 1024;

  private final Site site;
  private final Server server;
  private final Passwords passwords;
  private FlowControl flow;
  private Executor slow;

  /**
   * Creates the handler of a connection.
   *
   * @param passwords those of all connections
   */
  HttpHandler(Site site, Server server, Passwords passwords) {
    this.site = site;
    this.server = server;
    this.passwords = passwords;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    flow = ctx.pipeline().get(FlowControl.class);
    slow = server.slowTasks().of(ctx.channel(), ConnectionQuota.peer(ctx.channel()));
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (message instanceof HttpRequest request && ctx.channel().isActive()) {
        answer(ctx, request);
      }
    } finally {
      ReferenceCountUtil.release(message); // the end of a request
    }
  }

  private void answer(ChannelHandlerContext ctx, HttpRequest request) {
    Map<String, String> users = site.rules().users();
    if (users.isEmpty() || request.decoderResult().isFailure()) {
      flow.send(exchange(ctx, request));
      return;
    }
    Optional<Passwords.Attempt> attempt =
        passwords.attempt(request.headers().get(HttpHeaderNames.AUTHORIZATION), users);
    if (attempt.isEmpty()) {
      flow.send(unauthorized(ctx, request));
    } else if (passwords.isKept(attempt.get())) {
      flow.send(exchange(ctx, request));
    } else {
      check(attempt.get(), ctx, request);
    }
  }

  /** Answers a request when its password has been checked. */
  private void check(Passwords.Attempt attempt, ChannelHandlerContext ctx, HttpRequest request) {
    LaterReply reply = new LaterReply();
    flow.send(reply);
    slow.execute(() -> {
      boolean isRight = attempt.isRight();
      ctx.executor()
          .execute(() -> {
            if (isRight) {
              passwords.keep(attempt);
            }
            if (reply.set(isRight ? exchange(ctx, request) : unauthorized(ctx, request))) {
              flow.resume();
            }
          });
    });
  }

  private static Exchange unauthorized(ChannelHandlerContext ctx, HttpRequest request) {
    Response response =
        Response.text(HttpResponseStatus.UNAUTHORIZED, "a user and a password are required")
            .with(HttpHeaderNames.WWW_AUTHENTICATE, "Basic realm=\"jmmv\", charset=\"UTF-8\"");
    return new Exchange(ctx, response, request, true);
  }

  private Exchange exchange(ChannelHandlerContext ctx, HttpRequest request) {
    boolean isLast = false;
    Response response;
    try {
      check(request);
      response = response(ctx, request);
    } catch (Failure e) {
      isLast = !e.status().equals(HttpResponseStatus.NOT_FOUND);
      response = Response.text(e.status(), e.getMessage());
      if (e.status().equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
        response.with(HttpHeaderNames.ALLOW, "GET, HEAD");
      }
    } catch (RuntimeException | InternalError e) {
      LOG.error("a request of HTTP failed", e);
      isLast = true;
      response = Response.text(HttpResponseStatus.INTERNAL_SERVER_ERROR, "internal error");
    }
    String origin = request.headers().get(HttpHeaderNames.ORIGIN);
    if (origin != null && site.rules().origins().contains(origin)) {
      response.with(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origin);
      response.headers().add(HttpHeaderNames.VARY, HttpHeaderNames.ORIGIN);
    }
    return new Exchange(ctx, response, request, isLast);
  }

  /** Refuses what is not a request for a resource. */
  private static void check(HttpRequest request) throws Failure {
    if (request.decoderResult().isFailure()) {
      Throwable cause = request.decoderResult().cause();
      throw switch (cause) {
        case TooLongHttpLineException _ ->
            new Failure(
                HttpResponseStatus.REQUEST_URI_TOO_LONG, "the request line is longer than 8 KiB");
        case TooLongHttpHeaderException _ ->
            new Failure(
                HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
                "the headers are longer than 16 KiB");
        default -> new Failure(HttpResponseStatus.BAD_REQUEST, "this is not a request of HTTP/1.1");
      };
    }
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
      throw new Failure(HttpResponseStatus.METHOD_NOT_ALLOWED, "only GET and HEAD are served");
    }
    if (HttpUtil.isTransferEncodingChunked(request)
        || HttpUtil.getContentLength(request, 0L) != 0) {
      throw new Failure(
          HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "a request must not have a body");
    }
  }

  private Response response(ChannelHandlerContext ctx, HttpRequest request) throws Failure {
    site.checkHost(request.headers().get(HttpHeaderNames.HOST));
    QueryStringDecoder uri =
        QueryStringDecoder.builder()
            .charset(StandardCharsets.UTF_8)
            .maxParams(MAX_PARAMETERS)
            .build(request.uri());
    String path;
    Request decoded;
    try {
      path = uri.path();
      decoded =
          new Request(
              path,
              uri.parameters(),
              request.headers(),
              ConnectionQuota.peer(ctx.channel()),
              Clients.isLocal(ctx.channel()),
              flow::resume);
    } catch (IllegalArgumentException e) { // a % without two digits
      throw new Failure(HttpResponseStatus.BAD_REQUEST, "the path or the query is malformed");
    }
    return site.resource(path).get(decoded);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    server.maintenance().run();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof IdleStateEvent) {
      ctx.close();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    ctx.flush(); // the outbound buffer is full
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close(); // a reset, usually
  }
}
