package org.jmmv.writer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * The memory of a file, which grows at its end; what was there before stays where it is. Its blocks
 * are allocated before they are mapped: a store to a page for which the disk has no room would
 * throw an error in the application.
 */
final class Storage {
  /** What is written at once, and what the strings grow by: not all zeros are in the heap. */
  static final int PIECE = 64 << 10;

  private final FileChannel channel;

  Storage(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Adds memory of zeros.
   *
   * @throws IOException if there is no room
   */
  ByteBuffer append(int bytes) throws IOException {
    return Uninterrupted.call(() -> appended(bytes));
  }

  private ByteBuffer appended(int bytes) throws IOException {
    long start = channel.size();
    try {
      for (int written = 0; written < bytes; ) {
        ByteBuffer zeros = ByteBuffer.allocate(Math.min(bytes - written, PIECE));
        written += channel.write(zeros, start + written);
      }
      return channel
          .map(FileChannel.MapMode.READ_WRITE, start, bytes)
          .order(ByteOrder.nativeOrder());
    } catch (IOException | OutOfMemoryError e) { // of address space
      channel.truncate(start);
      throw e;
    }
  }
}
