package org.jmmv.core.derived;

import org.jmmv.pcp.ValueType;

/**
 * Arithmetic with values of PCP's numeric types. A value is given as its bits, as in {@link
 * org.jmmv.pcp.ValueSink#numbers}; those of 32-bit types are in the lower half.
 */
final class Arithmetic {
  private Arithmetic() {}

  /** Returns a value in another type, which has room for those of the first one. */
  static long convert(int from, long bits, int to) {
    if (from == to) {
      return bits;
    }
    return switch (to) {
      case ValueType.I32, ValueType.U32 -> bits;
      case ValueType.FLOAT -> ofFloat(toFloat(from, bits));
      case ValueType.DOUBLE -> ofDouble(ValueType.number(from, bits));
      default ->
          switch (from) {
            case ValueType.I32 -> (int) bits;
            case ValueType.U32 -> Integer.toUnsignedLong((int) bits);
            default -> bits;
          };
    };
  }

  private static float toFloat(int type, long bits) {
    return switch (type) {
      case ValueType.U64 -> bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2f;
      case ValueType.I64 -> bits;
      default -> (float) ValueType.number(type, bits);
    };
  }

  static long ofFloat(float value) {
    return Float.floatToRawIntBits(value);
  }

  static long ofDouble(double value) {
    return Double.doubleToRawLongBits(value);
  }

  /** Returns whether a value is not zero. */
  static boolean isTrue(int type, long bits) {
    return ValueType.number(type, bits) != 0;
  }

  static long negate(int type, long bits) {
    return switch (type) {
      case ValueType.FLOAT -> ofFloat(-Float.intBitsToFloat((int) bits));
      case ValueType.DOUBLE -> ofDouble(-Double.longBitsToDouble(bits));
      default -> -bits;
    };
  }

  /**
   * Returns the result of an operator for two values of one type: of this type, or 1 or 0 if the
   * operator is logical. Nothing divided by nothing is 0, and integers are not divided.
   */
  static long apply(Operator operator, int type, long left, long right) {
    return switch (operator) {
      case ADD, SUBTRACT, MULTIPLY, DIVIDE ->
          switch (type) {
            case ValueType.FLOAT ->
                ofFloat(
                    (float)
                        real(
                            operator,
                            Float.intBitsToFloat((int) left),
                            Float.intBitsToFloat((int) right)));
            case ValueType.DOUBLE ->
                ofDouble(
                    real(operator, Double.longBitsToDouble(left), Double.longBitsToDouble(right)));
            default -> integer(operator, left, right);
          };
      case AND -> isTrue(type, left) && isTrue(type, right) ? 1 : 0;
      case OR -> isTrue(type, left) || isTrue(type, right) ? 1 : 0;
      default -> holds(operator, type, left, right) ? 1 : 0;
    };
  }

  /** The exact results of two floats, but for quotients, fit into a double. */
  private static double real(Operator operator, double left, double right) {
    return switch (operator) {
      case ADD -> left + right;
      case SUBTRACT -> left - right;
      case MULTIPLY -> left * right;
      default -> left == 0 ? 0 : left / right;
    };
  }

  private static long integer(Operator operator, long left, long right) {
    return switch (operator) {
      case ADD -> left + right;
      case SUBTRACT -> left - right;
      default -> left * right;
    };
  }

  /** A NaN is neither less than another number nor equal to one. */
  private static boolean holds(Operator relation, int type, long left, long right) {
    return switch (relation) {
      case LESS -> isLess(type, left, right);
      case LESS_OR_EQUAL -> isLess(type, left, right) || isEqual(type, left, right);
      case EQUAL -> isEqual(type, left, right);
      case GREATER_OR_EQUAL -> isLess(type, right, left) || isEqual(type, left, right);
      case GREATER -> isLess(type, right, left);
      default -> !isEqual(type, left, right);
    };
  }

  private static boolean isLess(int type, long left, long right) {
    return switch (type) {
      case ValueType.I64 -> left < right;
      case ValueType.U64 -> Long.compareUnsigned(left, right) < 0;
      default -> ValueType.number(type, left) < ValueType.number(type, right);
    };
  }

  private static boolean isEqual(int type, long left, long right) {
    return switch (type) {
      case ValueType.I64, ValueType.U64 -> left == right;
      default -> ValueType.number(type, left) == ValueType.number(type, right);
    };
  }
}
