package org.jmmv.replies;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jmmv.core.Catalog;
import org.jmmv.core.Turn;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.Printable;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.ListReply;
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

  /** Has replies that take long go on in later turns. */
  void takeTurns(FlowControl control) {
    turns = control;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    role.begin(ctx, session);
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
    if (message instanceof Fetch fetch) {
      begin(new FetchReply(ctx, fetch, session, role, replies));
      return;
    }
    long start = System.nanoTime();
    Reply reply = replyOrError(message);
    Catalog.Reload reload = message instanceof Result ? replies.catalog().dueReload() : null;
    if (reload != null) {
      begin(new StoreReply(ctx, message, reload, reply));
    } else if (reply instanceof ListReply list) {
      boolean isShared = replies.isShared(message);
      begin(
          new ListTurnReply(
              ctx, message, list, isShared, replies.catalog().changes(), this::recount));
    } else if (reply != null) {
      ctx.writeAndFlush(reply);
    }
    if (turns == null) { // otherwise the Scheduler adds it
      replies.catalog().steps().add(start, System.nanoTime());
    }
  }

  private void recount() {
    if (turns != null) {
      turns.update();
    }
  }

  /** Begins a reply that may take several turns; on a pipe there is one, which does not end. */
  private void begin(TurnReply reply) {
    if (turns != null) {
      turns.send(reply);
      return;
    }
    while (reply.writePiece(Turn.ENDLESS) == LongReply.Progress.MORE) {}
    reply.close();
  }

  /** The reply to a store, which is sent when all files have been read again. */
  private static final class StoreReply extends TurnReply {
    private final Catalog.Reload reload;
    private final Reply reply;

    StoreReply(ChannelHandlerContext ctx, Message store, Catalog.Reload reload, Reply reply) {
      super(ctx, store);
      this.reload = reload;
      this.reply = reply;
    }

    @Override
    boolean write(Turn turn) {
      boolean isOver = reload.goOn(turn);
      if (isOver) {
        ctx.writeAndFlush(reply);
      }
      return isOver;
    }

    @Override
    public long bytes() {
      return 0; // the request is not kept, and the reply is an ERROR
    }
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

  /** Returns the reply, or null if there is none. */
  private Reply replyOrError(Message message) {
    try {
      return reply(message);
    } catch (RuntimeException | InternalError | OutOfMemoryError e) {
      Reply error = TurnReply.failure(TurnReply.kind(message), e);
      return message instanceof Request ? error : null;
    }
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
