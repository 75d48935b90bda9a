package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.HEADER_GENERATION1;
import static org.jmmv.reader.MmvLayout.HEADER_SIZE;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import org.jmmv.posix.FileStatus;
import org.jmmv.posix.MappedFile;

/**
 * The mapping of a file that may be truncated at any time.
 *
 * <p>A mapping is read only within {@link #read} and {@link #hasGenerations}, which handle the
 * access to a page that the file no longer has. For such an access the kernel sends SIGBUS, which
 * the JVM turns into an {@link InternalError}. Interpreted code throws the error immediately.
 * Compiled code continues with an arbitrary value, and throws the error at its next safepoint,
 * which may be after the reading method has returned. Therefore {@code read} passes a safepoint
 * before it returns. Then the error is attributed to the right file, and no arbitrary value is
 * used.
 */
final class MmvMapping implements AutoCloseable {
  /**
   * The number of iterations in {@link #awaitFault}. Volatile, so that the compiler can remove
   * neither the loop nor its safepoint.
   */
  private static volatile int safepoints = 3;

  private final MappedFile mapped;
  private final LongBuffer generations; // both; null if the file is too short for a header

  /** Code that reads a mapping. */
  @FunctionalInterface
  interface Reading<T, X extends Exception> {
    /** Reads the mapping. It may be aborted at any point, so its effects must be repeatable. */
    T read() throws X;
  }

  MmvMapping(MappedFile mapped) {
    this.mapped = mapped;
    ByteBuffer bytes = mapped.bytes();
    generations =
        bytes.capacity() < HEADER_SIZE
            ? null
            : bytes.slice(HEADER_GENERATION1, 16).order(bytes.order()).asLongBuffer();
  }

  MappedFile mapped() {
    return mapped;
  }

  /**
   * Runs code that reads this mapping. It must not read other mappings.
   *
   * @throws MappingTruncated if the file was truncated and a removed page was read
   */
  <T, X extends Exception> T read(Reading<T, X> body) throws X, MappingTruncated {
    try {
      try {
        return body.read();
      } finally {
        awaitFault(); // also after an exception, which an arbitrary value may have caused
      }
    } catch (InternalError truncated) {
      throw new MappingTruncated(truncated);
    }
  }

  /**
   * Runs code that reads values of this mapping. It must not read other mappings.
   *
   * @param header of the metadata that say where the values are
   * @return whether the file has had its generations until the end
   * @throws MappingTruncated if the file was truncated and a removed page was read
   */
  boolean read(Runnable body, MmvHeader header) throws MappingTruncated {
    try {
      try {
        body.run();
        VarHandle.acquireFence();
        return generations.get(0) == header.generation1()
            && generations.get(1) == header.generation2();
      } finally {
        awaitFault();
      }
    } catch (InternalError truncated) {
      throw new MappingTruncated(truncated);
    }
  }

  /** Passes a safepoint, at which the error of an earlier access is thrown. */
  private static void awaitFault() {
    int passed = 0;
    while (passed < safepoints) {
      passed++;
    }
  }

  FileStatus status() {
    return mapped.status();
  }

  /**
   * Returns the current bytes, in the byte order of this machine. They must be read within {@link
   * #read}.
   */
  ByteBuffer bytes() {
    return mapped.bytes();
  }

  /**
   * Copies 8-byte words. Must be called within {@link #read}. Copying many takes less time than a
   * look at each.
   *
   * @param offset in bytes from the start of the file
   * @param into receives the words, from index 0 on
   */
  void copy(int offset, long[] into, int count) {
    bytes()
        .slice(offset, count * Long.BYTES)
        .order(bytes().order())
        .asLongBuffer()
        .get(into, 0, count);
  }

  long size() {
    return mapped.status().size();
  }

  /**
   * Returns a field of the header by its offset. The file must have a header. Must be called within
   * {@link #read}.
   */
  long i64(int offset) {
    return bytes().getLong(offset);
  }

  /**
   * Returns whether the current generation numbers equal the given ones; false if the header no
   * longer exists. It handles errors like {@link #read}, but without allocating an object, because
   * every sweep calls it for hundreds of files.
   */
  boolean hasGenerations(long first, long second) {
    try {
      try {
        return generations.get(0) == first && generations.get(1) == second;
      } finally {
        awaitFault();
      }
    } catch (InternalError truncated) {
      return false;
    }
  }

  @Override
  public void close() {
    mapped.close();
  }
}
