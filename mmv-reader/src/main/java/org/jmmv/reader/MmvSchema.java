package org.jmmv.reader;

import java.util.List;

/**
 * All that a file says about its metrics but their values: copied out of the mapping, checked, and
 * good for as long as the file's generation stays.
 *
 * @param file the file's name in its directory
 * @param version 1, 2 or 3
 * @param generation not 0
 * @param flags the FLAG bits
 * @param pid the application's process
 * @param cluster 0 to 4095; 0 asks for any free one
 * @param metrics in the order of the file, those that can be served
 * @param inDoms in the order of the file, those that can be served
 * @param labels in the order of the file, those that can be served
 * @param valuesOffset where the VALUES section begins, in bytes from the start of the file
 * @param faults what was left out, and why
 * @param digest differs between files of different metadata
 */
public record MmvSchema(
    String file,
    int version,
    long generation,
    int flags,
    int pid,
    int cluster,
    List<MmvMetric> metrics,
    List<MmvInDom> inDoms,
    List<MmvLabel> labels,
    long valuesOffset,
    List<MmvFault> faults,
    long digest) {

  /** Metric names do not carry the file's name. */
  public static final int FLAG_NOPREFIX = 1;

  /** The file is served only while its process runs. */
  public static final int FLAG_PROCESS = 2;

  /** Some values mean "no value now". */
  public static final int FLAG_SENTINEL = 4;

  /** Whether a flag is set. */
  public boolean has(int flag) {
    return (flags & flag) != 0;
  }
}
