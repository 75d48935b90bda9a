package org.jmmv.web.history;

import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;

/**
 * How the values of a metric are predicted, and what is kept of one that is not as predicted: a
 * number that is small if the prediction was close.
 */
enum Coding {
  /** A counter of integers goes on as fast as between the last two values. */
  COUNTER {
    @Override
    long predicted(long last, long increase, int rounds) {
      return last + rounds * increase;
    }
  },

  /** Other integers stay as they are. */
  INTEGER,

  /** Floating-point numbers stay as they are. The last bits of a mantissa are often zeros. */
  FLOATING {
    @Override
    long difference(long value, long predicted) {
      return Long.reverse(value ^ predicted);
    }

    @Override
    long value(long difference, long predicted) {
      return Long.reverse(difference) ^ predicted;
    }
  };

  /** Returns the coding for a metric, or null if its values are no numbers. */
  static Coding of(int type, int semantics) {
    return switch (type) {
      case ValueType.I32, ValueType.U32, ValueType.I64, ValueType.U64 ->
          semantics == Semantics.COUNTER ? COUNTER : INTEGER;
      case ValueType.FLOAT, ValueType.DOUBLE -> FLOATING;
      default -> null;
    };
  }

  /**
   * Returns the value some rounds after another one if all goes on as before.
   *
   * @param increase from the round before to that of the last value
   */
  long predicted(long last, long increase, int rounds) {
    return last;
  }

  /** Returns what is kept of a value: small, also if the difference is negative (zigzag). */
  long difference(long value, long predicted) {
    long difference = value - predicted;
    return (difference << 1) ^ (difference >> (Long.SIZE - 1));
  }

  /** Returns the value of which a difference was kept. */
  long value(long difference, long predicted) {
    return predicted + ((difference >>> 1) ^ -(difference & 1));
  }
}
