package org.jmmv.writer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageTest {
  @TempDir Path directory;

  /** A file for which there is no room at first: on the disk, or in the address space. */
  private static final class Full extends FileChannel {
    private final FileChannel file;
    private final long room; // on the disk
    private boolean hasAddresses;

    Full(FileChannel file, long room) {
      this.file = file;
      this.room = room;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
      if (position + source.remaining() > room) {
        throw new IOException("No space left on device");
      }
      return file.write(source, position);
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
      return file.truncate(size);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
      if (!hasAddresses) {
        hasAddresses = true;
        throw new IOException("Map failed");
      }
      return file.map(mode, position, size);
    }

    @Override
    public int read(ByteBuffer target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer source) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void force(boolean metaData) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer target, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean isShared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean isShared) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void implCloseChannel() throws IOException {
      file.close();
    }
  }

  @Test
  void memoryThatCanNotBeAddedLeavesNothingBehind() throws IOException {
    try (FileChannel file =
            FileChannel.open(
                directory.resolve("file"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        Full full = new Full(file, 200_000)) {
      Storage storage = new Storage(full);
      assertThrows(IOException.class, () -> storage.append(100_000)); // there are no addresses
      assertEquals(0, file.size());
      storage.append(100_000).put(99_999, (byte) 1);
      assertThrows(IOException.class, () -> storage.append(150_000));
      assertEquals(100_000, file.size());
      assertEquals(0, storage.append(100_000).get(0));
    }
  }
}
