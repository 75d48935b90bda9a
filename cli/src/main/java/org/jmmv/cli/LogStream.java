package org.jmmv.cli;

import java.io.OutputStream;
import java.util.function.IntPredicate;

/**
 * Standard error, without waiting for its reader. {@link FloodFilter} has seen that it can be
 * written; of a line that is longer than what it takes, the rest is left out. Only a terminal may
 * make the writer wait: it says that it takes output, but not how much.
 */
final class LogStream extends OutputStream {
  /**
   * PIPE_BUF of pipe(7). A longer write may wait although poll(2) permits one: a stack trace would
   * stop the event loop.
   */
  private static final int AT_ONCE = 4096;

  private final IntPredicate mayWrite;
  private boolean isLineOpen; // the last line was cut

  /**
   * Creates the stream.
   *
   * @param mayWrite waits for this number of milliseconds until standard error can be written
   */
  LogStream(IntPredicate mayWrite) {
    this.mayWrite = mayWrite;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /** Writes lines, which end with the array's last byte. */
  @Override
  public void write(byte[] lines, int offset, int length) {
    int written = 0;
    while (written < length && mayWrite.test(0)) {
      int size = Math.min(AT_ONCE - 1, length - written); // there may be a line end before it
      if (isLineOpen) {
        System.err.write('\n');
        isLineOpen = false;
      }
      System.err.write(lines, offset + written, size);
      System.err.flush();
      written += size;
    }
    isLineOpen |= written > 0 && written < length;
  }
}
