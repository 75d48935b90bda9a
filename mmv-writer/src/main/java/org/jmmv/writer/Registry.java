package org.jmmv.writer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Adds to the file of an application, one addition at a time, and says what nobody can read. All
 * methods can be called by any thread.
 */
final class Registry {
  /** What adds something, or finds it. */
  interface Addition<T> {
    T add() throws IOException;
  }

  private final Options options;
  private final OutputFile output; // null: nobody can read anything
  private final Set<String> reasons = new HashSet<>(); // that were told
  private final List<String> untold = new ArrayList<>();
  private int depth; // of additions within others
  private int unread; // number of values that nobody can read
  private boolean isClosed;

  /** Opens the file, if that can be done. */
  Registry(Options options) {
    this.options = options;
    OutputFile opened = null;
    try {
      opened = OutputFile.open(options);
      if (opened.numbers().cause() != null) {
        failed("the next run of %s may have other PMIDs", opened.numbers().cause());
      }
    } catch (IOException e) {
      failed("nobody can read the metrics of %s", e);
    }
    output = opened;
    add(() -> this); // tells
  }

  private void failed(String effect, IOException cause) {
    String reason = reason(cause);
    if (reasons.add(reason)) {
      untold.add(effect.formatted(options.name) + ": " + reason);
    }
  }

  /** Returns the message of an exception. Those of some classes only name the file. */
  private static String reason(IOException cause) {
    if (!(cause instanceof FileSystemException e) || e.getReason() != null) {
      return cause.getMessage();
    }
    String what =
        e instanceof AccessDeniedException
            ? "permission denied"
            : e instanceof NoSuchFileException
                ? "no such file or directory"
                : e.getClass().getSimpleName();
    return e.getMessage() + ": " + what;
  }

  Options options() {
    return options;
  }

  /** Returns the path of the file; null if readers do not find it. */
  synchronized Path path() {
    return output == null ? null : output.path();
  }

  /**
   * Makes additions, one thread at a time, and shows them to readers if they are not a part of
   * others. Problems are told after that, when this thread has no lock.
   */
  <T> T add(Supplier<T> additions) {
    try {
      synchronized (this) {
        depth++;
        try {
          return additions.get();
        } finally {
          depth--;
          commit();
        }
      }
    } finally {
      takeUntold().forEach(options::tell);
    }
  }

  private synchronized List<String> takeUntold() {
    if (depth > 0 || untold.isEmpty()) {
      return List.of();
    }
    List<String> told = List.copyOf(untold);
    untold.clear();
    return told;
  }

  private void commit() {
    if (depth > 0 || isClosed || output == null || !output.image().hasMetrics()) {
      return;
    }
    try {
      output.numbers().save();
    } catch (IOException e) {
      failed("the next run of %s may have other PMIDs", e);
    }
    try {
      output.commit();
    } catch (IOException e) {
      failed("nobody can read the metrics of %s", e);
    }
  }

  /**
   * Adds something. Called in {@link #add}.
   *
   * @param what for a message
   * @return null if there is no room for it
   */
  <T> T tryToAdd(String what, Addition<T> addition) {
    if (output == null || isClosed) {
      return null;
    }
    try {
      return addition.add();
    } catch (IOException e) {
      failed("nobody can read " + what.replace("%", "%%") + " of %s", e);
      return null;
    }
  }

  /**
   * Adds a label, unless there is no room for it.
   *
   * @param instance the instance number, or {@link MmvLayout#NO_INSTANCE}
   */
  void addLabel(String name, int type, int identity, int instance, byte[] json) {
    add(() ->
        tryToAdd(
            "the label " + name,
            () -> {
              image().addLabel(name, type, identity, instance, json);
              return json;
            }));
  }

  /** Returns the image. Called in {@link #tryToAdd}. */
  MmvImage image() {
    return output.image();
  }

  /** Returns the numbers. Called in {@link #tryToAdd}. */
  Numbers numbers() {
    return output.numbers();
  }

  /** Returns whether a value that nobody can read may be kept: as many are as could be read. */
  boolean mayKeepUnread() {
    if (unread == options.maxValues) {
      return false;
    }
    unread++;
    return true;
  }

  /** Returns a slot for a value that nobody can read. */
  Slot unread(Type type) {
    int strings = type == Type.STRING ? Text.SIZE : 0;
    ByteBuffer memory = ByteBuffer.allocateDirect(MmvLayout.VALUE + strings);
    return new Slot(
        new Cell(memory, 0),
        type,
        options.hasSentinel(),
        false,
        memory.slice(MmvLayout.VALUE, strings),
        0);
  }

  /** Closes the file: nothing can be added any more. */
  void close() {
    add(() -> {
      if (output != null && !isClosed) {
        isClosed = true;
        try (output) {
          if (!options.isKept) {
            output.delete();
          }
        } catch (IOException e) {
          failed("the file of %s can't be closed", e);
        }
      }
      return this;
    });
  }
}
