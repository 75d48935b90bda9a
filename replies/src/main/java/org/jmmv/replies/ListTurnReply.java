package org.jmmv.replies;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.jmmv.core.Changes;
import org.jmmv.core.Turn;
import org.jmmv.protocol.ListEncoder;
import org.jmmv.protocol.ListReply;
import org.jmmv.protocol.Message;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduEncoder;

/**
 * A {@link ListReply} that is measured, encoded and written in the turns of its connection. The
 * list shows the catalogue as it was at the first turn, however long the peer takes to read it.
 * What is in it is shared with the catalogue until that changes, or is the reply's own from the
 * beginning: {@link Replies#isShared}.
 */
final class ListTurnReply extends TurnReply {
  private final ListReply list;
  private final ListEncoder encoder;
  private final Changes changes;
  private final long version; // of the catalogue
  private final boolean isShared; // until then
  private final Runnable recount;
  private long heap; // of what is in the list, as far as it is measured
  private int measured; // number of elements
  private boolean isMeasured;
  private boolean isBegun; // its first piece is written
  private int unwritten; // number of bytes, once it is measured

  /**
   * Creates a reply.
   *
   * @param isShared whether the catalogue has what is in the list
   * @param changes the changes of the catalogue
   * @param recount is called when it keeps more
   */
  ListTurnReply(
      ChannelHandlerContext ctx,
      Message request,
      ListReply list,
      boolean isShared,
      Changes changes,
      Runnable recount) {
    super(ctx, request);
    this.list = list;
    this.changes = changes;
    this.recount = recount;
    this.isShared = isShared;
    encoder = list.encoder();
    version = changes.version();
    changes.listen(recount);
  }

  @Override
  boolean write(Turn turn) {
    while (!isMeasured) {
      heap += measured < list.size() ? list.heapOf(measured++) : 0;
      isMeasured = !encoder.measureNext();
      unwritten = isMeasured ? encoder.length() : 0;
      if (turn.isOver()) {
        return false;
      }
    }
    int full = ctx.channel().config().getWriteBufferHighWaterMark(); // the peer may not read it
    ByteBuf piece = ctx.alloc().ioBuffer(Math.min(unwritten, full));
    boolean hasMore;
    try {
      if (!isBegun) {
        piece.writeInt(unwritten).writeInt(list.type().code()).writeInt(list.from());
      }
      do {
        hasMore = encoder.writeNext(piece);
      } while (hasMore && piece.readableBytes() < full && !turn.isOver());
    } catch (RuntimeException | Error e) {
      piece.release();
      throw e;
    }
    unwritten -= piece.readableBytes();
    // the encoder of PDUs shows each as it begins; it does not have to see the rest
    (isBegun ? ctx.pipeline().context(PduEncoder.class) : ctx).writeAndFlush(piece);
    isBegun = true;
    return !hasMore;
  }

  /** Returns the size of the list, and of what it alone keeps. */
  @Override
  public long bytes() {
    long references = 2L * Integer.BYTES * list.size(); // and a number for each
    return references + (isShared && changes.version() == version ? 0 : heap);
  }

  @Override
  public void close() {
    changes.forget(recount);
  }

  /** Closes the connection if a part of the PDU has been written. */
  @Override
  void fail(Pdu error) {
    if (isBegun) {
      ctx.close();
    } else {
      super.fail(error);
    }
  }
}
