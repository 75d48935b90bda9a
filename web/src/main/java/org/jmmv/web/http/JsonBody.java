package org.jmmv.web.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jmmv.core.Turn;
import org.jmmv.pcp.HeapSize;
import org.jmmv.serving.LongReply.Progress;

/** A JSON document that is written in steps. */
public abstract class JsonBody implements Body {
  /** The media type of JSON. */
  public static final String JSON = "application/json";

  private static final JsonFactory FACTORY = new JsonFactory();

  /** The capacity of a generator's buffers, see Jackson's BufferRecycler. */
  private static final long GENERATOR = HeapSize.ofBytes(8000) + HeapSize.ofBytes(2 * 4000);

  private JsonGenerator json; // null before the first step and after the last one
  private ByteBuf target; // of the current piece

  /**
   * Returns bytes of a file, given as one char per byte, as UTF-8. What is not UTF-8 becomes
   * U+FFFD.
   */
  public static String text(String bytes) {
    return new String(bytes.getBytes(ISO_8859_1), UTF_8);
  }

  /** Returns a text of a client as the catalogue has texts: its UTF-8, with one char per byte. */
  public static String encoded(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }

  /**
   * Takes a step: writes a small part of the document, for example an element of an array, or works
   * towards it.
   *
   * @param turn for a step of several parts, which ends when the turn is over or the piece {@link
   *     #isFull}
   * @return whether there is more
   * @throws IOException never: the output is a buffer
   * @throws Failure if the request can't be fulfilled; only before the first part is written
   */
  protected abstract boolean writeNext(JsonGenerator json, Turn turn) throws IOException, Failure;

  /** Returns whether the current piece is long enough. */
  protected final boolean isFull() {
    return target.readableBytes() >= PIECE;
  }

  @Override
  public Progress write(ByteBuf out, Turn turn) throws Failure {
    target = out;
    try {
      if (json == null) {
        json = FACTORY.createGenerator((OutputStream) new Output());
      }
      boolean hasMore;
      do {
        hasMore = writeNext(json, turn);
      } while (hasMore && !isFull() && !turn.isOver());
      json.flush();
      if (!hasMore) {
        json.close(); // the next document has its buffers
        json = null;
      }
      return hasMore ? Progress.MORE : Progress.END;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      target = null;
    }
  }

  @Override
  public long bytes() {
    return json == null ? 0 : GENERATOR;
  }

  private final class Output extends OutputStream {
    @Override
    public void write(int b) {
      target.writeByte(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      target.writeBytes(bytes, offset, length);
    }
  }
}
