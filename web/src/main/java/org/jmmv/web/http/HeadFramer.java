package org.jmmv.web.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpDecoderConfig;
import java.util.List;

/**
 * Passes on the head of a request, from the request line to the empty line, when all of it has been
 * received. So a head that arrives in pieces is decoded once, and one that never becomes complete
 * is seen by {@link org.jmmv.serving.FlowControl}.
 */
final class HeadFramer extends ByteToMessageDecoder {
  /** The maximum length of a URL, in bytes, as most servers have it. */
  static final int MAX_URL = 8 << 10;

  /** Like {@link #MAX_URL}, for all headers; browsers and proxies send cookies. */
  private static final int MAX_HEADERS = 16 << 10;

  /** The maximum length of a head that is not complete. */
  private static final int MAX_HEAD = MAX_URL + MAX_HEADERS;

  private static final ByteBuf END =
      Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(new byte[] {'\r', '\n', '\r', '\n'}));

  private int searched; // bytes after the reader index without an end

  HeadFramer() {
    setSingleDecode(true);
  }

  /**
   * Returns the limits of the decoder that is next: it refuses what is longer. It decodes a URL
   * beyond {@link #MAX_URL}, too: the path and the header Origin decide how it is refused.
   */
  static HttpDecoderConfig limits() {
    return new HttpDecoderConfig().setMaxInitialLineLength(MAX_HEAD).setMaxHeaderSize(MAX_HEADERS);
  }

  int undecodedBytes() {
    return actualReadableBytes();
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    int from = Math.max(0, searched - END.readableBytes() + 1);
    int found =
        ByteBufUtil.indexOf(END, in.slice(in.readerIndex() + from, in.readableBytes() - from));
    if (found >= 0) {
      out.add(in.readRetainedSlice(from + found + END.readableBytes()));
      searched = 0;
    } else if (in.readableBytes() > MAX_HEAD) {
      out.add(in.readRetainedSlice(in.readableBytes())); // is refused
      searched = 0;
    } else {
      searched = in.readableBytes();
    }
  }
}
