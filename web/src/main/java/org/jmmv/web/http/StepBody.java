package org.jmmv.web.http;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jmmv.core.Catalog;
import org.jmmv.core.Turn;
import org.jmmv.serving.LongReply.Progress;

/**
 * A body that is written in steps. A subclass names the steps; this class takes them one after the
 * other, until the piece is long enough or the turn is over.
 */
public abstract class StepBody implements Body {
  private Deque<Step> steps; // those that are left; null before the first piece
  private Catalog catalog; // of the current piece

  /** A step, which is taken again as long as it returns true. */
  @FunctionalInterface
  protected interface Step {
    /**
     * Does a small part of the work: looks something up, or writes something.
     *
     * @param turn for a step of several parts, which ends when the turn is over or the piece {@link
     *     #isFull}
     * @return whether the step is to be taken again
     * @throws IOException never: the output is a buffer
     * @throws Failure if the request can't be fulfilled; only before a step that writes has ended
     */
    boolean take(Turn turn) throws IOException, Failure;
  }

  /** A step that is taken once. */
  @FunctionalInterface
  protected interface Work {
    /** Does the work, or fails as {@link Step#take}. */
    void run() throws IOException, Failure;
  }

  /**
   * Returns the steps, at least one. Whatever a request can multiply is a step of its own. What may
   * fail comes first.
   */
  protected abstract List<Step> steps();

  /** Begins a piece, which is appended to a buffer. */
  protected abstract void beginPiece(ByteBuf out) throws IOException;

  /** Returns whether the current piece is long enough. */
  protected abstract boolean isFull();

  /** Ends a piece: what is not in the buffer yet is appended to it. */
  protected abstract void endPiece(ByteBuf out, boolean isLast) throws IOException;

  /** Returns a step that is taken once. */
  protected static Step once(Work work) {
    return _ -> {
      work.run();
      return false;
    };
  }

  /** Returns the catalogue, within a step. */
  protected final Catalog catalog() {
    return catalog;
  }

  @Override
  public final Progress write(Catalog from, ByteBuf out, Turn turn) throws Failure {
    catalog = from;
    try {
      if (steps == null) {
        steps = new ArrayDeque<>(steps());
      }
      beginPiece(out);
      do {
        if (!steps.getFirst().take(turn)) {
          steps.removeFirst();
        }
      } while (!steps.isEmpty() && !isFull() && !turn.isOver());
      endPiece(out, steps.isEmpty());
      return steps.isEmpty() ? Progress.END : Progress.MORE;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      catalog = null;
    }
  }
}
