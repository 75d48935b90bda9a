package org.jmmv.reader;

/**
 * Limits of what is served. They bound the memory that the agent needs, whatever the files contain:
 * all users can often write to the directory. Each limit is from 1 to 999,999,999.
 *
 * @param fileSize maximum size of a file in bytes; files are mapped, so their size does not count
 *     as heap
 * @param files maximum number of files served at the same time
 * @param metrics maximum number of metrics in all files
 * @param instances maximum number of instances in all files; each instance domain counts as one
 *     more
 * @param values maximum number of values in all files
 * @param labels maximum number of label records in all files
 */
public record Limits(int fileSize, int files, int metrics, int instances, int values, int labels) {
  /**
   * The default limits: far above what applications need. The launcher's heap of 768 MiB is
   * sufficient for them, even if all strings have the maximum length.
   */
  public static final Limits DEFAULT =
      new Limits(512 << 20, 20_000, 100_000, 200_000, 4_000_000, 50_000);

  /**
   * Returns these limits with as few files as a process can map at the same time. When the kernel
   * refuses a mapping, the JVM can't get memory either, and dies.
   *
   * @param maxMappings the maximum number of mappings of a process: vm.max_map_count, proc(5)
   */
  public Limits within(int maxMappings) {
    int most = Math.max(1, maxMappings - MmvDirectory.OTHER_MAPPINGS);
    return new Limits(fileSize, Math.min(files, most), metrics, instances, values, labels);
  }
}
