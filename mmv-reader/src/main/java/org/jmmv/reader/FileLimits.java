package org.jmmv.reader;

/**
 * What is read of one file at most. The limits bound memory and time, whatever the file contains.
 *
 * @param size the size of the file in bytes; it is mapped, so its size does not count as heap
 * @param instances the number of instances of all instance domains
 * @param values the number of values
 * @param memory an estimate of the heap for the metadata, in bytes
 */
public record FileLimits(int size, int instances, int values, long memory) {
  /** The default limits: far above what applications need, and an eighth of the heap. */
  public static final FileLimits DEFAULT =
      new FileLimits(512 << 20, 200_000, 4_000_000, Runtime.getRuntime().maxMemory() / 8);
}
