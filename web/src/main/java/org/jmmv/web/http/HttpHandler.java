package org.jmmv.web.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.Unpooled;
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
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.User;
import org.jmmv.serving.Clients;
import org.jmmv.serving.FlowControl;
import org.jmmv.serving.Server;
import org.jmmv.serving.SlowTasks;
import org.jmmv.serving.Tls;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last handler of a pipeline: finds the resource of a request, and sends its response. */
final class HttpHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHandler.class);

  private static final Set<HttpMethod> SERVED =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

  /** An object for each of thousands of short ones would take much more than their bytes. */
  private static final int MAX_HEADERS = 100;

  /** How long a browser need not ask again, in seconds: the settings may change. */
  private static final String PREFLIGHT_SECONDS = "600";

  private static final String TLS_REQUIRED = "this port expects TLS: ask for an https URL\n";

  /** The response to a request without TLS, if TLS is required. */
  private static final String PLAIN =
      """
      HTTP/1.1 400 Bad Request\r
      Content-Type: text/plain; charset=utf-8\r
      Content-Length: %d\r
      Connection: close\r
      \r
      %s\
      """
          .formatted(TLS_REQUIRED.length(), TLS_REQUIRED);

  private final Site site;
  private final Server server;
  private final Passwords passwords; // of all connections
  private final User peer;
  private final boolean isSpare;
  private User client; // of the last request: the peer, or the one for whom a proxy has asked
  private boolean isOver; // the connection ends with the response that is being written
  private FlowControl flow;
  private SlowTasks.OfConnection slow;

  /**
   * Creates a handler.
   *
   * @param peer the user at the other end
   * @param isSpare whether the connection ends with its first response, which is an error unless
   *     the resource is {@linkplain Site#isUrgent urgent}
   */
  HttpHandler(Site site, Server server, Passwords passwords, User peer, boolean isSpare) {
    this.site = site;
    this.server = server;
    this.passwords = passwords;
    this.peer = peer;
    this.isSpare = isSpare;
    client = peer;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    flow = ctx.pipeline().get(FlowControl.class);
    slow = server.slowTasks().open(client);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    slow.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (message instanceof HttpRequest request && ctx.channel().isActive() && !isOver) {
        Exchange exchange = new Exchange(ctx, request, server.catalog());
        flow.send(exchange);
        admit(new Incoming(ctx, request, Target.of(request), site.rules(), exchange));
      }
    } finally {
      ReferenceCountUtil.release(message); // the end of a request
    }
  }

  /** A request, its target, the rules that were in force when it arrived, and its answer. */
  private record Incoming(
      ChannelHandlerContext ctx,
      HttpRequest message,
      Target target,
      SiteRules rules,
      Exchange exchange) {
    boolean isOptions() {
      return message.method().equals(HttpMethod.OPTIONS);
    }

    /** Returns what the head takes in the heap: an object of a header has six fields. */
    long bytes() {
      long bytes = HeapSize.of(message.uri());
      for (Map.Entry<String, String> header : message.headers()) {
        long texts = HeapSize.of(header.getKey()) + HeapSize.of(header.getValue());
        bytes += HeapSize.ofObject(5, Integer.BYTES) + texts;
      }
      return bytes;
    }

    String header(CharSequence name) {
      return message.headers().get(name);
    }
  }

  /** Answers a request if its client may ask. */
  private void admit(Incoming incoming) {
    try {
      User asking = asking(incoming);
      if (asking.equals(client)) {
        answer(incoming);
        return;
      }
      client = asking;
      incoming.ctx.executor().execute(() -> changeUser(incoming)); // not within this user's turn
    } catch (Failure e) {
      refuse(incoming, e);
    }
  }

  /** Returns who asks, perhaps by way of a proxy. */
  private User asking(Incoming incoming) throws Failure {
    if (!(incoming.ctx.channel().remoteAddress() instanceof InetSocketAddress proxy)
        || !incoming.rules.trusts(proxy.getAddress())) {
      return peer;
    }
    InetAddress address =
        ForwardedFor.client(proxy.getAddress(), incoming.message.headers(), incoming.rules);
    if (address.equals(proxy.getAddress())) {
      return peer; // which was allowed to connect
    }
    if (!server.clients().access().includes(address)) {
      throw new Failure(
          HttpResponseStatus.FORBIDDEN,
          "clients at %s may not ask (--allow)".formatted(address.getHostAddress()));
    }
    return User.of(address);
  }

  /** Has a request be answered in a turn of its own user, which is not that of the last one. */
  private void changeUser(Incoming incoming) {
    if (!incoming.ctx.isRemoved()) {
      slow.close();
      slow = server.slowTasks().open(client);
      flow.setUser(client);
      incoming.exchange.keep(incoming.bytes());
      incoming.exchange.begin(() -> answer(incoming));
      flow.resume();
    }
  }

  private void answer(Incoming incoming) {
    if (isSpare && !site.isUrgent(incoming.target.uri().rawPath())) {
      refuse(
          incoming,
          new Failure(
              HttpResponseStatus.SERVICE_UNAVAILABLE,
              "all connections are taken (--max-clients); try again later"));
      return;
    }
    Map<String, String> users = incoming.rules.users();
    if (users.isEmpty() || !needsPassword(incoming)) {
      answer(incoming, false);
      return;
    }
    try {
      Passwords.Attempt attempt =
          passwords.attempt(incoming.header(HttpHeaderNames.AUTHORIZATION), users);
      if (passwords.isKept(attempt)) {
        answer(incoming, true);
      } else {
        check(attempt, incoming);
      }
    } catch (Failure e) {
      refuse(incoming, e);
    }
  }

  /**
   * Returns whether a request needs a password: for all paths that are not public, but not for
   * OPTIONS, which browsers send without one.
   */
  private boolean needsPassword(Incoming incoming) {
    return !incoming.message.decoderResult().isFailure()
        && !incoming.isOptions()
        && !site.isPublic(incoming.target.uri().rawPath());
  }

  /** Answers a request when its password has been checked. */
  private void check(Passwords.Attempt attempt, Incoming incoming) {
    incoming.exchange.keep(incoming.bytes());
    slow.execute(() -> {
      boolean isRight = attempt.isRight();
      incoming
          .ctx
          .executor()
          .execute(() -> {
            if (isRight) {
              passwords.keep(attempt);
              answer(incoming, true);
            } else {
              refuse(incoming, Passwords.missing());
            }
            flow.resume();
          });
    });
  }

  /** Answers with an error. The connection goes on only if the request was understood. */
  private void refuse(Incoming incoming, Failure why) {
    boolean isLast = !why.status().equals(HttpResponseStatus.NOT_FOUND);
    answer(incoming, site.error(incoming.target.uri().rawPath(), why), isLast);
  }

  /**
   * Answers a request.
   *
   * @param hasPassword whether it has the password of a user
   */
  private void answer(Incoming incoming, boolean hasPassword) {
    try {
      check(incoming.message);
      answer(incoming, response(incoming, hasPassword), false);
    } catch (Failure e) {
      refuse(incoming, e);
    } catch (RuntimeException | InternalError e) {
      LOG.error("a request of HTTP failed", e);
      refuse(incoming, Failure.internal());
    }
  }

  private void answer(Incoming incoming, Response response, boolean isLast) {
    String origin = incoming.header(HttpHeaderNames.ORIGIN);
    if (origin != null && incoming.rules.origins().contains(origin)) {
      permit(origin, incoming.isOptions(), response);
    }
    isOver = isLast || isSpare;
    incoming.exchange.answer(response, isOver);
  }

  /**
   * Lets the pages of an origin read a response, see the Fetch Standard.
   *
   * @param isPreflight whether the browser asks whether it may send a request, as it does for one
   *     with a password, or with a Content-Type, which Grafana's plugin for PCP always sends
   */
  private static void permit(String origin, boolean isPreflight, Response response) {
    response
        .with(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
        .with(HttpHeaderNames.ACCESS_CONTROL_ALLOW_CREDENTIALS, "true")
        .headers()
        .add(HttpHeaderNames.VARY, HttpHeaderNames.ORIGIN);
    if (isPreflight) {
      response
          .with(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD")
          .with(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, "authorization, content-type")
          .with(HttpHeaderNames.ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS);
    }
  }

  /** Refuses what is not a request for a resource. */
  private static void check(HttpRequest request) throws Failure {
    if (request.decoderResult().isFailure()) {
      Throwable cause = request.decoderResult().cause();
      throw switch (cause) {
        case TooLongHttpLineException _ -> tooLongUrl();
        case TooLongHttpHeaderException _ ->
            new Failure(
                HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
                "the headers are longer than 16 KiB");
        default -> Failure.badRequest("this is not a request of HTTP/1.1");
      };
    }
    if (request.uri().length() > HeadFramer.MAX_URL) {
      throw tooLongUrl();
    }
    if (request.headers().size() > MAX_HEADERS) {
      throw new Failure(
          HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
          "there are more than " + MAX_HEADERS + " headers");
    }
    if (!SERVED.contains(request.method())) {
      throw new Failure(HttpResponseStatus.METHOD_NOT_ALLOWED, "only GET and HEAD are served");
    }
    if (HttpUtil.isTransferEncodingChunked(request)
        || HttpUtil.getContentLength(request, 0L) != 0) {
      throw new Failure(
          HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "a request must not have a body");
    }
  }

  private static Failure tooLongUrl() {
    return new Failure(HttpResponseStatus.REQUEST_URI_TOO_LONG, "the URL is longer than 8 KiB");
  }

  /**
   * Returns what has a waiting body go on; it ends if by now others may ask than at its beginning.
   */
  private Runnable goOn(ChannelHandlerContext ctx, SiteRules begun) {
    return () -> {
      if (site.rules().equals(begun)) {
        flow.resume();
      } else {
        ctx.close();
      }
    };
  }

  private Response response(Incoming incoming, boolean hasPassword) throws Failure {
    if (incoming.message.protocolVersion().equals(HttpVersion.HTTP_1_1)
        && incoming.message.headers().getAll(HttpHeaderNames.HOST).size() != 1) {
      throw Failure.badRequest("a request of HTTP/1.1 has one header Host"); // RFC 9112, 3.2
    }
    site.checkHost(incoming.target.host(), incoming.rules);
    if (incoming.isOptions()) { // of any path, or of "*"
      return Response.empty().with(HttpHeaderNames.ALLOW, Response.METHODS);
    }
    QueryStringDecoder uri = incoming.target.uri();
    Request decoded;
    try {
      decoded =
          new Request(
              uri.path(),
              new Query(uri.parameters()),
              incoming.message.headers(),
              client,
              hasPassword || Clients.isOnUnixSocket(incoming.ctx.channel()),
              goOn(incoming.ctx, incoming.rules));
    } catch (IllegalArgumentException e) { // a % without two digits
      throw Failure.badRequest("the path or the query is malformed");
    }
    return site.resource(decoded.path()).get(decoded);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    server.maintenance().run();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof IdleStateEvent) {
      ctx.close();
    } else if (event instanceof SslHandshakeCompletionEvent handshake
        && handshake.cause() instanceof NotSslRecordException) {
      Tls.writePlain(ctx.channel(), Unpooled.copiedBuffer(PLAIN, US_ASCII)); // and it is closed
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
