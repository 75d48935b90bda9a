package org.jmmv.example;

/**
 * A row of the table.
 *
 * @param name the metric's name
 * @param instance the instance's name; "" for a singular value
 * @param value a formatted number or, if {@code text} is true, other text
 * @param text whether the value is text, which then extends over the columns of rate and units
 * @param rate "" if there is none
 * @param units "" if there are none
 * @param help the one-line help text; "" if there is none
 */
record Row(
    String name,
    String instance,
    String value,
    boolean text,
    String rate,
    String units,
    String help) {}
