package org.jmmv.writer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** Memory that grows at its end, and what was there before stays where it is. */
interface Storage {
  /**
   * Adds memory of zeros.
   *
   * @throws IOException if there is no room
   */
  ByteBuffer append(int bytes) throws IOException;

  /**
   * The memory of a file. Its blocks are allocated before they are mapped: a store to a page for
   * which the disk has no room would throw an error in the application.
   */
  final class OfFile implements Storage {
    private static final int PIECE = 64 << 10;

    private final FileChannel channel;

    OfFile(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public ByteBuffer append(int bytes) throws IOException {
      return Uninterrupted.call(() -> appended(bytes));
    }

    private ByteBuffer appended(int bytes) throws IOException {
      long start = channel.size();
      try {
        for (int written = 0; written < bytes; ) {
          ByteBuffer zeros = ByteBuffer.allocate(Math.min(bytes - written, PIECE));
          written += channel.write(zeros, start + written);
        }
      } catch (IOException e) {
        channel.truncate(start);
        throw e;
      }
      return channel
          .map(FileChannel.MapMode.READ_WRITE, start, bytes)
          .order(ByteOrder.nativeOrder());
    }
  }

  /** Memory that nobody else reads. */
  final class OfProcess implements Storage {
    @Override
    public ByteBuffer append(int bytes) {
      return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }
  }
}
