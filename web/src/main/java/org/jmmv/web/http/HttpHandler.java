package org.jmmv.web.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import org.jmmv.serving.Clients;
import org.jmmv.serving.ConnectionQuota;
import org.jmmv.serving.FlowControl;
import org.jmmv.serving.Maintenance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last handler of a pipeline: finds the resource of a request, and sends its response. */
final class HttpHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHandler.class);
  private static final int MAX_PARAMETERS = 1024;

  private final Site site;
  private final Maintenance maintenance;
  private FlowControl flow;

  HttpHandler(Site site, Maintenance maintenance) {
    this.site = site;
    this.maintenance = maintenance;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    flow = ctx.pipeline().get(FlowControl.class);
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
    boolean isHead = request.method().equals(HttpMethod.HEAD);
    boolean isLast = false;
    Response response;
    try {
      isLast = check(request) || !HttpUtil.isKeepAlive(request);
      response = response(ctx, request);
    } catch (Failure e) {
      isLast |= e.status().code() != HttpResponseStatus.NOT_FOUND.code();
      response = Response.text(e.status(), e.getMessage());
      if (e.status().equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
        response.with(HttpHeaderNames.ALLOW, "GET, HEAD");
      }
    } catch (RuntimeException | InternalError e) {
      LOG.error("a request of HTTP failed", e);
      isLast = true;
      response = Response.text(HttpResponseStatus.INTERNAL_SERVER_ERROR, "internal error");
    }
    boolean isOld = !request.protocolVersion().equals(HttpVersion.HTTP_1_1);
    Exchange.Mode mode =
        isOld ? Exchange.Mode.OLD : isLast ? Exchange.Mode.CLOSE : Exchange.Mode.KEEP_ALIVE;
    flow.send(new Exchange(ctx, response, mode, isHead));
  }

  /** Refuses what is not a request for a resource. */
  private static boolean check(HttpRequest request) throws Failure {
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
    return false;
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
    maintenance.run(ctx);
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
