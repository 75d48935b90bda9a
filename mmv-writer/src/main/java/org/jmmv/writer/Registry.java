package org.jmmv.writer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Adds to the file of an application, one addition at a time, and says what can't be read by
 * anybody. All methods can be called by any thread.
 */
final class Registry {
  /** What adds something. */
  interface Addition<T> {
    T add() throws IOException;
  }

  private final Options options;
  private final OutputFile output;
  private final Set<String> problems = new HashSet<>(); // that were told
  private ByteBuffer nowhere; // what nobody can read; null: everything can be read
  private int depth; // of additions within others
  private boolean isClosed;

  /** Opens the file. If that can't be done, everything is in memory. */
  Registry(Options options) {
    this.options = options;
    OutputFile opened;
    try {
      opened = OutputFile.open(options);
    } catch (IOException e) {
      tell("nobody can read the metrics of " + options.name, e);
      opened = OutputFile.inMemory(options);
    }
    output = opened;
  }

  private void tell(String effect, IOException cause) {
    if (problems.add(cause.getMessage())) {
      options.onProblem.accept(effect + ": " + cause.getMessage());
    }
  }

  Options options() {
    return options;
  }

  /** Returns the path of the file; null if everything is in memory. */
  Path path() {
    return output.path();
  }

  /**
   * Adds something, and shows it to readers if it is not a part of something else.
   *
   * @param what for a message
   * @return null if there is no room for it
   */
  synchronized <T> T add(String what, Addition<T> addition) {
    depth++;
    try {
      return addition.add();
    } catch (IOException e) {
      tell("nobody can read %s of %s".formatted(what, options.name), e);
      return null;
    } finally {
      depth--;
      commit();
    }
  }

  private void commit() {
    if (depth > 0 || isClosed || !output.image().hasMetrics()) {
      return;
    }
    try {
      output.commit();
    } catch (IOException e) {
      tell("nobody can read the metrics of " + options.name, e);
    }
    try {
      output.numbers().save();
    } catch (IOException e) {
      tell("the next run of %s may have other PMIDs".formatted(options.name), e);
    }
  }

  /**
   * Adds a label, unless there is no room for it.
   *
   * @param instance the instance number, or {@link Labels#NO_INSTANCE}
   */
  void addLabel(String name, int type, int identity, int instance, byte[] json) {
    add(
        "the label " + name,
        () -> {
          image().addLabel(type, identity, instance, json);
          return json;
        });
  }

  /** Returns the image. Only additions use it. */
  MmvImage image() throws IOException {
    if (isClosed) {
      throw new IOException("it is closed");
    }
    return output.image();
  }

  /** Returns the numbers. Only additions use them. */
  Numbers numbers() {
    return output.numbers();
  }

  /** Returns a place that nobody can read. */
  synchronized Place nowhere(Type type) {
    if (nowhere == null) {
      nowhere = new Storage.OfProcess().append(MmvImage.VALUE + Text.SIZE);
    }
    ByteBuffer strings = nowhere.slice(MmvImage.VALUE, Text.SIZE);
    return new Place(new Cell(nowhere, 0), type, options.hasSentinel(), false, strings, 0);
  }

  /** Closes the file: nothing can be added any more. */
  synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      try {
        output.close(options.isKept);
      } catch (IOException e) {
        tell("the file of %s can't be closed".formatted(options.name), e);
      }
    }
  }
}
