package org.jmmv.pmda;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.NameTree;
import org.jmmv.core.PmcdClients;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.User;
import org.jmmv.protocol.Attr;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.LabelSet;
import org.jmmv.protocol.MalformedPdu;
import org.jmmv.protocol.Message;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.Reply;
import org.jmmv.protocol.ResultWriter;
import org.jmmv.protocol.UnknownPdu;
import org.jmmv.replies.Replies;
import org.jmmv.replies.Role;
import org.jmmv.replies.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A conversation with pmcd, as in PMDA(3). The connection is closed only if the boundaries of PDUs
 * can't be found any more.
 */
final class PmcdRole implements Role {
  private static final Logger LOG = LoggerFactory.getLogger(PmcdRole.class);

  /**
   * The maximum length of a request in bytes: 4 MiB. pmcd limits the PDUs of its clients to 64 KiB
   * unless its option -L sets another limit.
   */
  static final int MAX_REQUEST = 4 << 20;

  /** The user who is charged: as the only peer, pmcd shares nothing with anybody. */
  static final User USER = User.of(User.Kind.PMCD);

  private final Consumer<ChannelHandlerContext> begin;

  /**
   * Creates an object.
   *
   * @param begin sends CREDS, and loads the catalogue
   */
  PmcdRole(Consumer<ChannelHandlerContext> begin) {
    this.begin = begin;
  }

  @Override
  public int maxRequest() {
    return MAX_REQUEST;
  }

  @Override
  public void begin(ChannelHandlerContext ctx, Session session) {
    begin.accept(ctx);
  }

  @Override
  public boolean permits(Message message) {
    return true;
  }

  @Override
  public Reply receive(Message message) {
    switch (message) {
      case Creds _, Attr _ -> {}
      case PduError error -> {
        if (error.code() != PmError.NOTCONN.code()) { // PM_ERR_NOTCONN: a client has disconnected
          LOG.warn("pmcd sent the error {}", PmError.describe(error.code()));
        }
      }
      case Pdu pdu -> LOG.warn("unexpected PDU {}, skipped", pdu.type());
      case UnknownPdu unknown ->
          LOG.warn(
              "PDU of unknown type 0x{}, {} bytes, skipped",
              Integer.toHexString(unknown.typeCode()),
              unknown.length());
      case MalformedPdu malformed -> {
        LOG.warn("malformed PDU {}: {}", malformed.type(), malformed.reason());
        return malformed.type().isRequest() ? Replies.error(PmError.IPC) : null;
      }
    }
    return null;
  }

  @Override
  public InstanceFilter profile(Session session, int context) {
    return session.profileOrLast(context);
  }

  /**
   * Returns false for the root: pmcd has that itself, and asks for names below {@code mmv} only.
   */
  @Override
  public boolean hasNode(NameTree names, String name) {
    return !name.isEmpty() && names.contains(name);
  }

  @Override
  public Reply lookUp(PmnsNames names, Replies replies) {
    return replies.pmid(names);
  }

  /** Returns true, because pmcd sends only what it has found to be the agent's. */
  @Override
  public boolean hasDomain(int domain) {
    return true;
  }

  /** Returns none, because pmcd adds these labels itself. */
  @Override
  public List<LabelSet> contextLabels() {
    return List.of();
  }

  @Override
  public boolean mayStore() {
    return true; // pmcd has checked whether the client may
  }

  @Override
  public int client() {
    return PmcdClients.NONE;
  }

  @Override
  public ByteBuf endResult(Fetch fetch, ResultWriter result, int changes) {
    return result.end(changes, 0);
  }

  @Override
  public void fail(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException) {
      return; // the connection is broken, and Netty closes the channel
    }
    LOG.error("the connection ends: {}", cause.getMessage());
    ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void end() {}
}
