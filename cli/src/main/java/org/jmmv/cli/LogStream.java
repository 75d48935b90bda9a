package org.jmmv.cli;

import java.io.OutputStream;
import java.util.function.IntPredicate;

/**
 * Standard error, without waiting for whoever reads it: the event loop logs, and a supervisor that
 * does not read its pipe would stop all service. What can't be written at once is left out, and the
 * next line says how many lines that were. Only a terminal may make the writer wait: it says that
 * it takes output, but not how much.
 */
final class LogStream extends OutputStream {
  /** A write of this size does not wait if poll(2) permits one: PIPE_BUF of pipe(7). */
  private static final int AT_ONCE = 4096;

  private final IntPredicate mayWrite;
  private final FloodFilter flood;
  private boolean isCut; // the last line has no end

  /**
   * Creates the stream.
   *
   * @param mayWrite waits for so many milliseconds until standard error can be written
   * @param flood counts the lines that are left out
   */
  LogStream(IntPredicate mayWrite, FloodFilter flood) {
    this.mayWrite = mayWrite;
    this.flood = flood;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /** Writes lines, which end with the array's last byte. */
  @Override
  public void write(byte[] lines, int offset, int length) {
    int written = 0;
    while (written < length) {
      if (!mayWrite.test(0)) {
        flood.leaveOut();
        isCut |= written > 0;
        return;
      }
      int size = Math.min(AT_ONCE, length - written);
      if (isCut) {
        size = Math.min(AT_ONCE - 1, size);
        System.err.write('\n');
        isCut = false;
      }
      System.err.write(lines, offset + written, size);
      System.err.flush();
      written += size;
    }
  }
}
