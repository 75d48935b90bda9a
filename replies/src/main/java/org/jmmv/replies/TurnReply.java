package org.jmmv.replies;

import io.netty.channel.ChannelHandlerContext;
import org.jmmv.core.Turn;
import org.jmmv.pcp.PmError;
import org.jmmv.protocol.Message;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.Reply;
import org.jmmv.serving.LongReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A reply that may take several turns. If it fails, an ERROR is sent in its place. */
abstract class TurnReply implements LongReply {
  private static final Logger LOG = LoggerFactory.getLogger(TurnReply.class);

  final ChannelHandlerContext ctx;
  private final Object kind; // of the request, which is not kept

  TurnReply(ChannelHandlerContext ctx, Message request) {
    this.ctx = ctx;
    kind = kind(request);
  }

  /**
   * Goes on with the reply, and does at least one step.
   *
   * @return whether the reply is written completely; if not, the turn is over
   */
  abstract boolean write(Turn turn);

  @Override
  public final Progress writePiece(Turn turn) {
    try {
      return write(turn) ? Progress.END : Progress.MORE;
    } catch (RuntimeException | InternalError | OutOfMemoryError e) {
      fail(failure(kind, e));
      return Progress.END;
    }
  }

  void fail(Pdu error) {
    ctx.writeAndFlush(error);
  }

  /** Returns the kind of a message for the log. */
  static Object kind(Message message) {
    return message instanceof Pdu pdu ? pdu.type() : message.getClass().getSimpleName();
  }

  /** Logs why a message has not been handled, and returns the reply. */
  static Reply failure(Object kind, Throwable cause) {
    if (cause
        instanceof OutOfMemoryError) { // of direct memory; if the heap is exhausted, the JVM exits
      LOG.error("no memory for the reply to {}", kind);
    } else {
      LOG.error("a request failed: {}", kind, cause);
    }
    return Replies.error(PmError.GENERIC);
  }
}
