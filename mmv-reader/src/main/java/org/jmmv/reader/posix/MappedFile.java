package org.jmmv.reader.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A file, mapped read-only at the size that it had when it was opened. Reading a page that has been
 * cut off the file since raises {@link InternalError}.
 *
 * @param status the file's status when it was opened
 * @param bytes the file's bytes, as they are at the moment
 * @param arena ends the mapping when it is closed
 */
public record MappedFile(FileStatus status, MemorySegment bytes, Arena arena)
    implements AutoCloseable {

  @Override
  public void close() {
    arena.close();
  }
}
