package org.jmmv.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntToLongFunction;

/**
 * An MMV file of version 2 whose table of contents can say anything: sections overlap, or have more
 * entries than anybody wrote. Only the pieces that are put into the file take room on the disk; the
 * rest of it reads as zeros.
 */
public final class SparseFile {
  private static final int TOC_SIZE = 16;
  private static final int METRIC_SIZE = 48;

  private final int flags;
  private final int cluster;
  private final int tocEntries;
  private final long size;
  private final Map<Long, ByteBuffer> pieces = new LinkedHashMap<>();
  private final ByteBuffer toc;

  /**
   * Begins a file.
   *
   * @param flags the flags in the header, for example {@link MmvWriter#NOPREFIX}
   * @param tocEntries the number of TOC entries in the header; entries that are not added are zeros
   * @param size in bytes
   */
  public SparseFile(int flags, int cluster, int tocEntries, long size) {
    this.flags = flags;
    this.cluster = cluster;
    this.tocEntries = tocEntries;
    this.size = size;
    toc = buffer(Math.min(tocEntries, 1 << 20) * TOC_SIZE);
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
  }

  /** Returns the offset of the first byte behind a table of contents of {@code entries} entries. */
  public static long behindToc(int entries) {
    return MmvWriter.HEADER_SIZE + (long) entries * TOC_SIZE;
  }

  /** Adds an entry to the table of contents. */
  public SparseFile section(int type, int count, long offset) {
    toc.putInt(type).putInt(count).putLong(offset);
    return this;
  }

  /** Puts bytes at an offset, those before the limit. */
  public SparseFile put(long offset, ByteBuffer bytes) {
    pieces.put(offset, bytes);
    return this;
  }

  /** Puts a string at an offset. Behind it are zeros, unless another piece is put there. */
  public SparseFile string(long offset, String text) {
    return put(offset, ByteBuffer.wrap(text.getBytes(ISO_8859_1)));
  }

  /**
   * Puts singular metrics at an offset, with the items from 0 on.
   *
   * @param nameAt returns the offset of the name of a metric
   */
  public SparseFile metrics(long offset, int count, IntToLongFunction nameAt) {
    ByteBuffer out = buffer(count * METRIC_SIZE);
    for (int i = 0; i < count; i++) {
      out.putLong(nameAt.applyAsLong(i)).putInt(i).putInt(MmvType.U32.code());
      out.putInt(1).putInt(0).putInt(0).putInt(0).putLong(0).putLong(0);
    }
    return put(offset, out.flip());
  }

  /** Creates the file. */
  public void write(Path file) {
    ByteBuffer header = buffer(MmvWriter.HEADER_SIZE);
    header.put("MMV\0".getBytes(ISO_8859_1)).putInt(2).putLong(1).putLong(1);
    header.putInt(tocEntries).putInt(flags).putInt(0).putInt(cluster).flip();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1), size - 1);
      channel.write(header, 0);
      channel.write(toc.duplicate().flip(), MmvWriter.HEADER_SIZE);
      for (Map.Entry<Long, ByteBuffer> piece : pieces.entrySet()) {
        channel.write(piece.getValue().duplicate(), piece.getKey());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
