package org.jmmv.pcp;

/**
 * The position of one label in the JSON text of its label set: {@code pmLabel} of {@code
 * <pcp/pmapi.h>}. Offsets and lengths are in bytes; offsets count from the start of the text.
 *
 * @param nameOffset 0 to 65,535, inside the quotes
 * @param nameLength 0 to 255, without the quotes
 * @param flags 0 to 255, a combination of the bits of {@link LabelType}
 * @param valueOffset 0 to 65,535, the start of the JSON value
 * @param valueLength 0 to 65,535, including the quotes of a JSON string
 */
public record LabelEntry(
    int nameOffset, int nameLength, int flags, int valueOffset, int valueLength) {
  /** The maximum number of labels in a set that pmcd accepts. */
  public static final int MAX_PER_SET = 254;

  /** The maximum length of a set's JSON text that pmcd accepts, in bytes. */
  public static final int MAX_JSON = 65_534;
}
