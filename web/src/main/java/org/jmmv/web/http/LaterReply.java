package org.jmmv.web.http;

import org.jmmv.core.Turn;
import org.jmmv.serving.LongReply;

/** A reply that is not known yet. */
final class LaterReply implements LongReply {
  private final long requestBytes;
  private LongReply reply; // null: not known
  private boolean isClosed;

  /**
   * Creates a reply.
   *
   * @param requestBytes what is kept of the request until the reply is known
   */
  LaterReply(long requestBytes) {
    this.requestBytes = requestBytes;
  }

  /** Sets the reply. Then it can be resumed. Returns false if the connection has ended. */
  boolean set(LongReply known) {
    if (isClosed) {
      known.close();
    } else {
      reply = known;
    }
    return !isClosed;
  }

  @Override
  public Progress writePiece(Turn turn) {
    return reply == null ? Progress.WAITING : reply.writePiece(turn);
  }

  @Override
  public long bytes() {
    return reply == null ? requestBytes : reply.bytes();
  }

  @Override
  public void close() {
    isClosed = true;
    if (reply != null) {
      reply.close();
    }
  }
}
