package org.jmmv.pmda;

import static org.jmmv.pcp.Printable.printable;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.util.function.Consumer;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceFilter;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.PmError;
import org.jmmv.posix.PosixProcess;
import org.jmmv.protocol.Attr;
import org.jmmv.protocol.ControlReq;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescIds;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Descs;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.Greeting;
import org.jmmv.protocol.HighResResult;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.Instances;
import org.jmmv.protocol.Label;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.MalformedPdu;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PduType;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.ResultWriter;
import org.jmmv.protocol.Text;
import org.jmmv.protocol.TextReq;
import org.jmmv.protocol.UnknownPdu;
import org.jmmv.replies.Maintenance;
import org.jmmv.replies.Profiles;
import org.jmmv.replies.Replies;
import org.jmmv.replies.ReplyBuffer;
import org.jmmv.replies.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last handler of an agent's pipeline. It answers each request before it reads the next one.
 *
 * <p>No exception that a request or a file causes leaves this class: a request that has a reply is
 * answered, if necessary with an ERROR PDU. The channel is closed only if the boundaries of PDUs
 * can't be found any more. While the peer does not read its replies, no requests are read.
 */
final class RequestHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

  private final Catalog catalog;
  private final DebugOptions debug;
  private final boolean greets;
  private final Runnable loaded;
  private final Replies replies;
  private final Session session = new Profiles().open("pmcd");
  private final ReplyBuffer buffer = new ReplyBuffer();
  private final Consumer<ResultWriter> end = this::end; // made once, not for each fetch
  private Maintenance maintenance; // from handlerAdded on

  /**
   * Creates a handler for one connection.
   *
   * @param greets whether to send CREDS first
   * @param loaded called when the files have been read
   */
  RequestHandler(Catalog catalog, DebugOptions debug, boolean greets, Runnable loaded) {
    this.catalog = catalog;
    this.debug = debug;
    this.greets = greets;
    this.loaded = loaded;
    replies = new Replies(catalog, _ -> PmError.PMID);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    maintenance = new Maintenance(catalog, ctx.executor());
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    if (greets) {
      ctx.writeAndFlush(Creds.version2(PosixProcess.processId()));
    }
    maintenance.load(); // before the first request, which pmcd sends later
    loaded.run();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    maintenance.end();
    buffer.release();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    switch (message) {
      case Pdu request -> {
        if (debug.libpmda()) {
          LOG.debug("request {}", printable(request.toString()));
        }
        Object reply = safelyAnswer(request);
        if (reply != null) {
          reply(ctx, reply);
        }
      }
      case MalformedPdu malformed -> {
        LOG.warn("malformed PDU {}: {}", malformed.type(), malformed.reason());
        if (hasReply(malformed.type())) {
          reply(ctx, Replies.error(PmError.IPC));
        }
      }
      case UnknownPdu unknown ->
          LOG.warn(
              "PDU of unknown type 0x{}, {} bytes, skipped",
              Integer.toHexString(unknown.typeCode()),
              unknown.length());
      default -> throw new IllegalStateException(message.toString());
    }
  }

  private void reply(ChannelHandlerContext ctx, Object reply) {
    ctx.write(reply);
    maintenance.flush(ctx);
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
    if (cause instanceof IOException) {
      return; // the connection is broken, and Netty closes the channel
    }
    LOG.error("the connection ends: {}", cause.getMessage());
    ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  private static boolean hasReply(PduType type) {
    return switch (type) {
      case FETCH,
          RESULT,
          DESC_REQ,
          INSTANCE_REQ,
          TEXT_REQ,
          PMNS_IDS,
          PMNS_NAMES,
          PMNS_CHILD,
          PMNS_TRAVERSE,
          LABEL_REQ ->
          true;
      default -> false;
    };
  }

  private Object safelyAnswer(Pdu request) {
    try {
      if (!hasReply(request.type())) {
        take(request);
        return null;
      }
      Object reply = answer(request);
      session.asked(catalog.changes());
      return reply;
    } catch (RuntimeException | InternalError e) {
      LOG.error("a request failed: {}", request.type(), e);
      return hasReply(request.type()) ? Replies.error(PmError.GENERIC) : null;
    }
  }

  /** Handles a PDU that has no reply. */
  private void take(Pdu message) {
    switch (message) {
      case Profile profile -> session.setProfile(profile);
      case PduError error -> {
        if (error.code() != PmError.NOTCONN.code()) { // PM_ERR_NOTCONN: a client has disconnected
          LOG.warn("pmcd sent the error {}", PmError.describe(error.code()));
        }
      }
      case Creds _, Attr _ -> {}
      default -> LOG.warn("unexpected PDU {}, skipped", message.type());
    }
  }

  /** Returns the reply to a request: a {@link Pdu}, or an encoded one. */
  private Object answer(Pdu request) {
    return switch (request) {
      case Fetch fetch -> fetch(fetch);
      case Result store -> replies.store(store);
      case DescReq describe -> replies.describe(describe);
      case InstanceReq instances -> replies.instances(instances);
      case TextReq text -> replies.text(text);
      case PmnsNames names -> replies.pmid(names);
      case PmnsIds ids -> replies.names(ids);
      // pmcd asks for names below mmv; the agent has no root
      case PmnsChild(_, _, String name) when name.isEmpty() -> Replies.error(PmError.NAME);
      case PmnsTraverse(_, String name) when name.isEmpty() -> Replies.error(PmError.NAME);
      case PmnsChild children -> replies.children(children);
      case PmnsTraverse traverse -> replies.traverse(traverse);
      case LabelReq labels -> replies.labels(labels, session.lastProfile());
      case Attr _,
          ControlReq _,
          Creds _,
          Desc _,
          DescIds _,
          Descs _,
          Greeting _,
          HighResResult _,
          Instances _,
          Label _,
          PduError _,
          Profile _,
          Text _ ->
          throw new IllegalArgumentException("no reply to " + request.type());
    };
  }

  private Object fetch(Fetch fetch) {
    InstanceFilter filter = session.profile(fetch.context());
    return replies.fetch(fetch, filter == null ? session.lastProfile() : filter, buffer, end);
  }

  private void end(ResultWriter result) {
    session.asked(catalog.changes());
    result.end(session.news(catalog.changes()), 0);
    session.told(catalog.changes());
  }
}
