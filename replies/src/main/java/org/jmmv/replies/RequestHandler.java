package org.jmmv.replies;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Printable;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.Message;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Reply;
import org.jmmv.protocol.Request;
import org.jmmv.protocol.Result;
import org.jmmv.serving.FlowControl;
import org.jmmv.serving.LongReply;
import org.jmmv.serving.Maintenance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last handler of a pipeline. It replies to each request before it receives the next one.
 *
 * <p>No exception that a request or a file causes leaves this class: each request has a reply, if
 * necessary with an ERROR PDU.
 */
final class RequestHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

  private final Replies replies;
  private final Maintenance maintenance;
  private final DebugOptions debug;
  private final Role role;
  private final Session session;
  private FlowControl turns; // null: there are none, on a pipe

  RequestHandler(
      Replies replies, Maintenance maintenance, DebugOptions debug, Role role, Session session) {
    this.replies = replies;
    this.maintenance = maintenance;
    this.debug = debug;
    this.role = role;
    this.session = session;
  }

  /** Has fetches that take long go on in later turns. */
  void takeTurns(FlowControl control) {
    turns = control;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    role.begin(ctx);
    if (role.isCollector()) {
      replies.begin(session);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    session.close();
    role.end();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object received) {
    Message message = (Message) received;
    if (!ctx.channel().isActive()) {
      return; // closed by an earlier PDU of the same read
    }
    if (!role.permits(message)) {
      ctx.close();
      return;
    }
    if (debug.libpmda() && message instanceof Pdu) {
      LOG.debug("request {}", Printable.printable(message.toString()));
    }
    PendingFetch fetch =
        message instanceof Fetch request ? new PendingFetch(request, turns != null) : null;
    Object reply = replyOrError(ctx, message, fetch);
    Maintenance.Reload reload = message instanceof Result ? maintenance.dueReload() : null;
    if (reload != null) {
      sendAfter(reload, ctx, reply);
    } else if (reply == null && fetch != null) {
      turns.send(new LaterFetch(ctx, fetch));
    } else {
      send(ctx, reply);
    }
  }

  private void send(ChannelHandlerContext ctx, Object reply) {
    if (reply != null) {
      ctx.writeAndFlush(reply);
    }
  }

  /** Sends the reply to a store when all files have been read again. */
  private void sendAfter(Maintenance.Reload reload, ChannelHandlerContext ctx, Object reply) {
    LongReply later =
        new LongReply() {
          @Override
          public Progress writePiece() {
            if (!reload.goOn()) {
              return Progress.MORE;
            }
            send(ctx, reply);
            return Progress.END;
          }

          @Override
          public long bytes() {
            return 0;
          }

          @Override
          public void close() {}
        };
    if (turns != null) {
      turns.send(later);
      return;
    }
    LongReply.Progress progress;
    do {
      progress = later.writePiece();
    } while (progress == LongReply.Progress.MORE);
  }

  /** Returns the reply, or null if there is none. */
  private Reply reply(Message message) {
    return switch (message) {
      case Request request -> replies.reply(request, session, role);
      case Profile profile -> {
        session.setProfile(profile);
        yield null;
      }
      default -> role.receive(message);
    };
  }

  /** A fetch that goes on in the next turns of its connection. */
  private final class LaterFetch implements LongReply {
    private final ChannelHandlerContext ctx;
    private final PendingFetch fetch;

    LaterFetch(ChannelHandlerContext ctx, PendingFetch fetch) {
      this.ctx = ctx;
      this.fetch = fetch;
    }

    @Override
    public Progress writePiece() {
      Object reply = replyOrError(ctx, fetch.request(), fetch);
      if (reply == null) {
        return Progress.MORE;
      }
      send(ctx, reply);
      maintenance.run();
      return Progress.END;
    }

    @Override
    public long bytes() {
      return (long) fetch.request().count() * Integer.BYTES;
    }

    @Override
    public void close() {}
  }

  /**
   * Returns a reply, a {@link Pdu} or an encoded one, and if that fails, an error. No lambda wraps
   * the attempt: code of the JIT's first compiler takes 0.1 µs to create one.
   *
   * @param fetch the message if it is a fetch, or null
   * @return null if there is no reply, or not in this turn
   */
  private Object replyOrError(ChannelHandlerContext ctx, Message message, PendingFetch fetch) {
    try {
      return fetch == null ? reply(message) : replies.reply(fetch, session, role, ctx.channel());
    } catch (RuntimeException | InternalError e) {
      LOG.error("a request failed: {}", kind(message), e);
    } catch (OutOfMemoryError e) { // of direct memory; if the heap is exhausted, the JVM exits
      LOG.error("no memory for the reply to {}", kind(message));
    }
    return message instanceof Request ? Replies.error(PmError.GENERIC) : null;
  }

  private static Object kind(Message message) {
    return message instanceof Pdu pdu ? pdu.type() : message.getClass().getSimpleName();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    maintenance.run();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    ctx.flush(); // the outbound buffer is full
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    role.fail(ctx, cause);
  }
}
