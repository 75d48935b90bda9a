package org.jmmv.config;

/**
 * How much is served at most, from 1 to 999,999,999 each.
 *
 * @param fileSize of the largest file, in bytes
 * @param files that are looked at
 * @param metrics of all files
 * @param instances of all files; each instance domain counts as one more
 * @param values of all files
 * @param labels of all files, in records
 */
public record Limits(int fileSize, int files, int metrics, int instances, int values, int labels) {

  /**
   * Far more than applications have, and what the heap that the launcher allows has room for,
   * however long their texts are.
   */
  public static final Limits DEFAULT =
      new Limits(512 << 20, 20_000, 100_000, 200_000, 4_000_000, 50_000);
}
