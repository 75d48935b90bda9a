package org.jmmv.pcp;

/**
 * Hashes of numbers that applications or clients choose, such as PMIDs, instances and offsets. They
 * include a per-process secret; otherwise a file could contain numbers that all collide.
 */
public final class ChosenNumber {
  private static final int SECRET = Long.hashCode(System.nanoTime() * 0x9e3779b97f4a7c15L);

  private ChosenNumber() {}

  /**
   * Hashes a number. Each step is invertible, so different numbers have different hashes, and any
   * bits of the hash can be used.
   */
  public static int hash(int number) {
    int mixed = (number ^ SECRET) * 0x85ebca6b;
    mixed = (mixed ^ mixed >>> 15) * 0xc2b2ae35;
    return mixed ^ mixed >>> 16;
  }
}
