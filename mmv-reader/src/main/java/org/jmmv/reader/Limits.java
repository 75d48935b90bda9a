package org.jmmv.reader;

/**
 * Limits of what is served. The directory is often writable by everybody, and what is served takes
 * memory; the limits bound it, whatever the files hold. Each limit is from 1 to 999,999,999.
 *
 * @param fileSize size of the largest file, in bytes; files are mapped, not read into memory
 * @param files number of files that are examined
 * @param metrics number of metrics in all files together
 * @param instances number of instances in all files together; each instance domain counts as one
 * @param values number of values in all files together
 * @param labels number of label records in all files together
 */
public record Limits(int fileSize, int files, int metrics, int instances, int values, int labels) {
  /**
   * Far more than applications have, and still within the heap that the launcher allows, even if
   * all texts are as long as they can be.
   */
  public static final Limits DEFAULT =
      new Limits(512 << 20, 20_000, 100_000, 200_000, 4_000_000, 50_000);
}
