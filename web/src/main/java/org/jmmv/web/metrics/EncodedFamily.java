package org.jmmv.web.metrics;

/**
 * An encoded family: a part of {@link EncodedFamilies}.
 *
 * @param bytes has the texts
 * @param head where the text begins that precedes the first series
 * @param line where the text begins with which each series begins, the labels of all series
 *     included
 * @param end where that ends
 * @param scale how values become multiples of the base unit
 * @param start when its counters have begun, in nanoseconds since the epoch; 0 if that is not known
 */
record EncodedFamily(
    Bytes bytes, int head, int line, int end, Family.Kind kind, Scale scale, long start) {}
