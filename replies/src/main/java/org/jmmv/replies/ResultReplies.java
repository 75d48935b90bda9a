package org.jmmv.replies;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Turn;
import org.jmmv.core.View;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.ResultWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the replies to fetches, encoded, one after the other in the same buffer. */
public final class ResultReplies {
  private static final Logger LOG = LoggerFactory.getLogger(ResultReplies.class);

  /**
   * The maximum size of a RESULT in bytes: 64 MiB. A FETCH may contain the same PMID many times, so
   * the limits of what is served do not bound the size.
   */
  public static final int MAX_RESULT = 64 << 20;

  private final Catalog catalog;
  private final ResultWriter result = new ResultWriter();
  private final ReplyBuffer buffer = new ReplyBuffer();

  ResultReplies(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Returns the error for a PMID that is unknown. */
  static PmError unknown(int pmid, Role role) {
    return role.hasDomain(Pmid.domain(pmid)) ? PmError.PMID : PmError.NOAGENT;
  }

  /**
   * Writes and flushes the reply to a fetch: a RESULT, or an ERROR if the context has no profile, if
   * the RESULT would be larger than {@link #MAX_RESULT}, or if there is no memory for it.
   *
   * @return false if the turn was over before
   */
  boolean write(
      PendingFetch pending, Session session, Role role, ChannelHandlerContext ctx, Turn turn) {
    Fetch fetch = pending.request();
    InstanceFilter filter = session.profile(fetch.context());
    if (filter == null && !role.isCollector()) {
      filter = session.lastProfile();
    }
    if (filter == null) {
      ctx.writeAndFlush(Replies.error(PmError.NOPROFILE));
      return true;
    }
    boolean isWaiting =
        ctx.channel().bytesBeforeUnwritable()
            <= ctx.channel().config().getWriteBufferHighWaterMark();
    long start = System.nanoTime();
    View view = catalog.begin(new Scope.OfMetrics(fetch));
    Metric[] metrics = view.metrics(fetch);
    long size = pending.locate(view, metrics, filter, turn);
    if (size < 0) {
      return false;
    }
    try {
      if (size <= MAX_RESULT && encode(fetch, view, metrics, filter, role, (int) size)) {
        catalog.fetches().add(result.values(), System.nanoTime() - start);
        role.endResult(fetch, result, session.takeChanges(catalog.changes()));
        ByteBuf reply = buffer.reply();
        ctx.writeAndFlush(role.isCollector() ? ReplyBuffer.lasting(reply, isWaiting) : reply);
        return true;
      }
    } catch (OutOfMemoryError e) { // of direct memory; if the heap is exhausted, the JVM exits
      LOG.error("no memory for the reply to a fetch of {} metrics", fetch.count());
    }
    buffer.shrink();
    ctx.writeAndFlush(Replies.error(PmError.GENERIC));
    return true;
  }

  /**
   * Encodes a result except for its end. Returns false if it would be too large.
   *
   * @param sizeOfSets as for {@link ResultWriter#begin}
   */
  private boolean encode(
      Fetch fetch, View view, Metric[] metrics, InstanceFilter filter, Role role, int sizeOfSets) {
    result.begin(buffer.clear(), fetch.isHighRes(), sizeOfSets);
    for (int i = 0; i < fetch.count(); i++) {
      int pmid = fetch.pmid(i);
      result.beginSet(pmid);
      if (metrics[i] == null) {
        result.none(unknown(pmid, role).code());
      } else {
        view.read(metrics[i], filter, result);
      }
      if (result.size() > MAX_RESULT) {
        return false;
      }
    }
    return true;
  }

  /** Releases the memory. */
  void release() {
    buffer.release();
  }
}
