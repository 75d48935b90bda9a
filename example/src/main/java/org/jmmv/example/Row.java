package org.jmmv.example;

/**
 * A line of the table.
 *
 * @param instance "" for a singular value
 * @param value a number, or any other text, see {@code text}
 * @param text whether the value is text, which takes the place of rate and units too
 * @param rate "" if there is none
 * @param units "" if there are none
 * @param help one line, "" if there is none
 */
record Row(
    String name,
    String instance,
    String value,
    boolean text,
    String rate,
    String units,
    String help) {}
