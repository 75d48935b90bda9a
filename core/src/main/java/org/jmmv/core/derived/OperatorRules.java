package org.jmmv.core.derived;

import org.jmmv.core.derived.Operator.Precedence;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;

/** For which operands an operator has a meaning, and the semantics and units of its result. */
final class OperatorRules {
  private OperatorRules() {}

  /** Refuses operands for which the operator has no meaning. */
  static void check(Term.Binary binary, Descriptor left, Descriptor right)
      throws ExpressionException {
    if (!binary.operator().isLogical()) {
      checkCounters(binary, left, right);
    }
    checkDimensions(binary, left, right);
  }

  private static void checkCounters(Term.Binary binary, Descriptor left, Descriptor right)
      throws ExpressionException {
    boolean isSum = binary.operator().precedence() == Precedence.SUM;
    boolean isMeaningful =
        left.isCounter() == right.isCounter()
            ? isSum || !left.isCounter()
            : !isSum && (left.isCounter() || binary.operator() == Operator.MULTIPLY);
    if (!isMeaningful) {
      throw new ExpressionException(
          binary.at(),
          "%s has no meaning for %s and %s"
              .formatted(binary.operator().symbol(), counter(left), counter(right)));
    }
  }

  private static String counter(Descriptor side) {
    return side.isCounter() ? "a counter" : "a value that is no counter";
  }

  private static void checkDimensions(Term.Binary binary, Descriptor left, Descriptor right)
      throws ExpressionException {
    boolean isSame = left.hasDimensionOf(right.units());
    boolean fits =
        switch (binary.operator().precedence()) {
          case SUM -> isSame || areCounts(left, right);
          case RELATION ->
              isSame
                  || areCounts(left, right)
                  || isPlain(binary.left(), left)
                  || isPlain(binary.right(), right);
          case LOGIC -> left.hasNoDimension() && right.hasNoDimension();
          default -> true;
        };
    Descriptor notCounter = left.isCounter() ? right : left;
    boolean isFactor =
        left.isCounter() == right.isCounter()
            || notCounter.hasNoDimension()
            || binary.operator().precedence() == Precedence.SUM;
    if (!fits || !isFactor) {
      throw new ExpressionException(
          binary.at(),
          "%s has no meaning for \"%s\" and \"%s\""
              .formatted(binary.operator().symbol(), left.units(), right.units()));
    }
  }

  private static boolean isPlain(Term term, Descriptor of) {
    return term instanceof Term.Constant && of.hasNoDimension();
  }

  /** Returns whether one side is a count, and the other one has no dimension or is a count. */
  private static boolean areCounts(Descriptor left, Descriptor right) {
    return (left.hasNoDimension() && right.hasDimensionOf(Descriptor.ONE_COUNT))
        || (right.hasNoDimension() && left.hasDimensionOf(Descriptor.ONE_COUNT));
  }

  /** Returns the semantics of a result, whose descriptor is otherwise that of one operand. */
  static int semantics(Operator operator, Descriptor left, Descriptor right, Descriptor result) {
    if (!operator.isLogical() && (left.isCounter() || right.isCounter())) {
      return result.semantics();
    }
    boolean areDiscrete =
        left.semantics() == Semantics.DISCRETE && right.semantics() == Semantics.DISCRETE;
    return areDiscrete ? Semantics.DISCRETE : Semantics.INSTANT;
  }

  /** Returns units with the larger one of their scale and another's in each dimension. */
  static Units larger(Units units, Units other) {
    return new Units(
        units.space(),
        units.time(),
        units.count(),
        larger(units.space(), units.spaceScale(), other.space(), other.spaceScale()),
        larger(units.time(), units.timeScale(), other.time(), other.timeScale()),
        larger(units.count(), units.countScale(), other.count(), other.countScale()),
        units.extra(),
        units.extraScale());
  }

  private static int larger(int exponent, int scale, int otherExponent, int otherScale) {
    boolean hasBoth = exponent != 0 && otherExponent != 0;
    return hasBoth ? Math.max(scale, otherScale) : exponent != 0 ? scale : otherScale;
  }

  /** Returns the units of a result. Those of a sum are those of one operand, but for scales. */
  static Units units(Term.Binary binary, Units left, Units right, Units result)
      throws ExpressionException {
    if (binary.operator().isLogical()) {
      return Descriptor.NO_UNITS;
    }
    int sign = binary.operator() == Operator.DIVIDE ? -1 : 1;
    boolean isSum = binary.operator().precedence() == Precedence.SUM;
    Units scales = larger(left, right);
    int space = isSum ? result.space() : left.space() + sign * right.space();
    int time = isSum ? result.time() : left.time() + sign * right.time();
    int count = isSum ? result.count() : left.count() + sign * right.count();
    boolean hasExtras = left.extra() != 0 && right.extra() != 0;
    boolean cancel =
        left.extra() == -sign * right.extra() && left.extraScale() == right.extraScale();
    int extra = isSum ? result.extra() : left.extra() + sign * right.extra();
    Units units =
        new Units(
            space,
            time,
            count,
            space == 0 ? 0 : scales.spaceScale(),
            time == 0 ? 0 : scales.timeScale(),
            count == 0 ? 0 : scales.countScale(),
            extra,
            extra == 0 ? 0 : Math.max(left.extraScale(), right.extraScale()));
    if (!units.fits() || (!isSum && hasExtras && !cancel)) {
      throw new ExpressionException(
          binary.at(), "there are no units for \"%s\" and \"%s\"".formatted(left, right));
    }
    return units;
  }
}
