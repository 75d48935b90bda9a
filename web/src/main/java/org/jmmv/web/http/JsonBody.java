package org.jmmv.web.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jmmv.core.Turn;
import org.jmmv.pcp.HeapSize;

/** A document: a JSON object that is written in steps. */
public abstract class JsonBody extends StepBody {
  public static final String JSON = "application/json";

  private static final JsonFactory FACTORY = new JsonFactory();

  /** The capacity of a generator's buffers, see Jackson's BufferRecycler. */
  private static final long GENERATOR = HeapSize.ofBytes(8000) + HeapSize.ofBytes(2 * 4000);

  private JsonGenerator json; // null before the first piece and after the last one
  private ByteBuf target; // of the current piece

  /** Writes some members of an object. */
  @FunctionalInterface
  public interface Members {
    /** Writes them, or fails as {@link Step#take}. */
    void write(JsonGenerator json) throws IOException, Failure;
  }

  /** Writes the elements of an array, some in each step. */
  @FunctionalInterface
  protected interface Elements {
    /**
     * Writes some, or fails as {@link Step#take}. An element that is not complete is in an array,
     * too, when its step ends.
     *
     * @return whether there are more
     */
    boolean write(JsonGenerator json, Turn turn) throws IOException, Failure;
  }

  /** Returns a step that writes a text as it is, before the document. */
  protected final Step raw(String text) {
    return once(() -> json.writeRaw(text));
  }

  /** Returns a step that writes members of the document. */
  protected final Step members(Members members) {
    return once(() -> {
      beginObject();
      members.write(json);
    });
  }

  /** Returns a step that writes an array. */
  protected final Step array(String name, Elements elements) {
    return turn -> {
      beginObject();
      if (json.getOutputContext().inObject()) {
        json.writeArrayFieldStart(name);
      }
      boolean hasMore = elements.write(json, turn);
      if (!hasMore) {
        json.writeEndArray();
      }
      return hasMore;
    };
  }

  private void beginObject() throws IOException {
    if (json.getOutputContext().inRoot()) {
      json.writeStartObject();
    }
  }

  /** Returns a short document. */
  public static JsonBody of(Members members) {
    return new JsonBody() {
      @Override
      protected List<Step> steps() {
        return List.of(members(members));
      }
    };
  }

  /** Returns the document for a request that has failed. */
  public static Response error(Failure why) {
    return Response.of(
        why.status(), JSON, of(json -> json.writeStringField("message", why.getMessage())));
  }

  @Override
  public Response failed(Failure why) {
    return error(why);
  }

  @Override
  protected final void beginPiece(ByteBuf out) throws IOException {
    target = out;
    if (json == null) {
      json = FACTORY.createGenerator((OutputStream) new Output());
    }
  }

  @Override
  protected final boolean isFull() {
    return target.readableBytes() >= PIECE;
  }

  @Override
  protected final void endPiece(ByteBuf out, boolean isLast) throws IOException {
    if (isLast) {
      json.close(); // ends the object; the next document has its buffers
      json = null;
    } else {
      json.flush();
    }
    target = null;
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
