package org.jmmv.reader;

/**
 * How much is served at most. The directory is often writable by everybody, and what is served
 * costs memory: within these limits that is bounded, whatever the files hold. Each limit is from 1
 * to 999,999,999.
 *
 * @param fileSize the largest file, in bytes; files are mapped, not read into memory
 * @param files the number of files that are looked at
 * @param metrics in all files together
 * @param instances in all files together; each instance domain counts as one more
 * @param values in all files together
 * @param labels records of labels in all files together
 */
public record Limits(int fileSize, int files, int metrics, int instances, int values, int labels) {
  /**
   * Far more than applications have. The heap that the launcher allows has room for it, however
   * long the texts are.
   */
  public static final Limits DEFAULT =
      new Limits(512 << 20, 20_000, 100_000, 200_000, 4_000_000, 50_000);
}
