package org.jmmv.replies;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Printable;
import org.jmmv.protocol.Message;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Request;
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

  RequestHandler(
      Replies replies, Maintenance maintenance, DebugOptions debug, Role role, Session session) {
    this.replies = replies;
    this.maintenance = maintenance;
    this.debug = debug;
    this.role = role;
    this.session = session;
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
    Object reply = reply(ctx, message);
    if (reply != null) {
      ctx.write(reply);
      maintenance.flush(ctx);
    }
  }

  /** Returns the reply, a {@link Pdu} or an encoded one, or null if there is none. */
  private Object reply(ChannelHandlerContext ctx, Message message) {
    try {
      return switch (message) {
        case Request request -> replies.reply(request, session, role, ctx.channel());
        case Profile profile -> {
          session.setProfile(profile);
          yield null;
        }
        default -> role.receive(message);
      };
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
    maintenance.run(ctx);
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
