package org.jmmv.web.http;

import io.netty.buffer.ByteBuf;
import org.jmmv.core.Catalog;
import org.jmmv.core.Turn;
import org.jmmv.serving.LongReply.Progress;

/** The body of a response: a cursor that appends one piece after the other. */
public interface Body {
  /** What a piece should have at most, in bytes. A connection is writable while one waits. */
  int PIECE = 60 << 10;

  /**
   * Appends the next piece: some {@link #PIECE} bytes, or fewer if the turn is over before. It runs
   * in the event loop that owns the catalogue. What a view has returned is not valid any more when
   * the next piece is written.
   *
   * @param catalog what is asked for a view in each step; a body keeps neither beyond this call
   * @return whether there is more; {@link Progress#WAITING} only for {@linkplain Request#resume
   *     streams}
   * @throws Failure if the request can't be fulfilled; only before a piece was not empty
   */
  Progress write(Catalog catalog, ByteBuf out, Turn turn) throws Failure;

  /**
   * Returns what is kept for the body, in bytes: the capacity of arrays, and the length of texts.
   * What all bodies share is not counted.
   */
  long bytes();

  /** Returns the response if {@link #write} has failed. Those below one path are alike. */
  default Response failed(Failure why) {
    return Response.of(why);
  }

  /** Called once, when the body is complete or the connection has ended. */
  default void close() {}

  /** Returns a short body. */
  static Body of(byte[] bytes) {
    return new Body() {
      private int written;

      @Override
      public Progress write(Catalog catalog, ByteBuf out, Turn turn) {
        int length = Math.min(PIECE, bytes.length - written);
        out.writeBytes(bytes, written, length);
        written += length;
        return written < bytes.length ? Progress.MORE : Progress.END;
      }

      @Override
      public long bytes() {
        return 0; // the array is short, or one for all
      }
    };
  }
}
