package org.jmmv.collector;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.NameTree;
import org.jmmv.core.PmcdClients;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmcd;
import org.jmmv.pcp.User;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.Greeting;
import org.jmmv.protocol.LabelSet;
import org.jmmv.protocol.MalformedPdu;
import org.jmmv.protocol.Message;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.Reply;
import org.jmmv.protocol.ResultWriter;
import org.jmmv.protocol.UnknownPdu;
import org.jmmv.replies.Replies;
import org.jmmv.replies.Role;
import org.jmmv.replies.Session;
import org.jmmv.serving.Tls;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A conversation with a client, as pmcd(1) has it: a greeting, the client's CREDS, TLS if the
 * client wants it, and requests.
 */
final class ClientRole implements Role {
  private static final Logger LOG = LoggerFactory.getLogger(ClientRole.class);

  private static final int FEATURES = Greeting.LABELS | Greeting.HIGHRES | Greeting.DESCS;

  private static final int TLS_FEATURES = Greeting.SECURE | Greeting.SECURE_ACK;

  private static final int VERSION_TYPE = 1;

  /**
   * What the clients of a collector share.
   *
   * @param tls what TLS needs; empty: it is not offered
   */
  record Shared(Catalog catalog, PmcdClients clients, Optional<Tls> tls, DebugOptions debug) {}

  private final Shared shared;
  private final User user;
  private final LabelSet contextLabels;
  private final boolean mayStore;
  private final int number; // in pmcd.client.whoami
  private ChannelHandlerContext ctx; // from begin() on
  private boolean isIntroduced; // has sent its CREDS

  /**
   * Creates an object for a client that has been admitted.
   *
   * @param user the user at the other end
   */
  ClientRole(Shared shared, User user, LabelSet contextLabels, boolean mayStore) {
    this.shared = shared;
    this.user = user;
    this.contextLabels = contextLabels;
    this.mayStore = mayStore;
    number = shared.clients.add();
  }

  @Override
  public int maxRequest() {
    return Pmcd.MAX_REQUEST;
  }

  @Override
  public void begin(ChannelHandlerContext context, Session session) {
    session.begin(shared.catalog.changes()); // as from pmcd, it learns what changes from now on
    ctx = context;
    ctx.writeAndFlush(Greeting.admit(features()));
  }

  private int features() {
    return FEATURES | (shared.tls.isPresent() ? TLS_FEATURES : 0);
  }

  @Override
  public boolean permits(Message message) {
    return isIntroduced || message instanceof Creds;
  }

  @Override
  public Reply receive(Message message) {
    switch (message) {
      case Creds creds -> {
        return introduce(creds);
      }
      case UnknownPdu unknown when unknown.typeCode() <= 0 -> {
        ctx.close();
        return null;
      }
      case MalformedPdu malformed when shared.debug.pdu() ->
          LOG.debug("malformed PDU {}: {}", malformed.type(), malformed.reason());
      default -> {}
    }
    return Replies.error(PmError.IPC);
  }

  /** As pmcd, looks at the last version only: each of 1,024 could ask for an acknowledgement. */
  private Reply introduce(Creds creds) {
    int last = 0;
    for (int credential : creds.credentials()) {
      if (credential >>> 24 == VERSION_TYPE && (credential >>> 16 & 0xff) != 0) {
        last = credential;
      }
    }
    isIntroduced |= last != 0;
    if (!isIntroduced) {
      ctx.close();
    }
    return last == 0 ? null : begin(last & 0xffff);
  }

  /** Begins what the client wants to use, as bits of {@link Greeting#features}. */
  private Reply begin(int features) {
    if ((features & Greeting.COMPRESS) != 0) {
      return new PduError(0, PmError.EOPNOTSUPP); // as pmcd
    }
    if ((features & ~features()) != 0) {
      return Replies.error(PmError.IPC);
    }
    if ((features & Greeting.SECURE) != 0) {
      if ((features & Greeting.SECURE_ACK) != 0) { // the client waits for a reply
        ctx.writeAndFlush(
            new PduError(0, 0)); // before the handler is added, which would encrypt it
      }
      shared.tls.ifPresent(tls -> tls.begin(ctx.channel(), user));
    }
    return null;
  }

  @Override
  public InstanceFilter profile(Session session, int context) {
    return session.profile(context);
  }

  @Override
  public boolean hasNode(NameTree names, String name) {
    return names.contains(name);
  }

  @Override
  public Reply lookUp(PmnsNames names, Replies replies) {
    return replies.pmids(names);
  }

  @Override
  public boolean hasDomain(int domain) {
    return shared.catalog.hasDomain(domain);
  }

  @Override
  public List<LabelSet> contextLabels() {
    return List.of(contextLabels);
  }

  @Override
  public boolean mayStore() {
    return mayStore;
  }

  @Override
  public int client() {
    return number;
  }

  @Override
  public ByteBuf endResult(Fetch fetch, ResultWriter result, int changes) {
    if (changes != 0) {
      ctx.write(new PduError(0, changes)); // precedes the result
    }
    Instant now = Instant.now();
    return result.end(
        now.getEpochSecond(), fetch.isHighRes() ? now.getNano() : now.getNano() / 1000);
  }

  @Override
  public void fail(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof OutOfMemoryError) { // of direct memory, when reading
      LOG.error("no memory for the requests of a client: its connection ends");
    } else if (shared.debug.pdu()
        && !(cause instanceof IOException)) { // not a reset, the usual end
      LOG.debug("a client's connection ends: {}", cause.getMessage());
    }
    context.close();
  }

  @Override
  public void end() {
    shared.clients.remove(number);
  }
}
