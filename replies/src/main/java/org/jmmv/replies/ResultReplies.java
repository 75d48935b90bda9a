package org.jmmv.replies;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jmmv.core.Catalog;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Pmid;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.ResultWriter;
import org.jmmv.reader.FileTruncated;
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

  /**
   * How often a metric is read in a fetch if a file is truncated each time. Thousands of files may
   * share a metric.
   */
  public static final int ATTEMPTS = 8;

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
    Metric[] metrics = catalog.fresh(new Scope.OfMetrics(fetch));
    int count = fetch.count();
    long sets = 0;
    for (int i = 0; i < count; i++) {
      sets += ResultWriter.sizeOfSet(metrics[i] == null ? 0 : metrics[i].maxValues(filter));
    }
    if (sets > MAX_RESULT) {
      return false;
    }
    result.begin(buffer.clear(), fetch.isHighRes(), (int) sets);
    boolean isValid = true; // metrics
    for (int i = 0; i < count; i++) {
      int pmid = fetch.pmid(i);
      result.beginSet(pmid);
      isValid &= write(isValid ? metrics[i] : catalog.metric(pmid), pmid, filter, role);
      if (result.size() > MAX_RESULT) {
        return false;
      }
    }
    catalog.fetches().add(result.values(), System.nanoTime() - start);
    return true;
  }

  /**
   * Writes the values of a metric. Files that are truncated meanwhile are dropped, and the metric
   * is read again without them.
   *
   * @param metric null if the PMID is unknown
   * @return false if a file was dropped
   */
  private boolean write(Metric metric, int pmid, InstanceFilter filter, Role role) {
    Metric current = metric;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        if (current == null) {
          result.none(unknown(pmid, role).code());
        } else {
          current.read(filter, result);
        }
        return attempt == 0;
      } catch (FileTruncated truncated) {
        result.clearSet();
        catalog.drop(truncated.file());
        current = catalog.metric(pmid);
      }
    }
    result.none(0);
    return false;
  }

  /** Releases the memory. */
  void release() {
    buffer.release();
  }
}
