package org.jmmv.core.derived;

/** An operator with two operands. One that begins with another one comes before it. */
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
  static final class Precedence {
    static final int CHOICE = 0;
    static final int LOGIC = 1;
    static final int NOT = 2;
    static final int RELATION = 3;
    static final int SUM = 4;
    static final int PRODUCT = 5;

    private Precedence() {}
  }

  private final String symbol;
  private final int precedence;

  Operator(String symbol, int precedence) {
    this.symbol = symbol;
    this.precedence = precedence;
  }

  String symbol() {
    return symbol;
  }

  int precedence() {
    return precedence;
  }

  /** Returns whether the result is whether something is true. */
  boolean isLogical() {
    return precedence == Precedence.RELATION || precedence == Precedence.LOGIC;
  }
}
