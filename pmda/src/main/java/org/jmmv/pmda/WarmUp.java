package org.jmmv.pmda;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.FaultListener;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.View;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Pmid;
import org.jmmv.pcp.TextType;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.Pdu;
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
 * application can make it take longer. It removes itself at the end, and before that if clients
 * have made {@link #ENOUGH} requests without a pause.
 */
final class WarmUp extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
  private static final String ROOT = "mmv";

  /** How often each request is made. The JVM compiles what has been called ten times or more. */
  private static final int TIMES = 3;

  /** The maximum number of metrics in a fetch. */
  private static final int FETCHED = 10;

  /** The length of a slice of work. */
  private static final long AT_ONCE_NANOS = 2_000_000;

  /** How long there must have been no request: they often come one after the other. */
  private static final long QUIET_NANOS = 20_000_000;

  /**
   * After this number of requests without a pause, the code is compiled anyway. Without it, this
   * handler would stay in the pipeline of a busy agent: a fetch of ten values takes 10.2 instead of
   * 9.4 µs.
   */
  private static final int ENOUGH = 1_000;

  private final Path sample;
  private int requestsRead;
  private long lastRequest;
  private Catalog catalog; // null before the first request about the sample files
  private EmbeddedChannel channel;
  private Iterator<String> names; // of metrics that no request is about yet
  private final List<Integer> pmids = new ArrayList<>(); // of the others
  private final List<ByteBuf> requests = new ArrayList<>();
  private int made; // number of requests, with repetitions

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
    return made;
  }

  private void continueLater(ChannelHandlerContext ctx) {
    ctx.executor().schedule(() -> continueIfQuiet(ctx), 1, TimeUnit.MILLISECONDS);
  }

  private void continueIfQuiet(ChannelHandlerContext ctx) {
    if (ctx.isRemoved()) {
      return;
    }
    boolean hasMore = true;
    if (System.nanoTime() - lastRequest >= QUIET_NANOS) {
      try {
        hasMore = makeRequests();
      } catch (RuntimeException | InternalError e) { // the agent serves nevertheless
        LOG.warn("the warm-up failed", e);
        hasMore = false;
      }
    }
    if (hasMore) {
      continueLater(ctx);
    } else {
      ctx.pipeline().remove(this);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    if (catalog != null) {
      channel.finishAndReleaseAll();
      catalog.close();
    }
  }

  /** Makes requests for some time. Returns whether there are more. */
  private boolean makeRequests() {
    long start = System.nanoTime();
    if (catalog == null) {
      begin();
    }
    while (System.nanoTime() - start < AT_ONCE_NANOS) {
      if (made == requests.size() && names.hasNext()) {
        addRequests(names.next());
      }
      if (made == TIMES * requests.size()) {
        return false;
      }
      channel.writeInbound(requests.get(made++ % requests.size()).retainedDuplicate());
      channel.releaseOutbound();
    }
    return true;
  }

  private void begin() {
    DebugOptions debug = new DebugOptions();
    catalog =
        new Catalog(
            new CatalogOptions(sample)
                .root(ROOT)
                .domain(Pmid.MMV_DOMAIN)
                .debug(debug)
                .faults(FaultListener.NONE));
    channel = new EmbeddedChannel();
    Maintenance maintenance = new Maintenance(catalog, channel.eventLoop());
    PduService service = new PduService(catalog, maintenance, channel.eventLoop(), debug);
    service.serve(channel.pipeline(), new PmcdRole(_ -> {}), PmcdRole.USER);
    channel.closeFuture().addListener(_ -> service.close());
    maintenance.load();
    names = catalog.begin(new Scope.AllFiles()).names().leaves(ROOT).iterator();
    add(new PmnsTraverse(0, ROOT));
  }

  /** Adds the requests of pminfo about a metric. */
  private void addRequests(String name) {
    View view = catalog.begin(new Scope.OfName(name));
    Metric metric = view.metric(name);
    int pmid = metric.pmid();
    int inDom = metric.inDom();
    add(new PmnsNames(0, List.of(name), List.of()));
    add(new DescReq(0, pmid));
    if (inDom != InDom.NULL) {
      add(new InstanceReq(0, inDom, Instance.NULL, ""));
      add(new LabelReq(0, inDom, LabelType.INSTANCES));
    }
    add(new TextReq(0, pmid, TextType.PMID | TextType.ONELINE));
    add(new LabelReq(0, pmid, LabelType.ITEM));
    add(Profile.all(0, 0), Fetch.of(0, 0, pmid));
    pmids.add(pmid);
    List<Integer> last = pmids.subList(Math.max(0, pmids.size() - FETCHED), pmids.size());
    add(Profile.all(0, 0), Fetch.of(0, 0, last.stream().mapToInt(Integer::intValue).toArray()));
  }

  /** Adds a request, which may consist of several PDUs. */
  private void add(Pdu... request) {
    ByteBuf bytes = Unpooled.buffer();
    for (Pdu pdu : request) {
      pdu.encode(bytes);
    }
    requests.add(bytes);
  }
}
