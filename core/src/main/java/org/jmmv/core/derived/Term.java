package org.jmmv.core.derived;

import org.jmmv.core.BoundedPattern;
import org.jmmv.pcp.Units;

/** A part of an expression as it is written. {@code at} is its position in the text. */
sealed interface Term {
  int at();

  /** A name of a metric. */
  record Name(int at, String name) implements Term {}

  /**
   * A number.
   *
   * @param digits decimal, with a point or without
   */
  record Constant(int at, String digits, Attributes attributes) implements Term {
    boolean isInteger() {
      return digits.indexOf('.') < 0;
    }
  }

  /** {@code novalue()}, which is only a branch of a {@link Choice}. */
  record NoValue(int at, Attributes attributes) implements Term {}

  /** A function or an operator with one operand. */
  record Unary(int at, Function function, Term of) implements Term {}

  /** An operator with two operands. */
  record Binary(int at, Operator operator, Term left, Term right) implements Term {}

  /** {@code guard ? yes : no}. */
  record Choice(int at, Term guard, Term yes, Term no) implements Term {}

  /** {@code rescale(of, "units")}. */
  record Rescaled(int at, Term of, Units units) implements Term {}

  /** {@code of[instance]}. */
  record OneInstance(int at, Term of, String instance) implements Term {}

  /** {@code matchinst(/pattern/, of)}. */
  record Matching(int at, BoundedPattern pattern, boolean isNegated, Term of) implements Term {}

  /**
   * What {@code mkconst} and {@code novalue} say of their value; null where they do not.
   *
   * @param like a metric that says the rest
   */
  record Attributes(Integer type, Integer semantics, Units units, Name like) {
    static final Attributes NONE = new Attributes(null, null, null, null);
  }

  /** What has one operand: a function with a name, or an operator. */
  enum Function {
    AVG("avg"),
    COUNT("count"),
    DEFINED("defined"),
    DELTA("delta"),
    INSTANT("instant"),
    MAX("max"),
    MIN("min"),
    RATE("rate"),
    SCALAR("scalar"),
    SUM("sum"),
    NEGATIVE("-"),
    NOT("!");

    private final String symbol;

    Function(String symbol) {
      this.symbol = symbol;
    }

    String symbol() {
      return symbol;
    }
  }
}
