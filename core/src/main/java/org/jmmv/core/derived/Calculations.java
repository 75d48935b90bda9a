package org.jmmv.core.derived;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.LongUnaryOperator;
import org.jmmv.core.KeptValues;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueType;

/** Calculations that keep nothing from one time to the next. */
final class Calculations {
  private static final BigInteger MAX_U64 = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

  private Calculations() {}

  /**
   * One number, for each selected instance of an instance domain.
   *
   * @param inDom {@link InDom#NULL}: the number is singular
   */
  static Calculation constant(int type, int inDom, long bits) {
    return (_, moment) -> {
      KeptValues values = new KeptValues();
      if (inDom == InDom.NULL) {
        values.add(type, Instance.NULL, bits);
        return values;
      }
      InstanceTable table = moment.instances().apply(inDom);
      for (int i = 0; i < table.size(); i++) {
        if (moment.filter().passes(inDom, table.number(i))) {
          values.add(type, table.number(i), bits);
        }
      }
      return values;
    };
  }

  /** The values of a metric. */
  static Calculation metric(String name) {
    KeptValues unknown = KeptValues.ofStatus(PmError.NAME.code());
    return (_, moment) -> moment.values().getOrDefault(name, unknown);
  }

  /** No values. */
  static Calculation nothing() {
    return (_, _) -> new KeptValues();
  }

  /** The values of the operand as they are. */
  static Calculation same() {
    return (of, _) -> of[0];
  }

  /** The first value, without its instance. */
  static Calculation first() {
    return (of, _) -> {
      KeptValues first = new KeptValues();
      if (of[0].count() > 0) {
        first.add(Instance.NULL, of[0], 0);
      }
      return first;
    };
  }

  /** A number for each value. */
  static Calculation each(int type, LongUnaryOperator function) {
    return (of, _) -> {
      KeptValues values = new KeptValues();
      for (int i = 0; i < of[0].count(); i++) {
        values.add(type, of[0].instance(i), function.applyAsLong(of[0].bits(i)));
      }
      return values;
    };
  }

  /** The number of values; 0 if the metric can't be read. */
  static Calculation count() {
    return new Calculation() {
      @Override
      public KeptValues calculate(KeptValues[] operands, Moment moment) {
        return singular(ValueType.U32, operands[0].count());
      }

      @Override
      public boolean toleratesErrors() {
        return true;
      }
    };
  }

  /** The sum of all values, in their type; 0 without values. */
  static Calculation sum(int type) {
    return (of, _) -> {
      long sum = 0; // of any type
      for (int i = 0; i < of[0].count(); i++) {
        sum = Arithmetic.apply(Operator.ADD, type, sum, of[0].bits(i));
      }
      return singular(type, sum);
    };
  }

  /** The average of all values, a float; 0 without values. */
  static Calculation average(int type) {
    return (of, _) -> {
      double sum = 0;
      for (int i = 0; i < of[0].count(); i++) {
        sum += ValueType.number(type, of[0].bits(i));
      }
      return singular(
          ValueType.FLOAT, Arithmetic.ofFloat((float) (sum / Math.max(1, of[0].count()))));
    };
  }

  /** The largest or the smallest value; none without values. */
  static Calculation extreme(int type, Operator better) {
    return (of, _) -> {
      if (of[0].count() == 0) {
        return new KeptValues();
      }
      long extreme = of[0].bits(0);
      for (int i = 1; i < of[0].count(); i++) {
        if (Arithmetic.apply(better, type, of[0].bits(i), extreme) != 0) {
          extreme = of[0].bits(i);
        }
      }
      return singular(type, extreme);
    };
  }

  private static KeptValues singular(int type, long bits) {
    KeptValues one = new KeptValues();
    one.add(type, Instance.NULL, bits);
    return one;
  }

  /**
   * The results of an operator. A singular operand is one of each instance; otherwise only
   * instances that both operands have are in the result.
   *
   * @param type the type of the results
   * @param common the type in which they are calculated
   */
  static Calculation binary(Operator operator, int type, int common, Side left, Side right) {
    return (of, _) -> {
      KeptValues values = new KeptValues();
      KeptValues every = left.isSingular ? of[1] : of[0]; // has the instances of the result
      Reader lefts = new Reader(of[0], left, common);
      Reader rights = new Reader(of[1], right, common);
      for (int i = 0; i < every.count(); i++) {
        int instance = every.instance(i);
        int l = lefts.find(instance, i);
        int r = rights.find(instance, i);
        if (l >= 0 && r >= 0) {
          values.add(
              type, instance, Arithmetic.apply(operator, common, lefts.value(l), rights.value(r)));
        }
      }
      return values;
    };
  }

  /**
   * An operand of an operator.
   *
   * @param scaling of its values if the common type is that of doubles
   */
  record Side(int type, boolean isSingular, Scaling scaling) {}

  /** Reads the values of a side in the common type. */
  private static final class Reader {
    private final KeptValues values;
    private final Side side;
    private final int common;
    private final InstanceIndex index;

    Reader(KeptValues values, Side side, int common) {
      this.values = values;
      this.side = side;
      this.common = common;
      index = new InstanceIndex(values);
    }

    int find(int instance, int expected) {
      return side.isSingular ? values.count() - 1 : index.find(instance, expected);
    }

    long value(int at) {
      long bits = Arithmetic.convert(side.type, values.bits(at), common);
      return common == ValueType.DOUBLE
          ? Arithmetic.ofDouble(side.scaling.apply(Double.longBitsToDouble(bits)))
          : bits;
    }
  }

  /**
   * The values of the second operand where the first one is true, and of the third one where it is
   * false. A singular condition is that of all instances, and a singular value is one of each
   * instance.
   *
   * @param guard of the first operand
   * @param yes of the second operand
   * @param no of the third one
   */
  static Calculation choice(Descriptor guard, Descriptor yes, Descriptor no) {
    return (of, _) -> guard.isSingular() ? pick(guard, yes, no, of) : pickEach(guard, yes, no, of);
  }

  private static KeptValues pick(Descriptor guard, Descriptor yes, Descriptor no, KeptValues[] of) {
    if (of[0].count() == 0) {
      return new KeptValues();
    }
    boolean isTrue = Arithmetic.isTrue(guard.type(), of[0].bits(0));
    KeptValues picked = isTrue ? of[1] : of[2];
    KeptValues other = isTrue ? of[2] : of[1];
    boolean isForEach = (isTrue ? yes : no).isSingular() && !(isTrue ? no : yes).isSingular();
    if (!isForEach || picked.count() == 0) {
      return picked;
    }
    KeptValues values = new KeptValues();
    for (int i = 0; i < other.count(); i++) {
      values.add(other.instance(i), picked, 0);
    }
    return values;
  }

  private static KeptValues pickEach(
      Descriptor guard, Descriptor yes, Descriptor no, KeptValues[] of) {
    KeptValues values = new KeptValues();
    InstanceIndex ofYes = new InstanceIndex(of[1]);
    InstanceIndex ofNo = new InstanceIndex(of[2]);
    for (int i = 0; i < of[0].count(); i++) {
      int instance = of[0].instance(i);
      boolean isTrue = Arithmetic.isTrue(guard.type(), of[0].bits(i));
      KeptValues picked = isTrue ? of[1] : of[2];
      int index =
          (isTrue ? yes : no).isSingular()
              ? picked.count() - 1
              : (isTrue ? ofYes : ofNo).find(instance, i);
      if (index >= 0) {
        values.add(instance, picked, index);
      }
    }
    return values;
  }

  /** The values in other units: integers are rounded, halves away from zero. */
  static Calculation rescaled(int type, Scaling scaling) {
    if (scaling.isNone()) {
      return same();
    }
    return switch (type) {
      case ValueType.FLOAT ->
          each(type, bits -> Arithmetic.ofFloat((float) scaled(type, bits, scaling)));
      case ValueType.DOUBLE -> each(type, bits -> Arithmetic.ofDouble(scaled(type, bits, scaling)));
      default -> integers(type, scaling);
    };
  }

  private static double scaled(int type, long bits, Scaling scaling) {
    return scaling.apply(ValueType.number(type, bits));
  }

  /** Doubles would cost digits: a time in nanoseconds has more than 53 bits. */
  private static Calculation integers(int type, Scaling scaling) {
    BigInteger divisor = new BigDecimal(scaling.divisor()).toBigIntegerExact();
    BigInteger factor = new BigDecimal(scaling.factor()).toBigIntegerExact();
    BigInteger half = divisor.shiftRight(1);
    BigInteger max = type == ValueType.U64 ? MAX_U64 : BigInteger.valueOf(Long.MAX_VALUE);
    return each(
        type,
        bits -> {
          BigInteger value = new BigInteger(ValueType.decimal(type, bits));
          BigInteger size = value.abs().multiply(factor).add(half).divide(divisor).min(max);
          return (value.signum() < 0 ? size.negate() : size).longValue();
        });
  }
}
