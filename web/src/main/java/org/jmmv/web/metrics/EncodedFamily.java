package org.jmmv.web.metrics;

/** A family whose texts are encoded. */
final class EncodedFamily {
  final Family family;
  final byte[] head;
  final byte[] series;

  /**
   * Creates an object.
   *
   * @param head what precedes the first series
   * @param series what each series begins with, the labels of all series included
   */
  EncodedFamily(Family family, byte[] head, byte[] series) {
    this.family = family;
    this.head = head;
    this.series = series;
  }
}
