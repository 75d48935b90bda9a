package org.jmmv.web.metrics;

import java.util.List;

/** How families and samples become bytes. It has the state of one scrape. */
interface Encoding {
  /** Appends what precedes the first series of a family. */
  void addHead(Family family, Bytes to);

  /** Appends what each series of a family begins with, the labels of all series included. */
  void addLine(Family family, Bytes to);

  /**
   * Begins a family.
   *
   * @param isContinued whether samples of it have been written before
   */
  void begin(EncodedFamily family, boolean isContinued, Bytes out);

  /**
   * Encodes the labels that tell an instance.
   *
   * @param name its name, one char per byte
   */
  void encode(int instance, String name, Bytes to);

  /**
   * Begins a sample, which {@link #integer}, {@link #number} or {@link #real} ends.
   *
   * @param instances has the encoded instance; null for a singular metric
   * @param from where it begins
   * @param to where it ends
   * @param own labels of the instance, sorted by name
   */
  void sample(Bytes instances, int from, int to, List<LabelPair> own);

  /**
   * Ends a sample with an integer.
   *
   * @param isNegative whether there is a minus sign
   * @param magnitude the digits, an unsigned number
   * @param decimals the number of digits after the decimal point
   */
  void integer(boolean isNegative, long magnitude, int decimals);

  /** Ends a sample with a number. */
  void number(double value);

  /** Ends a sample with a number that was a float. */
  void real(float value);

  /** Returns the size of the family so far, in bytes. */
  int size();

  /** Ends a family. Returns whether it had samples; otherwise, nothing of it is written. */
  boolean end();

  /** Ends the page. */
  void endPage(Bytes out);
}
