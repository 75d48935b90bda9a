package org.jmmv.replies;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
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
   * Replies to a fetch.
   *
   * @return the encoded RESULT, or an ERROR if the context has no profile, if the RESULT would be
   *     larger than {@link #MAX_RESULT}, or if there is no memory for it
   */
  Object fetch(Fetch fetch, Session session, Role role, Channel channel) {
    InstanceFilter filter = session.profile(fetch.context());
    if (filter == null && !role.isCollector()) {
      filter = session.lastProfile();
    }
    if (filter == null) {
      return Replies.error(PmError.NOPROFILE);
    }
    boolean isWaiting =
        channel.bytesBeforeUnwritable() <= channel.config().getWriteBufferHighWaterMark();
    try {
      if (write(fetch, filter, role)) {
        role.endResult(fetch, result, session.takeChanges(catalog.changes()));
        ByteBuf reply = buffer.reply();
        return role.isCollector() ? ReplyBuffer.lasting(reply, isWaiting) : reply;
      }
    } catch (OutOfMemoryError e) { // of direct memory; if the heap is exhausted, the JVM exits
      LOG.error("no memory for the reply to a fetch of {} metrics", fetch.count());
    }
    buffer.shrink();
    return Replies.error(PmError.GENERIC);
  }

  /** Writes a result except for its end. Returns false if it would be too large. */
  private boolean write(Fetch fetch, InstanceFilter filter, Role role) {
    long start = System.nanoTime();
    View view = catalog.begin(new Scope.OfMetrics(fetch));
    Metric[] metrics = view.metrics(fetch);
    int count = fetch.count();
    long sets = 0;
    for (int i = 0; i < count; i++) {
      sets += ResultWriter.sizeOfSet(metrics[i] == null ? 0 : metrics[i].maxValues(filter));
    }
    if (sets > MAX_RESULT) {
      return false;
    }
    result.begin(buffer.clear(), fetch.isHighRes(), (int) sets);
    for (int i = 0; i < count; i++) {
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
    catalog.fetches().add(result.values(), System.nanoTime() - start);
    return true;
  }

  /** Releases the memory. */
  void release() {
    buffer.release();
  }
}
