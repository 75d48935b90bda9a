package org.jmmv.reader;

import static org.jmmv.reader.MmvLayout.HEADER_GENERATION1;
import static org.jmmv.reader.MmvLayout.HEADER_GENERATION2;
import static org.jmmv.reader.MmvLayout.HEADER_SIZE;
import static org.jmmv.reader.MmvLayout.LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A file, mapped read-only at the size it had when it was opened. Reading a page that has been cut
 * off since raises {@link InternalError}.
 *
 * @param status what the file was when it was opened
 * @param bytes the file's bytes, as they are at the moment
 * @param arena closing it ends the mapping
 */
record MmvMapping(FileStatus status, MemorySegment bytes, Arena arena) implements AutoCloseable {

  long size() {
    return status.size();
  }

  boolean hasHeader() {
    return size() >= HEADER_SIZE;
  }

  /** The first generation number; the file must have a header. */
  long generation1() {
    return bytes.get(LONG, HEADER_GENERATION1);
  }

  /** The second generation number; the file must have a header. */
  long generation2() {
    return bytes.get(LONG, HEADER_GENERATION2);
  }

  @Override
  public void close() {
    arena.close();
  }
}
