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
import org.jmmv.serving.LongReply.Progress;

/** A JSON document that is written in steps. */
public abstract class JsonBody implements Body {
  /** The media type of JSON. */
  public static final String JSON = "application/json";

  private static final JsonFactory FACTORY = new JsonFactory();

  private final JsonGenerator json;
  private ByteBuf target; // of the current piece

  protected JsonBody() {
    try {
      json = FACTORY.createGenerator(new Output());
    } catch (IOException e) { // nothing is written yet
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns bytes of a file, given as one char per byte, as UTF-8. What is not UTF-8 becomes
   * U+FFFD.
   */
  public static String text(String bytes) {
    return new String(bytes.getBytes(ISO_8859_1), UTF_8);
  }

  /**
   * Writes a small part of the document, for example an element of an array, or works towards it.
   *
   * @param turn for a step that takes long
   * @return whether there is more
   * @throws IOException never: the output is a buffer
   */
  protected abstract boolean writeNext(JsonGenerator json, Turn turn) throws IOException;

  @Override
  public Progress write(ByteBuf out, Turn turn) {
    target = out;
    try {
      boolean hasMore;
      do {
        hasMore = writeNext(json, turn);
      } while (hasMore && out.readableBytes() < PIECE && !turn.isOver());
      json.flush();
      return hasMore ? Progress.MORE : Progress.END;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
