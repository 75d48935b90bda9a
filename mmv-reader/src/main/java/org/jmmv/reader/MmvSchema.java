package org.jmmv.reader;

import java.util.List;

/**
 * The metadata of a file: all that it says about its metrics but their values. It is a checked
 * copy, valid as long as the file's generation does not change.
 *
 * @param file the file's name in its directory
 * @param version 1, 2 or 3
 * @param generation not 0
 * @param flags the FLAG bits, and any others
 * @param pid the application's process, any number
 * @param cluster 0 to 4095; 0 asks for any free cluster
 * @param metrics those that can be served, in the order of the file
 * @param inDoms those that can be served, in the order of the file
 * @param labels those that can be served, in the order of the file
 * @param valuesOffset where the VALUES section begins, in bytes from the start of the file
 * @param faults what was left out, and why
 * @param digest differs, but for chance, between files whose metadata differs
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

  /** All ones, a NaN and an empty string mean "no value now". */
  public static final int FLAG_SENTINEL = 4;

  /** Whether a flag is set. */
  public boolean has(int flag) {
    return (flags & flag) != 0;
  }
}
