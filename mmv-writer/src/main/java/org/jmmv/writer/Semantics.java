package org.jmmv.writer;

/** What kind of values a metric has, see pmLookupDesc(3). */
public enum Semantics {
  /** Values that only increase, so that their rate is of interest. */
  COUNTER(1),

  /** Values that can change at any time. */
  INSTANT(3),

  /** Values that change seldom. */
  DISCRETE(4);

  final int code;

  Semantics(int code) {
    this.code = code;
  }
}
