package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import org.jmmv.pcp.PmError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encodes outgoing {@link Pdu}s. A message that is already a {@link ByteBuf} passes unchanged. If
 * there is no memory for a PDU, an ERROR is sent in its place.
 */
public final class PduEncoder extends ChannelOutboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(PduEncoder.class);

  /** In bytes. Only lists and long texts need more, and make the buffer grow. */
  private static final int INITIAL_CAPACITY = 1024;

  private final PduTrace trace;
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER; // for one PDU after the other

  /** Creates an encoder for one connection. */
  public PduEncoder(PduTrace trace) {
    this.trace = trace;
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    ByteBuf encoded;
    try {
      encoded = message instanceof ByteBuf bytes ? bytes : encode(ctx, (Pdu) message);
    } catch (OutOfMemoryError e) {
      LOG.error("no memory for any PDU: a connection ends");
      promise.setFailure(e);
      ctx.close();
      return;
    }
    if (encoded.isReadable()) {
      trace.sent(encoded);
    }
    ctx.write(encoded, promise);
  }

  private ByteBuf encode(ChannelHandlerContext ctx, Pdu pdu) {
    ByteBuf encoded =
        buffer.refCnt() > 1 // the PDU in it waits, because the peer does not read
            ? ctx.alloc().ioBuffer(INITIAL_CAPACITY)
            : emptyBuffer(ctx);
    try {
      pdu.encode(encoded);
    } catch (OutOfMemoryError e) { // of direct memory; if the heap is exhausted, the JVM exits
      LOG.error("no memory for a PDU of type {}; an ERROR is sent instead", pdu.type());
      encoded.release();
      dropBuffer();
      return encode(ctx, new PduError(0, PmError.GENERIC.code()));
    } catch (RuntimeException e) {
      encoded.release();
      throw e;
    }
    if (encoded.capacity() != INITIAL_CAPACITY) {
      dropBuffer(); // an idle connection would keep the memory of its largest PDU
    }
    return encoded;
  }

  private ByteBuf emptyBuffer(ChannelHandlerContext ctx) {
    if (buffer.capacity() == 0) {
      buffer = ctx.alloc().ioBuffer(INITIAL_CAPACITY);
    }
    return buffer.clear().retain();
  }

  private void dropBuffer() {
    buffer.release();
    buffer = Unpooled.EMPTY_BUFFER;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    buffer.release();
  }
}
