package org.jmmv.collector;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Consumer;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceFilter;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.PmError;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.DescIds;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.Greeting;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.LabelSet;
import org.jmmv.protocol.MalformedPdu;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduDecoder;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.ResultWriter;
import org.jmmv.protocol.TextReq;
import org.jmmv.protocol.UnknownPdu;
import org.jmmv.replies.Replies;
import org.jmmv.replies.ReplyBuffer;
import org.jmmv.replies.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last handler of a client's pipeline. It answers each request before it reads the next one.
 *
 * <p>No exception that a request or a file causes leaves this class: each request is answered, if
 * necessary with an ERROR PDU.
 */
final class ClientHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(ClientHandler.class);

  private static final int FEATURES = Greeting.LABELS | Greeting.HIGHRES | Greeting.DESCS;

  private static final int TLS_FEATURES = Greeting.SECURE | Greeting.SECURE_ACK;

  private static final int VERSION_TYPE = 1;
  private static final int EOPNOTSUPP = 95; // errno(3)

  private final Collector collector;
  private final Catalog catalog;
  private final DebugOptions debug;
  private final Replies replies;
  private final ClientReplies clientReplies;
  private final LabelSet contextLabels;
  private final boolean mayStore;
  private final String peer; // has taken a place
  private final Session session;
  private final ReplyBuffer buffer; // shared by all clients
  private final int number; // in pmcd.client.whoami
  private final Timeouts timeouts;
  private boolean isIntroduced; // has sent its CREDS

  ClientHandler(
      Collector collector,
      LabelSet contextLabels,
      boolean mayStore,
      String peer,
      Channel channel,
      PduDecoder requests) {
    this.collector = collector;
    buffer = collector.replyBuffer();
    timeouts = new Timeouts(channel, requests, collector.unreadReplies());
    catalog = collector.catalog();
    debug = collector.debug();
    replies = collector.replies();
    clientReplies = collector.clientReplies();
    this.contextLabels = contextLabels;
    this.mayStore = mayStore;
    this.peer = peer;
    session = collector.profiles().open(peer);
    number = collector.clients().add();
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    session.asked(catalog.changes());
    ctx.writeAndFlush(Greeting.admit(features()));
  }

  private int features() {
    return FEATURES | (collector.tls().isPresent() ? TLS_FEATURES : 0);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    collector.clients().remove(number);
    collector.quota().leave(peer);
    session.close();
    timeouts.end();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!ctx.channel().isActive()) {
      return; // closed by an earlier PDU of the same read
    }
    timeouts.received();
    switch (message) {
      case Creds creds -> introduce(ctx, creds);
      case Object _ when !isIntroduced -> ctx.close();
      case Profile profile -> session.setProfile(profile);
      case Pdu request -> safelyAnswer(ctx, request);
      case MalformedPdu malformed -> {
        if (debug.pdu()) {
          LOG.debug("malformed PDU {}: {}", malformed.type(), malformed.reason());
        }
        ctx.write(Replies.error(PmError.IPC));
      }
      case UnknownPdu unknown -> {
        if (unknown.typeCode() <= 0) {
          ctx.close();
        } else {
          ctx.write(Replies.error(PmError.IPC));
        }
      }
      default -> throw new IllegalStateException(message.toString());
    }
    collector.maintenance().flush(ctx);
  }

  private void introduce(ChannelHandlerContext ctx, Creds creds) {
    for (int credential : creds.credentials()) {
      if (credential >>> 24 == VERSION_TYPE && (credential >>> 16 & 0xff) != 0) {
        isIntroduced = true;
        int asked = credential & 0xffff;
        if ((asked & Greeting.COMPRESS) != 0) {
          ctx.write(new PduError(0, -EOPNOTSUPP)); // as pmcd
        } else if ((asked & ~features()) != 0) {
          ctx.write(Replies.error(PmError.IPC));
        } else if ((asked & Greeting.SECURE) != 0) {
          secure(ctx, (asked & Greeting.SECURE_ACK) != 0);
        }
      }
    }
    if (!isIntroduced) {
      ctx.close();
    }
  }

  /**
   * Changes the connection to TLS.
   *
   * @param isAwaited whether the client waits for a reply before it begins with TLS
   */
  private void secure(ChannelHandlerContext ctx, boolean isAwaited) {
    if (isAwaited) {
      ctx.writeAndFlush(new PduError(0, 0)); // before the handler is added, which would encrypt it
    }
    collector
        .tls()
        .filter(_ -> ctx.pipeline().get(SslHandler.class) == null)
        .ifPresent(tls -> ctx.pipeline().addFirst(tls.newHandler(ctx.alloc())));
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    collector.maintenance().run(ctx);
    timeouts.check();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    ctx.flush(); // the outbound buffer is full
    timeouts.check();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof OutOfMemoryError) { // of direct memory, when reading
      LOG.error("no memory for the requests of a client: its connection ends");
    } else if (debug.pdu() && !(cause instanceof IOException)) { // not a reset, the normal end
      LOG.debug("a client's connection ends: {}", cause.getMessage());
    }
    ctx.close();
  }

  private void safelyAnswer(ChannelHandlerContext ctx, Pdu request) {
    try {
      answer(ctx, request);
    } catch (RuntimeException | InternalError e) {
      LOG.error("a request failed: {}", request.type(), e);
      ctx.write(Replies.error(PmError.GENERIC));
    } catch (OutOfMemoryError e) { // of direct memory; if the heap is exhausted, the JVM exits
      LOG.error("no memory for the reply to {}", request.type());
      ctx.write(Replies.error(PmError.GENERIC));
    }
  }

  private void answer(ChannelHandlerContext ctx, Pdu request) {
    if (request instanceof Fetch fetch) {
      fetch(ctx, fetch);
    } else {
      ctx.write(reply(request));
    }
  }

  private Pdu reply(Pdu request) {
    return switch (request) {
      case Result store -> store(store);
      case DescReq describe -> replies.describe(describe);
      case DescIds describe -> clientReplies.describe(describe);
      case InstanceReq instances -> replies.instances(instances);
      case TextReq text -> replies.text(text);
      case PmnsNames names -> clientReplies.pmids(names);
      case PmnsIds ids -> replies.names(ids);
      case PmnsChild children -> replies.children(children);
      case PmnsTraverse traverse -> replies.traverse(traverse);
      case LabelReq labels -> clientReplies.labels(labels, contextLabels, session.lastProfile());
      default -> Replies.error(PmError.IPC);
    };
  }

  private PduError store(Result store) {
    if (!mayStore) {
      return Replies.error(PmError.PERMISSION);
    }
    collector.clients().setAsking(number);
    return replies.store(store);
  }

  private void fetch(ChannelHandlerContext ctx, Fetch fetch) {
    InstanceFilter filter = session.profile(fetch.context());
    // neither captures anything, so that no object is made for each fetch
    Consumer<ResultWriter> end =
        fetch.isHighRes() ? ClientHandler::endHighRes : ClientHandler::endInMicros;
    boolean isWaiting = timeouts.isWaiting();
    Object reply = replies.fetch(fetch, filter, buffer, end);
    if (!(reply instanceof ByteBuf result)) {
      ctx.write(reply);
      return;
    }
    ByteBuf lasting = ReplyBuffer.lasting(result, isWaiting);
    int news = session.news(catalog.changes());
    if (news != 0) {
      session.told(catalog.changes());
      ctx.write(new PduError(0, news));
    }
    ctx.write(lasting);
  }

  private static void endHighRes(ResultWriter result) {
    Instant now = Instant.now();
    result.end(now.getEpochSecond(), now.getNano());
  }

  private static void endInMicros(ResultWriter result) {
    Instant now = Instant.now();
    result.end(now.getEpochSecond(), now.getNano() / 1000);
  }
}
