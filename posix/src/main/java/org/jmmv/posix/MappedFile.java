package org.jmmv.posix;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/**
 * A file, mapped read-only with the size that it had when it was opened. Reading a page that the
 * file no longer has raises {@link InternalError}.
 *
 * <p>The bytes are a buffer, not a memory segment, because the JVM's first compiler, which the
 * launcher confines it to, makes much less code of each access.
 *
 * @param status the file's status when it was opened
 * @param isLayered whether the file is on overlayfs. A file of a lower layer is copied to the upper
 *     one when a process opens it for writing; this mapping then stays that of the lower layer, and
 *     only the file's status shows it
 * @param bytes the mapping, which shows the file's current bytes; in the byte order of this machine
 * @param arena the arena of the mapping; closing it unmaps the file
 */
public record MappedFile(FileStatus status, boolean isLayered, ByteBuffer bytes, Arena arena)
    implements AutoCloseable {

  @Override
  public void close() {
    arena.close();
  }
}
