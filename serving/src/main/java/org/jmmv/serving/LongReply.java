package org.jmmv.serving;

import org.jmmv.core.Turn;

/**
 * A reply that is written in the turns of its connection, a piece at a time. {@link
 * FlowControl#send} begins it.
 */
public interface LongReply {
  /** How a reply goes on after a piece. */
  enum Progress {
    /** There is another piece. */
    MORE,

    /** There is nothing to write until {@link FlowControl#resume} is called. */
    WAITING,

    /** The reply is complete. */
    END
  }

  /** Writes and flushes the next piece. It ends with the turn, or when it is large enough. */
  Progress writePiece(Turn turn);

  /** Returns what is kept for the reply, in bytes, beside what was written. */
  long bytes();

  /** Called once, when the reply is complete or the connection has ended. */
  default void close() {}
}
