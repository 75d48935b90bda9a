package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.HEADER_GENERATION1;
import static org.jmmv.reader.MmvLayout.HEADER_GENERATION2;
import static org.jmmv.reader.MmvLayout.HEADER_SIZE;
import static org.jmmv.reader.MmvLayout.LONG;

import java.lang.foreign.MemorySegment;
import org.jmmv.reader.posix.FileStatus;
import org.jmmv.reader.posix.MappedFile;

/** A mapped file whose header may be read. */
record MmvMapping(MappedFile mapped) implements AutoCloseable {

  FileStatus status() {
    return mapped.status();
  }

  MemorySegment bytes() {
    return mapped.bytes();
  }

  long size() {
    return mapped.status().size();
  }

  boolean hasHeader() {
    return size() >= HEADER_SIZE;
  }

  /** The first generation number; the file must have a header. */
  long generation1() {
    return bytes().get(LONG, HEADER_GENERATION1);
  }

  /** The second generation number; the file must have a header. */
  long generation2() {
    return bytes().get(LONG, HEADER_GENERATION2);
  }

  @Override
  public void close() {
    mapped.close();
  }
}
