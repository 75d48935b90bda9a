package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.HEADER_GENERATION1;
import static org.jmmv.reader.MmvLayout.HEADER_GENERATION2;
import static org.jmmv.reader.MmvLayout.HEADER_SIZE;
import static org.jmmv.reader.MmvLayout.LONG;

import java.lang.foreign.MemorySegment;
import org.jmmv.reader.posix.FileStatus;
import org.jmmv.reader.posix.MappedFile;

/**
 * The mapping of a file that may be cut short at any time.
 *
 * <p>Everything that reads a mapping does so in {@link #read}, the one place that knows what the
 * JVM does when a page has been cut off. The kernel sends SIGBUS, which the JVM turns into an
 * {@link InternalError}. Interpreted code throws it at once. Compiled code first goes on, with any
 * number in the place of what it could not read, until it comes to a safepoint; that may be after
 * the method has returned. So {@code read} runs into a safepoint before it returns: the fault
 * belongs to this file and no other, and no number that was not read gets out.
 */
record MmvMapping(MappedFile mapped) implements AutoCloseable {
  /** Volatile, so that the compiler can't remove the loop that it ends, nor its safepoint. */
  private static volatile int safepoints = 3;

  /** Reads a mapping. */
  @FunctionalInterface
  interface Reading<T, X extends Exception> {
    /** Has no effect that can't be repeated: it may be broken off at any point. */
    T read() throws X;
  }

  /**
   * Runs what reads this mapping, and no other one.
   *
   * @throws MappingCutOff if a page that was read is no longer in the file
   */
  <T, X extends Exception> T read(Reading<T, X> body) throws X, MappingCutOff {
    try {
      try {
        return body.read();
      } finally {
        awaitFault(); // also if the body has failed: perhaps because of what it could not read
      }
    } catch (InternalError cutOff) {
      throw new MappingCutOff(cutOff);
    }
  }

  /** Passes a safepoint, where the error of an earlier read is thrown. */
  private static void awaitFault() {
    int passed = 0;
    while (passed < safepoints) {
      passed++;
    }
  }

  FileStatus status() {
    return mapped.status();
  }

  /** The bytes as they are at the moment, to be read in {@link #read}. */
  MemorySegment bytes() {
    return mapped.bytes();
  }

  long size() {
    return mapped.status().size();
  }

  /** Whether the file is long enough for a header. */
  boolean hasHeader() {
    return size() >= HEADER_SIZE;
  }

  /** The first generation number; the file must have a header. To be called in {@link #read}. */
  long generation1() {
    return bytes().get(LONG, HEADER_GENERATION1);
  }

  /** The second generation number; the file must have a header. To be called in {@link #read}. */
  long generation2() {
    return bytes().get(LONG, HEADER_GENERATION2);
  }

  /**
   * Whether these are the generation numbers now. They are not if the header was cut off. Does what
   * {@link #read} does, without an object for it: every sweep calls this for hundreds of files.
   */
  boolean hasGenerations(long first, long second) {
    try {
      try {
        return generation1() == first && generation2() == second;
      } finally {
        awaitFault();
      }
    } catch (InternalError cutOff) {
      return false;
    }
  }

  @Override
  public void close() {
    mapped.close();
  }
}
