package org.jmmv.web.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jmmv.core.Catalog;
import org.jmmv.core.Turn;
import org.jmmv.serving.LongReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a response to one request, when it is known: at once if its body is a single piece, else
 * in chunks.
 */
final class Exchange implements LongReply {
  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

  /** What zlib keeps for a response that is compressed, in bytes; see zconf.h. */
  private static final int DEFLATE_STATE = 256 << 10;

  /** Of RFC 9110, 5.6.7. */
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private final ChannelHandlerContext ctx;
  private final Catalog catalog;
  private final boolean isHead;
  private final boolean acceptsCoding;
  private final HttpVersion version; // of the response: HTTP/1.0 has no chunks
  private boolean isLast; // whether the connection ends after the response
  private long requestBytes;
  private Runnable task; // which makes the response known; null: there is none
  private Response response; // null: not known yet
  private boolean isBegun; // whether the headers are written
  private boolean isClosed;

  /** Creates an exchange that waits for the response to a request. */
  Exchange(ChannelHandlerContext ctx, HttpRequest request, Catalog catalog) {
    this.ctx = ctx;
    this.catalog = catalog;
    isHead = request.method().equals(HttpMethod.HEAD);
    acceptsCoding = request.headers().contains(HttpHeaderNames.ACCEPT_ENCODING);
    boolean isNew = request.protocolVersion().equals(HttpVersion.HTTP_1_1);
    version = isNew ? HttpVersion.HTTP_1_1 : HttpVersion.HTTP_1_0;
    isLast = !isNew || !HttpUtil.isKeepAlive(request);
  }

  /** Sets what is kept of the request until the response is known, in bytes. */
  void keep(long bytes) {
    requestBytes = bytes;
  }

  /** Has a task that makes the response known run in the next turn. */
  void begin(Runnable inTurn) {
    task = inTurn;
  }

  /**
   * Sets the response.
   *
   * @param isLast whether the connection ends, also if the client does not ask for it
   */
  void answer(Response known, boolean isLast) {
    response = known;
    this.isLast |= isLast;
    if (isClosed) {
      close();
    }
  }

  @Override
  public Progress writePiece(Turn turn) {
    if (task != null) {
      Runnable next = task;
      task = null;
      next.run();
    }
    if (response == null) {
      return Progress.WAITING;
    }
    ByteBuf piece = ctx.alloc().buffer(Body.PIECE);
    Progress progress;
    try {
      progress = response.body().write(catalog, piece, turn);
    } catch (Failure e) {
      return fail(e, piece);
    } catch (RuntimeException | InternalError e) {
      LOG.error("a response to a client of HTTP failed", e);
      return fail(Failure.internal(), piece);
    }
    if (!isBegun && progress == Progress.MORE && !piece.isReadable()) {
      piece.release(); // the body does not begin yet, and may fail
      return progress;
    }
    return write(piece, progress);
  }

  /**
   * Answers with an error, whose body is written from the next piece on. If the headers are
   * written, the connection ends with half a body.
   */
  private Progress fail(Failure why, ByteBuf piece) {
    piece.release();
    if (isBegun || response.status().equals(HttpResponseStatus.INTERNAL_SERVER_ERROR)) {
      ctx.close();
      return Progress.END;
    }
    response.body().close();
    answer(response.failed(why), why.status().equals(HttpResponseStatus.INTERNAL_SERVER_ERROR));
    return Progress.MORE;
  }

  private Progress write(ByteBuf piece, Progress progress) {
    if (isHead || (!isBegun && progress == Progress.END)) {
      HttpHeaders headers = headers();
      if (isHead) {
        piece.clear(); // the body has begun, and so can't fail any more
      } else if (!response.status().equals(HttpResponseStatus.NOT_MODIFIED)) {
        headers.set(HttpHeaderNames.CONTENT_LENGTH, piece.readableBytes());
      }
      ctx.write(
          new DefaultFullHttpResponse(
              version, response.status(), piece, headers, EmptyHttpHeaders.INSTANCE));
      return end();
    }
    if (!isBegun) {
      isBegun = true;
      HttpHeaders headers = headers();
      if (version.equals(HttpVersion.HTTP_1_1)) {
        headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
      }
      ctx.write(new DefaultHttpResponse(version, response.status(), headers));
    }
    if (piece.isReadable()) {
      ctx.write(new DefaultHttpContent(piece));
    } else {
      piece.release(); // an empty chunk would end the body
    }
    if (progress == Progress.END) {
      ctx.write(LastHttpContent.EMPTY_LAST_CONTENT);
      return end();
    }
    ctx.flush();
    return progress;
  }

  private HttpHeaders headers() {
    HttpHeaders headers = response.headers();
    headers.set("x-content-type-options", "nosniff");
    headers.set(HttpHeaderNames.DATE, DATE.format(Instant.now()));
    headers.add(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
    if (!headers.contains(HttpHeaderNames.CACHE_CONTROL)) {
      headers.set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
    }
    if (isLast) {
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    return headers;
  }

  private Progress end() {
    if (isLast) {
      ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    } else {
      ctx.flush();
    }
    return Progress.END;
  }

  @Override
  public long bytes() {
    if (response == null) {
      return requestBytes;
    }
    boolean isCompressed =
        acceptsCoding && !response.headers().contains(HttpHeaderNames.CONTENT_ENCODING);
    return response.body().bytes() + (isCompressed ? DEFLATE_STATE : 0);
  }

  @Override
  public void close() {
    isClosed = true;
    if (response != null) {
      response.body().close();
    }
  }
}
