package org.jmmv.pcp;

/**
 * Where a label is in the JSON text of a set of labels. Offsets and lengths are in bytes and within
 * that text.
 *
 * @param nameOffset 0 to 65535, inside the quotes
 * @param nameLength 0 to 255
 * @param flags 0 to 255, of {@link LabelType}
 * @param valueOffset 0 to 65535, of the whole JSON value, quotes included
 * @param valueLength 0 to 65535
 */
public record LabelEntry(
    int nameOffset, int nameLength, int flags, int valueOffset, int valueLength) {
  /** The most labels that pmcd takes in a set. */
  public static final int MAX_PER_SET = 254;

  /** The longest JSON text of a set that pmcd takes, in bytes. */
  public static final int MAX_JSON = 65_534;
}
