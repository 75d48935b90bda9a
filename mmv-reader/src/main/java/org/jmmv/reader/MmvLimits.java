package org.jmmv.reader;

/**
 * How much is served at most. The directory is often writable by everybody, and what is served
 * costs memory: within these limits that is bounded, whatever the files hold.
 *
 * @param fileSize the largest file, in bytes; files are mapped, not read into memory
 * @param files the number of files that are looked at
 * @param metrics in all files together
 * @param instances in all files together, and each instance domain counts as one more
 * @param values in all files together
 * @param labels records of labels in all files together
 */
public record MmvLimits(
    long fileSize, int files, int metrics, int instances, int values, int labels) {}
