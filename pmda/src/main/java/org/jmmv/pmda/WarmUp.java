package org.jmmv.pmda;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jmmv.core.Catalog;
import org.jmmv.core.FaultListener;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.TextType;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.MalformedPduException;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduType;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.TextReq;
import org.jmmv.replies.PduService;
import org.jmmv.serving.Maintenance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the JVM compile the code of requests before the first client asks: otherwise the first {@code
 * pminfo} takes longer, twice as long on a busy machine. After the start, while there are no
 * requests, it asks another pipeline about sample files, which are always the same, so that no
 * application can make it take longer. Then it removes itself, or when clients have warmed the code
 * up themselves.
 */
final class WarmUp extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
  private static final String ROOT = "mmv";
  private static final int DOMAIN = 70;

  /** How often each request is made. The JVM compiles what has been called ten times or more. */
  private static final int TIMES = 3;

  /** The maximum number of metrics in a fetch. */
  private static final int FETCHED = 10;

  /** The length of a slice of work. */
  private static final long AT_ONCE_NANOS = 2_000_000;

  /** How long there must have been no request: they often come one after the other. */
  private static final long QUIET_NANOS = 20_000_000;

  /** So many requests without a pause warm the code up themselves. */
  private static final int ENOUGH = 1_000;

  private final Path sample;
  private int requestsRead;
  private long lastRequest;
  private Catalog catalog; // null before the first request about the sample files
  private EmbeddedChannel channel;
  private final Deque<String> names = new ArrayDeque<>(); // of metrics not asked about yet
  private final List<Integer> pmids = new ArrayList<>(); // of the others
  private final List<ByteBuf> requests = new ArrayList<>(); // that have been made
  private int repeated; // number of requests

  /**
   * Creates a handler that comes first in the pipeline of an agent.
   *
   * @param sample a directory with MMV files of every kind
   */
  WarmUp(Path sample) {
    this.sample = sample;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    ctx.fireChannelActive();
    lastRequest = System.nanoTime();
    continueLater(ctx);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    lastRequest = System.nanoTime();
    ctx.fireChannelReadComplete();
    if (++requestsRead == ENOUGH && !ctx.isRemoved()) { // the request may have ended the connection
      ctx.pipeline().remove(this);
    }
  }

  /** Returns the number of requests that it has made. */
  int requests() {
    return requests.size() + repeated;
  }

  private void continueLater(ChannelHandlerContext ctx) {
    ctx.executor().schedule(() -> continueIfQuiet(ctx), 1, TimeUnit.MILLISECONDS);
  }

  private void continueIfQuiet(ChannelHandlerContext ctx) {
    if (ctx.isRemoved()) {
      return;
    }
    if (System.nanoTime() - lastRequest < QUIET_NANOS) {
      continueLater(ctx);
      return;
    }
    try {
      if (askForSomeTime()) {
        continueLater(ctx);
        return;
      }
    } catch (RuntimeException | InternalError e) { // the agent serves nevertheless
      LOG.warn("the warm-up failed", e);
    }
    ctx.pipeline().remove(this);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    if (catalog != null) {
      channel.finishAndReleaseAll();
      catalog.close();
    }
  }

  /** Returns whether there is more to ask. */
  private boolean askForSomeTime() {
    long start = System.nanoTime();
    if (catalog == null) {
      begin();
    }
    while (System.nanoTime() - start < AT_ONCE_NANOS) {
      if (!names.isEmpty()) {
        askAbout(names.remove());
      } else if (repeated < (TIMES - 1) * requests.size()) {
        make(requests.get(repeated++ % requests.size()));
      } else {
        return false;
      }
    }
    return true;
  }

  private void begin() {
    DebugOptions debug = new DebugOptions();
    catalog =
        new Catalog.Builder(sample)
            .root(ROOT)
            .domain(DOMAIN)
            .debug(debug)
            .faults(FaultListener.NONE)
            .build();
    channel = new EmbeddedChannel();
    Maintenance maintenance = new Maintenance(catalog, channel.eventLoop());
    PduService service = new PduService(catalog, maintenance, debug);
    service.serve(channel.pipeline(), new PmcdRole(_ -> {}), "pmcd");
    channel.closeFuture().addListener(_ -> service.close());
    maintenance.load();
    names.addAll(((PmnsNames) ask(new PmnsTraverse(0, ROOT))).names());
  }

  /** Asks what pminfo asks about a metric. */
  private void askAbout(String name) {
    int pmid = ((PmnsIds) ask(new PmnsNames(0, List.of(name), List.of()))).pmids().getFirst();
    pmids.add(pmid);
    int inDom = ((Desc) ask(new DescReq(0, pmid))).inDom();
    if (inDom != InDom.NULL) {
      ask(new InstanceReq(0, inDom, Instance.NULL, ""));
      ask(new LabelReq(0, inDom, LabelType.INSTANCES));
    }
    ask(new TextReq(0, pmid, TextType.PMID | TextType.ONELINE));
    ask(new LabelReq(0, pmid, LabelType.ITEM));
    ask(Profile.all(0, 0), Fetch.of(0, 0, pmid));
    List<Integer> last = pmids.subList(Math.max(0, pmids.size() - FETCHED), pmids.size());
    ask(Profile.all(0, 0), Fetch.of(0, 0, last.stream().mapToInt(Integer::intValue).toArray()));
  }

  /** Makes a request for the first time, and returns the reply. */
  private Pdu ask(Pdu... request) {
    ByteBuf bytes = Unpooled.buffer();
    for (Pdu pdu : request) {
      pdu.encode(bytes);
    }
    requests.add(bytes);
    channel.writeInbound(bytes.retainedDuplicate());
    ByteBuf reply = Unpooled.buffer();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      reply.writeBytes(part);
      part.release();
    }
    try {
      return Pdu.decode(
          PduType.of(reply.getInt(4)), reply.getInt(8), reply.skipBytes(Pdu.HEADER_LENGTH));
    } catch (MalformedPduException e) {
      throw new IllegalStateException(e);
    }
  }

  private void make(ByteBuf request) {
    channel.writeInbound(request.retainedDuplicate());
    channel.releaseOutbound();
  }
}
