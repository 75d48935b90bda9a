package org.jmmv.reader.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.file.Path;
import org.jmmv.posix.PosixDirectory;

/**
 * What identifies a file among those of all directories. The order is that of the directories in
 * the settings, and within a directory the byte order of the names.
 *
 * @param rank orders the directories; 0 for the first one
 * @param directory the path of the directory, one char per byte
 * @param name the name in the directory, one char per byte; empty for the directory itself
 */
public record FileName(long rank, String directory, String name) implements Comparable<FileName> {
  /** Returns the name of a file that a tool has opened by itself. */
  public static FileName of(String name) {
    return new FileName(0, "", name);
  }

  /** Returns what identifies a directory. */
  public static FileName ofDirectory(long rank, Path path) {
    return new FileName(rank, new String(PosixDirectory.bytes(path), ISO_8859_1), "");
  }

  @Override
  public int compareTo(FileName other) {
    int order = Long.compare(rank, other.rank);
    if (order == 0) {
      order = name.compareTo(other.name);
    }
    return order == 0 ? directory.compareTo(other.directory) : order;
  }

  /**
   * Returns a text that identifies the file for users, in the memory of assigned clusters too: the
   * bare name in the first directory, and the path in others. A bare name has no slash, a path
   * begins with one. The directory itself has its path.
   */
  @Override
  public String toString() {
    return name.isEmpty() ? directory : rank == 0 ? name : directory + '/' + name;
  }
}
