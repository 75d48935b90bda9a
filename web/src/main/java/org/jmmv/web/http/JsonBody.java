package org.jmmv.web.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jmmv.core.Catalog;
import org.jmmv.core.Turn;
import org.jmmv.pcp.HeapSize;
import org.jmmv.serving.LongReply.Progress;

/**
 * A document: a JSON object that is written in steps. A document only says what its steps are; here
 * they are taken one after the other, until the piece is long enough or the turn is over.
 */
public abstract class JsonBody implements Body {
  public static final String JSON = "application/json";

  private static final JsonFactory FACTORY = new JsonFactory();

  /** The capacity of a generator's buffers, see Jackson's BufferRecycler. */
  private static final long GENERATOR = HeapSize.ofBytes(8000) + HeapSize.ofBytes(2 * 4000);

  private JsonGenerator json; // null before the first step and after the last one
  private Deque<Step> steps; // those that are left
  private ByteBuf target; // of the current piece
  private Catalog catalog; // likewise

  /** A step, which is taken again as long as it returns true. */
  @FunctionalInterface
  protected interface Step {
    /**
     * Does a small part of the work: looks something up, or writes an element of an array.
     *
     * @param turn for a step of several parts, which ends when the turn is over or the piece {@link
     *     #isFull}
     * @return whether the step is to be taken again
     * @throws IOException never: the output is a buffer
     * @throws Failure if the request can't be fulfilled; only before a step that writes has ended
     */
    boolean take(JsonGenerator json, Turn turn) throws IOException, Failure;
  }

  /** Work that writes nothing. */
  @FunctionalInterface
  protected interface Work {
    /** Does it, or fails as {@link Step#take}. */
    void run() throws Failure;
  }

  /** Writes some members of an object. */
  @FunctionalInterface
  public interface Members {
    /** Writes them, or fails as {@link Step#take}. */
    void write(JsonGenerator json) throws IOException, Failure;
  }

  /**
   * Returns the steps. Whatever a request can multiply is a step of its own. What may fail comes
   * first.
   */
  protected abstract List<Step> steps();

  /** Returns a step that is taken once. */
  protected static Step once(Work work) {
    return (_, _) -> {
      work.run();
      return false;
    };
  }

  /** Returns a step that writes members of the document. */
  protected static Step members(Members members) {
    return (json, _) -> {
      begin(json);
      members.write(json);
      return false;
    };
  }

  /**
   * Returns a step that writes an array.
   *
   * @param elements writes elements. An element that is not complete is in an array, too, when its
   *     step ends
   */
  protected static Step array(String name, Step elements) {
    return (json, turn) -> {
      begin(json);
      if (json.getOutputContext().inObject()) {
        json.writeArrayFieldStart(name);
      }
      boolean hasMore = elements.take(json, turn);
      if (!hasMore) {
        json.writeEndArray();
      }
      return hasMore;
    };
  }

  private static void begin(JsonGenerator json) throws IOException {
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

  /** Returns the catalogue, within a step. */
  protected final Catalog catalog() {
    return catalog;
  }

  /** Returns whether the current piece is long enough. */
  protected final boolean isFull() {
    return target.readableBytes() >= PIECE;
  }

  @Override
  public final Progress write(Catalog catalog, ByteBuf out, Turn turn) throws Failure {
    this.catalog = catalog;
    target = out;
    try {
      if (json == null) {
        json = FACTORY.createGenerator((OutputStream) new Output());
        steps = new ArrayDeque<>(steps());
      }
      do {
        if (!steps.getFirst().take(json, turn)) {
          steps.removeFirst();
        }
      } while (!steps.isEmpty() && !isFull() && !turn.isOver());
      if (!steps.isEmpty()) {
        json.flush();
        return Progress.MORE;
      }
      json.close(); // ends the object; the next document has its buffers
      json = null;
      return Progress.END;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      target = null;
      this.catalog = null;
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
