package org.jmmv.core.derived;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jmmv.core.BoundedPattern;
import org.jmmv.core.derived.Operator.Precedence;
import org.jmmv.core.derived.Term.Attributes;
import org.jmmv.core.derived.Term.Function;
import org.jmmv.core.derived.Term.Name;
import org.jmmv.pcp.FileText;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;

/** Reads an expression. The grammar is that of pmRegisterDerived(3). */
final class Parser {
  /**
   * The maximum number of operands, also of those that are expressions. Without it, a client could
   * use up the stack of the event loop: methods that read and check terms call themselves.
   */
  private static final int MAX_TERMS = 500;

  private static final long MAX_INTEGER = 0xffff_ffffL;
  private static final List<Integer> SEMANTICS =
      List.of(Semantics.COUNTER, Semantics.INSTANT, Semantics.DISCRETE);

  private final String text;
  private final Set<String> names = new LinkedHashSet<>();
  private final List<String> patterns = new ArrayList<>(); // which are bounded together
  private int at;
  private int terms;

  Parser(String text) {
    this.text = text;
  }

  /** Returns the whole expression. */
  Term parse() throws ExpressionException {
    Term all = expression(Precedence.NONE);
    if (hasNext()) {
      throw unexpected();
    }
    return all;
  }

  /** Returns the names of the metrics that were read, each once. */
  List<String> names() {
    return List.copyOf(names);
  }

  /** Reads operands as long as operators bind more than a precedence. */
  private Term expression(Precedence outer) throws ExpressionException {
    Term left = operand();
    while (true) {
      int start = at;
      if (outer == Precedence.NONE && accept("?")) {
        left = choice(start, left);
        continue;
      }
      Operator operator = operator(outer);
      if (operator == null) {
        return left;
      }
      left = new Term.Binary(start, operator, left, expression(operator.precedence()));
    }
  }

  private Operator operator(Precedence outer) {
    for (Operator operator : Operator.values()) {
      if (operator.precedence().compareTo(outer) > 0 && accept(operator.symbol())) {
        return operator;
      }
    }
    return null;
  }

  private Term choice(int start, Term guard) throws ExpressionException {
    Term yes = branch(Precedence.NONE);
    expect(":");
    Term no = branch(Precedence.CHOICE);
    if (yes instanceof Term.NoValue && no instanceof Term.NoValue) {
      throw failed(start, "both branches are novalue()");
    }
    return new Term.Choice(start, guard, yes, no);
  }

  private Term branch(Precedence outer) throws ExpressionException {
    int start = skipSpace();
    return acceptFunction("novalue")
        ? new Term.NoValue(start, accept(")") ? Attributes.NONE : attributes())
        : expression(outer);
  }

  private Term operand() throws ExpressionException {
    int start = skipSpace();
    if (++terms > MAX_TERMS) {
      throw failed(start, "the expression has more than " + MAX_TERMS + " operands");
    }
    if (accept("-")) {
      return new Term.Unary(start, Function.NEGATIVE, expression(Precedence.SUM));
    }
    if (text.startsWith("!", at) && !text.startsWith("!=", at)) {
      at++;
      return new Term.Unary(start, Function.NOT, expression(Precedence.NOT));
    }
    if (accept("(")) {
      Term inner = expression(Precedence.NONE);
      expect(")");
      return ofInstance(inner);
    }
    if (hasNext() && (isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
      return new Term.Constant(start, number(), Attributes.NONE);
    }
    Term called = call(start);
    return called == null ? ofInstance(name()) : called;
  }

  /** Returns what a function makes, or null if there is no call of a function. */
  private Term call(int start) throws ExpressionException {
    if (acceptFunction("mkconst")) {
      String digits = number();
      expect(",");
      return new Term.Constant(start, digits, attributes());
    }
    if (acceptFunction("rescale")) {
      Term of = expression(Precedence.NONE);
      expect(",");
      int string = skipSpace();
      Units units = units(string, quoted('"', '"'));
      expect(")");
      return new Term.Rescaled(start, of, units);
    }
    if (acceptFunction("matchinst")) {
      return matching(start);
    }
    for (Function function : Function.values()) {
      if (acceptFunction(function.symbol())) {
        Term of = function == Function.DEFINED ? name() : expression(Precedence.NONE);
        expect(")");
        return new Term.Unary(start, function, of);
      }
    }
    return null;
  }

  private Term matching(int start) throws ExpressionException {
    boolean isNegated = accept("!");
    int slash = skipSpace();
    BoundedPattern pattern = pattern(slash, quoted('/', '/'));
    expect(",");
    Term of = expression(Precedence.NONE);
    expect(")");
    return new Term.Matching(start, pattern, isNegated, of);
  }

  private BoundedPattern pattern(int position, String pattern) throws ExpressionException {
    patterns.add(pattern);
    try {
      BoundedPattern.check(patterns);
      return BoundedPattern.ofAny(List.of(pattern));
    } catch (IllegalArgumentException e) {
      throw failed(position, e.getMessage());
    }
  }

  private Term ofInstance(Term of) throws ExpressionException {
    int start = skipSpace();
    if (!text.startsWith("[", at)) {
      return of;
    }
    return new Term.OneInstance(start, of, quoted('[', ']'));
  }

  /** Reads attributes up to the closing parenthesis: {@code type=u64, units="byte"}. */
  private Attributes attributes() throws ExpressionException {
    Attributes all = Attributes.NONE;
    do {
      int start = skipSpace();
      String tag = word();
      expect("=");
      int value = skipSpace();
      all =
          switch (tag) {
            case "type" ->
                new Attributes(type(value, value()), all.semantics(), all.units(), all.like());
            case "semantics" ->
                new Attributes(all.type(), semantics(value, value()), all.units(), all.like());
            case "units" ->
                new Attributes(all.type(), all.semantics(), units(value, value()), all.like());
            case "meta" -> new Attributes(all.type(), all.semantics(), all.units(), name());
            default -> throw failed(start, "type, semantics, units or meta expected");
          };
    } while (accept(","));
    expect(")");
    return all;
  }

  private String value() throws ExpressionException {
    if (text.startsWith("\"", at)) {
      return quoted('"', '"');
    }
    return hasNext() && isDigit(text.charAt(at)) ? number() : word();
  }

  private static int type(int position, String value) throws ExpressionException {
    return IntStream.rangeClosed(ValueType.I32, ValueType.DOUBLE)
        .filter(type -> ValueType.toString(type).equalsIgnoreCase(value))
        .findFirst()
        .orElseThrow(() -> failed(position, value + " is no type of a number"));
  }

  private static int semantics(int position, String value) throws ExpressionException {
    return SEMANTICS.stream()
        .filter(semantics -> Semantics.toString(semantics).equalsIgnoreCase(value))
        .findFirst()
        .orElseThrow(() -> failed(position, value + " is no semantics"));
  }

  private static Units units(int position, String value) throws ExpressionException {
    try {
      return Units.parse(value);
    } catch (IllegalArgumentException e) { // the message says why
      throw failed(position, e.getMessage());
    }
  }

  private Name name() throws ExpressionException {
    int start = skipSpace();
    Name name = new Name(start, word());
    names.add(name.name());
    return name;
  }

  /** Reads letters, digits, underscores and points, of which the first one is a letter. */
  private String word() throws ExpressionException {
    int start = skipSpace();
    if (!hasNext() || !isLetter(text.charAt(at))) {
      throw unexpected();
    }
    while (hasNext() && isOfWord(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  private String number() throws ExpressionException {
    int start = skipSpace();
    boolean hasPoint = false;
    while (hasNext() && (isDigit(text.charAt(at)) || (text.charAt(at) == '.' && !hasPoint))) {
      hasPoint |= text.charAt(at++) == '.';
    }
    String digits = text.substring(start, at);
    if (digits.isEmpty() || digits.equals(".")) {
      throw failed(start, "number expected");
    }
    if (!hasPoint && (digits.length() > 18 || Long.parseLong(digits) > MAX_INTEGER)) {
      throw failed(start, "an integer is at most " + MAX_INTEGER);
    }
    return digits;
  }

  /** Reads a text between two chars. Unless these are quotes, a backslash escapes the next char. */
  private String quoted(char begin, char end) throws ExpressionException {
    int start = at;
    if (!hasNext() || text.charAt(at) != begin) {
      throw failed(start, begin + " expected");
    }
    StringBuilder quoted = new StringBuilder();
    for (at++; hasNext() && text.charAt(at) != end; at++) {
      if (begin != '"' && text.charAt(at) == '\\' && at + 1 < text.length()) {
        at++;
      }
      quoted.append(text.charAt(at));
    }
    if (!hasNext()) {
      throw failed(start, "what begins here has no end");
    }
    at++;
    return quoted.toString();
  }

  private boolean hasNext() {
    return at < text.length();
  }

  private int skipSpace() {
    while (hasNext() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private boolean accept(String symbol) {
    skipSpace();
    boolean isNext = text.startsWith(symbol, at);
    at += isNext ? symbol.length() : 0;
    return isNext;
  }

  /** Accepts the name of a function and the parenthesis, which follows immediately. */
  private boolean acceptFunction(String name) {
    return accept(name + "(");
  }

  private void expect(String symbol) throws ExpressionException {
    if (!accept(symbol)) {
      throw failed(at, symbol + " expected");
    }
  }

  private ExpressionException unexpected() {
    return failed(
        at,
        hasNext()
            ? "unexpected " + Character.toString(FileText.decode(text.substring(at)).codePointAt(0))
            : "an operand is missing at the end");
  }

  private static ExpressionException failed(int position, String why) {
    return new ExpressionException(position, why);
  }

  private static boolean isOfWord(char c) {
    return isLetter(c) || isDigit(c) || c == '_' || c == '.';
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
