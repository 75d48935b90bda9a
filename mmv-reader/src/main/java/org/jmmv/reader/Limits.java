package org.jmmv.reader;

import java.util.Arrays;

/**
 * Limits of what is served. They bound the memory and the time that the agent needs, whatever the
 * files contain: all users can often write to the directory. Each limit is from 1 to 999,999,999.
 *
 * @param fileSize maximum size of a file in bytes; files are mapped, so their size does not count
 *     as heap
 * @param files maximum number of files served at the same time
 * @param metrics maximum number of metrics in all files
 * @param instances maximum number of instances in all files; each instance domain counts as one
 *     more
 * @param values maximum number of values in all files
 * @param labels maximum number of label records in all files
 * @param memory maximum memory for the metadata of all files in MiB of the heap; a single file may
 *     use half of it
 * @param share the percentage of each of the limits above, except {@code fileSize}, that the files
 *     of one user may use while files of others need room; at most 100
 * @param loadTime maximum time in milliseconds that a request waits for files to be loaded
 */
public record Limits(
    int fileSize,
    int files,
    int metrics,
    int instances,
    int values,
    int labels,
    int memory,
    int share,
    int loadTime) {

  /**
   * The default limits: far above what applications need. A quarter of the heap holds the metadata;
   * the rest is for reading files, for replies, and for what the collector has not freed yet.
   */
  public static final Limits DEFAULT =
      new Limits(
          512 << 20,
          20_000,
          100_000,
          200_000,
          4_000_000,
          50_000,
          (int) Math.ceilDiv(Runtime.getRuntime().maxMemory(), 4L << 20),
          50,
          200);

  /**
   * Returns these limits with as few files as a process can map at the same time. When the kernel
   * refuses a mapping, the JVM can't get memory either, and dies.
   *
   * @param maxMappings the maximum number of mappings of a process: vm.max_map_count, proc(5)
   */
  public Limits within(int maxMappings) {
    int most = Math.max(1, maxMappings - Loader.OTHER_MAPPINGS);
    return new Limits(
        fileSize,
        Math.min(files, most),
        metrics,
        instances,
        values,
        labels,
        memory,
        share,
        loadTime);
  }

  /** Returns the maximum counts of all files together. */
  MmvCounts all() {
    return new MmvCounts(files, metrics, instances, values, labels, (long) memory << 20);
  }

  /** Returns the maximum counts of the files of one user while files of others need room. */
  MmvCounts ofOneUser() {
    return new MmvCounts(
        Arrays.stream(all().numbers()).map(limit -> Math.ceilDiv(limit * share, 100)).toArray());
  }

  /** Returns the maximum memory for the metadata of one file in bytes. */
  long memoryOfOneFile() {
    return ((long) memory << 20) / 2;
  }
}
