package org.jmmv.pmda;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InstanceReq;
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
import org.jmmv.protocol.TextReq;
import org.jmmv.protocol.UnknownPdu;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.jmmv.reader.MmvFault;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.posix.PosixProcess;

/**
 * The end of the pipeline: answers each request before the next is read.
 *
 * <p>Nothing that a request or a file can do gets out of here: what has a reply is answered, with
 * an error at the worst. Only a stream that can't be trusted any more is closed.
 */
final class RequestHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = Logger.getLogger(RequestHandler.class.getName());

  private final Agent agent;
  private final Answers answers;
  private final FetchWriter fetchWriter;
  private final InstanceFilter filter = new InstanceFilter();
  private ByteBuf fetched = newBuffer();

  RequestHandler(Agent agent) {
    this.agent = agent;
    answers = new Answers(agent.catalog(), agent.control());
    fetchWriter = new FetchWriter(agent.catalog(), agent.control());
  }

  private static ByteBuf newBuffer() {
    return UnpooledByteBufAllocator.DEFAULT.directBuffer(64 << 10);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    ctx.writeAndFlush(Creds.version2(PosixProcess.processId()));
    try {
      agent.load(); // pmcd has other things to do before it sends the first request
    } catch (RuntimeException | InternalError e) {
      LOG.log(Level.SEVERE, "the files can't be read yet", e);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    fetched.release();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    handle(ctx, message);
    if (!ctx.channel().isWritable()) { // enough answers wait to be written
      ctx.flush();
    }
  }

  private void handle(ChannelHandlerContext ctx, Object message) {
    if (message instanceof Pdu request) {
      if (agent.debug().libpmda()) {
        LOG.fine("request " + MmvFault.printable(request.toString()));
      }
      Object reply = safelyAnswer(request);
      if (reply != null) {
        ctx.write(reply);
      }
    } else if (message instanceof MalformedPdu malformed) {
      LOG.warning("malformed PDU " + malformed.type() + ": " + malformed.reason());
      if (hasReply(malformed.type())) {
        ctx.write(Answers.error(PmError.IPC));
      }
    } else if (message instanceof UnknownPdu unknown) {
      LOG.warning(
          String.format(
              "PDU of the unknown type 0x%x, %d bytes, skipped",
              unknown.typeCode(), unknown.length()));
    } else {
      throw new IllegalStateException(message.toString());
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    ctx.flush();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.log(Level.SEVERE, "the connection ends: " + cause.getMessage());
    ctx.flush();
    ctx.close();
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
      return answer(request);
    } catch (RuntimeException | InternalError e) {
      LOG.log(Level.SEVERE, "a request failed: " + request.type(), e);
      return hasReply(request.type()) ? Answers.error(PmError.GENERIC) : null;
    }
  }

  /**
   * The reply, a {@link Pdu} or the bytes of one, or null if the request has none. To switch on the
   * record instead of its type would take ten milliseconds to link, in the first request.
   */
  private Object answer(Pdu request) {
    return switch (request.type()) {
      case PROFILE -> {
        filter.set((Profile) request);
        yield null;
      }
      case FETCH -> fetch((Fetch) request);
      case DESC_REQ -> {
        DescReq describe = (DescReq) request;
        agent.refresh();
        agent.check(describe.pmid());
        yield answers.describe(describe);
      }
      case INSTANCE_REQ -> {
        InstanceReq instances = (InstanceReq) request;
        agent.refresh();
        agent.checkInDom(instances.inDom());
        yield answers.instances(instances);
      }
      case TEXT_REQ -> {
        TextReq text = (TextReq) request;
        agent.refresh();
        agent.check(text.ident());
        agent.checkInDom(text.ident());
        yield answers.text(text);
      }
      case PMNS_NAMES -> {
        PmnsNames names = (PmnsNames) request;
        agent.refresh();
        for (String name : names.names()) {
          NameSpace.Claim leaf = agent.catalog().names().leaf(name);
          if (leaf != null) {
            agent.check(leaf.pmid());
          }
        }
        yield answers.pmid(names);
      }
      case PMNS_IDS -> {
        PmnsIds ids = (PmnsIds) request;
        agent.refresh();
        ids.pmids().forEach(agent::check);
        yield answers.names(ids);
      }
      case PMNS_CHILD -> {
        agent.refreshAll();
        yield answers.children((PmnsChild) request);
      }
      case PMNS_TRAVERSE -> {
        agent.refreshAll();
        yield answers.traverse((PmnsTraverse) request);
      }
      case LABEL_REQ -> {
        LabelReq labels = (LabelReq) request;
        agent.refresh();
        agent.checkCluster(labels.ident());
        agent.checkInDom(labels.ident());
        yield answers.labels(labels, filter);
      }
      case RESULT -> {
        agent.refresh();
        yield store((Result) request);
      }
      case ERROR -> {
        int code = ((PduError) request).code();
        if (code != PmError.NOTCONN.code()) {
          LOG.warning("pmcd sent the error " + PmError.describe(code));
        }
        yield null;
      }
      case CREDS, ATTR -> null;
      case CONTROL_REQ, DESC, INSTANCE, TEXT, LABEL -> {
        LOG.warning("unexpected PDU " + request.type() + ", skipped");
        yield null;
      }
    };
  }

  private Object fetch(Fetch fetch) {
    agent.refresh();
    for (int i = 0; i < fetch.count(); i++) {
      agent.check(fetch.pmid(i));
    }
    if (fetched.refCnt() > 1) { // an earlier reply that has not been written yet
      renewBuffer();
    }
    while (true) {
      try {
        boolean fits = fetchWriter.write(fetch, filter, agent.changes(), fetched.clear());
        MmvFile.awaitFault();
        if (!fits) {
          return Answers.error(PmError.GENERIC);
        }
        agent.changesTold();
        return fetched.retain();
      } catch (OutOfMemoryError e) { // only the buffer's: the launcher lets the heap's end the JVM
        renewBuffer();
        LOG.severe("no memory for the reply to a fetch of " + fetch.count() + " metrics");
        return Answers.error(PmError.GENERIC);
      } catch (InternalError cutOff) {
        if (fetchWriter.reading() == null) {
          throw cutOff;
        }
        agent.drop(fetchWriter.reading());
      }
    }
  }

  private void renewBuffer() {
    fetched.release();
    fetched = newBuffer();
  }

  private PduError store(Result store) {
    for (ValueSet set : store.sets()) {
      PmError error = store(set);
      if (error != null) {
        return Answers.error(error);
      }
    }
    return new PduError(0, 0);
  }

  private PmError store(ValueSet set) {
    if (!agent.control().has(set.pmid())) {
      return PmError.PERMISSION;
    }
    if (set.values().size() != 1) {
      return PmError.BADSTORE;
    }
    Value value = set.values().getFirst().value();
    switch (Pmid.item(set.pmid())) {
      case ControlMetrics.RELOAD -> {
        if (!(value instanceof Value.Word word)) {
          return PmError.CONV;
        }
        if (word.bits() != 0) {
          agent.reload();
        }
        return null;
      }
      case ControlMetrics.DEBUG -> {
        try {
          DebugOptions.parse(value.asText()); // a wrong one changes nothing
          agent.debug().clear();
          agent.debug().set(value.asText());
          return null;
        } catch (IllegalArgumentException e) {
          return PmError.CONV;
        }
      }
      default -> {
        return PmError.PERMISSION;
      }
    }
  }
}
