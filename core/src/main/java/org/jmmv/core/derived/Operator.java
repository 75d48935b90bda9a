package org.jmmv.core.derived;

/** An operator with two operands. Sorted so that {@code <=} is tried before {@code <}. */
enum Operator {
  LESS_OR_EQUAL("<=", Precedence.RELATION),
  LESS("<", Precedence.RELATION),
  EQUAL("==", Precedence.RELATION),
  GREATER_OR_EQUAL(">=", Precedence.RELATION),
  GREATER(">", Precedence.RELATION),
  NOT_EQUAL("!=", Precedence.RELATION),
  AND("&&", Precedence.LOGIC),
  OR("||", Precedence.LOGIC),
  ADD("+", Precedence.SUM),
  SUBTRACT("-", Precedence.SUM),
  MULTIPLY("*", Precedence.PRODUCT),
  DIVIDE("/", Precedence.PRODUCT);

  /** How much operators bind, from the least. Those of the same one are left-associative. */
  enum Precedence {
    /** That of no operator. */
    NONE,
    CHOICE,
    LOGIC,
    NOT,
    RELATION,
    SUM,
    PRODUCT
  }

  private final String symbol;
  private final Precedence precedence;

  Operator(String symbol, Precedence precedence) {
    this.symbol = symbol;
    this.precedence = precedence;
  }

  String symbol() {
    return symbol;
  }

  Precedence precedence() {
    return precedence;
  }

  /** Returns whether the result is whether something is true. */
  boolean isLogical() {
    return precedence == Precedence.RELATION || precedence == Precedence.LOGIC;
  }
}
