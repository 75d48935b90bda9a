package org.jmmv.reader;

import java.util.Comparator;

/**
 * What identifies a file among those of all directories. The order is that of the directories in
 * the settings, and within a directory the byte order of the names.
 *
 * @param directory the directory; null for a file that a tool has opened by itself
 * @param name the name in the directory, one char per byte; empty for the directory itself
 */
public record FileName(MmvDirectory directory, String name) implements Comparable<FileName> {
  private static final Comparator<FileName> ORDER =
      Comparator.comparingInt(FileName::place).thenComparing(FileName::name);

  private int place() {
    return directory == null ? 0 : directory.place();
  }

  @Override
  public int compareTo(FileName other) {
    return ORDER.compare(this, other);
  }

  /**
   * Returns a text that identifies the file for users, in the memory of assigned clusters too: the
   * bare name in the first directory, and the path in others. A bare name has no slash, a path
   * begins with one.
   */
  @Override
  public String toString() {
    return place() == 0 ? name : directory.name + '/' + name;
  }
}
