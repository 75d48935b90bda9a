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

    @Override
    long difference(long value, long predicted) {
      return zigzag(value - predicted);
    }

    @Override
    long value(long difference, long predicted) {
      return predicted + ofZigzag(difference);
    }
  },

  /** Other integers stay as they are. */
  INTEGER {
    @Override
    long difference(long value, long predicted) {
      return zigzag(value - predicted);
    }

    @Override
    long value(long difference, long predicted) {
      return predicted + ofZigzag(difference);
    }
  },

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

  /** Returns what is kept of a value. */
  abstract long difference(long value, long predicted);

  /** Returns the value of which a difference was kept. */
  abstract long value(long difference, long predicted);

  private static long zigzag(long number) {
    return (number << 1) ^ (number >> (Long.SIZE - 1));
  }

  private static long ofZigzag(long number) {
    return (number >>> 1) ^ -(number & 1);
  }
}
