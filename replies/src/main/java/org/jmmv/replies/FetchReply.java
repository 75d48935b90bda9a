package org.jmmv.replies;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Metric;
import org.jmmv.core.Scope;
import org.jmmv.core.Selections;
import org.jmmv.core.Turn;
import org.jmmv.core.ValueCursor;
import org.jmmv.core.View;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.PmError;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.ResultWriter;

/**
 * The reply to a fetch: a RESULT, or an ERROR if the context has no profile, if the RESULT would be
 * larger than {@link #MAX_RESULT}, or if there is no memory for it.
 *
 * <p>After files have changed, the values of their metrics are located again when they are fetched,
 * which takes some 0.1 µs for each, and there may be millions. If the turn is over before, what was
 * located stays, and the next turn goes on.
 *
 * <p>The first {@link #ONE_MOMENT} bytes of values are read in one turn, and so are the next ones.
 * Each turn reads the catalogue as it then is, as a client of pmcd sees one agent after the other.
 * A metric of this program, and one of strings, may take several turns.
 */
final class FetchReply extends TurnReply {
  /**
   * The maximum size of a RESULT in bytes: 64 MiB. A FETCH may contain the same PMID many times, so
   * the limits of what is served do not bound the size.
   */
  static final int MAX_RESULT = 64 << 20;

  /** The size of 100,000 values in bytes, which take 2 ms: those of a fetch are of one moment. */
  private static final int ONE_MOMENT = 2 << 20;

  private final Fetch fetch;
  private final Session session;
  private final Role role;
  private final Replies replies;
  private final Selections selections = new Selections(); // by the profile
  private int located; // the number of metrics whose values were located
  private long size; // of their value sets, as far as it is known before they are read
  private int encoded; // the number of metrics whose values are in the buffer
  private ValueCursor cursor; // of the next metric; null: none of its values is in the buffer
  private ReplyBuffer buffer; // null: the RESULT has not begun
  private boolean isTooLarge;
  private long nanos; // of all turns

  FetchReply(ChannelHandlerContext ctx, Fetch fetch, Session session, Role role, Replies replies) {
    super(ctx, fetch);
    this.fetch = fetch;
    this.session = session;
    this.role = role;
    this.replies = replies;
  }

  @Override
  boolean write(Turn turn) {
    InstanceFilter filter = role.profile(session, fetch.context());
    if (filter == null) {
      ctx.writeAndFlush(Replies.error(PmError.NOPROFILE));
      return true;
    }
    long start = System.nanoTime();
    View view = replies.catalog().begin(new Scope.OfMetrics(fetch.pmids()), selections);
    Metric[] metrics = view.metrics(fetch.pmids());
    boolean isEncoded =
        (buffer != null || begin(view, metrics, filter, turn))
            && encode(view, metrics, filter, turn);
    long end = System.nanoTime();
    nanos += end - start;
    replies.catalog().steps().add(start, end); // on a pipe, nobody else adds it
    if (isTooLarge) {
      fail(Replies.error(PmError.GENERIC));
    } else if (isEncoded) {
      send();
    }
    return isEncoded;
  }

  private void send() {
    replies.catalog().fetches().add(buffer.writer().values(), nanos);
    ByteBuf reply =
        role.endResult(fetch, buffer.writer(), session.takeChanges(replies.catalog().changes()));
    ctx.writeAndFlush(reply);
  }

  /** Locates the values, and begins the RESULT. Returns false if the turn is over before. */
  private boolean begin(View view, Metric[] metrics, InstanceFilter filter, Turn turn) {
    while (located < metrics.length && size <= MAX_RESULT) {
      Metric metric = metrics[located++];
      size += ResultWriter.sizeOfSet(metric == null ? 0 : view.maxValues(metric, filter));
      if (metric != null && metric.inDom() != InDom.NULL && view.isOver(turn)) {
        return false;
      }
    }
    buffer = replies.takeBuffer();
    isTooLarge = size > MAX_RESULT;
    if (!isTooLarge) {
      buffer.writer().begin(buffer.clear(), fetch.isHighRes(), (int) size);
    }
    return true;
  }

  /** Encodes the values. Returns false if the turn is over before. */
  private boolean encode(View view, Metric[] metrics, InstanceFilter filter, Turn turn) {
    ResultWriter result = buffer.writer();
    int enough = result.written() + ONE_MOMENT;
    while (encoded < fetch.pmids().count() && !isTooLarge) {
      if (result.written() >= enough && view.isOver(turn)) {
        return false;
      }
      cursor =
          cursor == null
              ? encodeNext(view, metrics[encoded], filter, turn)
              : cursor.readNext(view, turn, result);
      encoded += cursor == null ? 1 : 0;
      isTooLarge = result.size() > MAX_RESULT;
      if (cursor != null && view.isOver(turn)) {
        return false;
      }
    }
    return true;
  }

  /** Encodes values of the next metric. Returns those that are left. */
  private ValueCursor encodeNext(View view, Metric metric, InstanceFilter filter, Turn turn) {
    int pmid = fetch.pmids().pmid(encoded);
    buffer.writer().beginSet(pmid);
    if (metric == null) {
      buffer.writer().none(Replies.unknown(pmid, role).code());
      return null;
    }
    return view.read(metric, filter, turn, buffer.writer());
  }

  @Override
  void fail(Pdu error) {
    if (buffer != null) {
      buffer.release();
    }
    super.fail(error);
  }

  @Override
  public long bytes() {
    return (long) fetch.pmids().count() * Integer.BYTES
        + selections.bytes()
        + (cursor == null ? 0 : cursor.bytes())
        + (buffer == null ? 0 : buffer.bytes());
  }

  @Override
  public void close() {
    if (buffer != null) {
      replies.giveBack(buffer);
    }
  }
}
