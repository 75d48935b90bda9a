package org.jmmv.core.derived;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jmmv.core.derived.Calculations.Side;
import org.jmmv.core.derived.Operator.Precedence;
import org.jmmv.core.derived.Term.Attributes;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;

/**
 * Binds an expression to metrics: checks it, and says what its values are and how they follow from
 * those of the metrics. The rules are those of pmRegisterDerived(3), "Semantic checks and rules".
 */
final class Binder {
  private static final Units SECOND = Units.parse("sec");

  /** What a number without units is in, as by pmConvScale(3). */
  private static final Units ONE = Units.parse("count");

  private final Map<String, Descriptor> metrics;
  private final Set<String> read = new LinkedHashSet<>();
  private final List<Operation> operations = new ArrayList<>();

  /**
   * Creates a binder.
   *
   * @param metrics descriptors by names, of those that exist
   */
  Binder(Map<String, Descriptor> metrics) {
    this.metrics = metrics;
  }

  /** Returns the bound expression. */
  Program bind(Term term) throws ExpressionException {
    add(term);
    return new Program(Map.copyOf(metrics), List.copyOf(read), List.copyOf(operations));
  }

  /** Adds a term after its operands. Returns the index of its operation. */
  private int add(Term term) throws ExpressionException {
    return switch (term) {
      case Term.Name name -> {
        Descriptor metric = metric(name);
        read.add(name.name());
        yield add(metric, Calculations.metric(name.name()));
      }
      case Term.Constant constant -> addConstant(constant);
      case Term.NoValue none -> add(none(none), Calculations.nothing());
      case Term.Unary unary -> addUnary(unary);
      case Term.Binary binary -> addBinary(binary);
      case Term.Choice choice -> addChoice(choice);
      case Term.Rescaled rescaled -> addRescaled(rescaled);
      case Term.OneInstance one -> {
        int of = add(one.of());
        yield add(of(of), new OneInstance(inDom(one.at(), of(of)), one.instance()), of);
      }
      case Term.Matching matching -> {
        int of = add(matching.of());
        int inDom = inDom(matching.at(), of(of));
        yield add(of(of), new Matching(inDom, matching.pattern(), matching.isNegated()), of);
      }
    };
  }

  private int add(Descriptor descriptor, Calculation calculation, Integer... operands) {
    operations.add(new Operation(descriptor, List.of(operands), calculation));
    return operations.size() - 1;
  }

  private Descriptor of(int operation) {
    return operations.get(operation).descriptor();
  }

  private Descriptor metric(Term.Name name) throws ExpressionException {
    Descriptor found = metrics.get(name.name());
    if (found == null) {
      throw failed(name.at(), "no metric has the name " + name.name());
    }
    return found;
  }

  private static int inDom(int position, Descriptor of) throws ExpressionException {
    if (of.isSingular()) {
      throw failed(position, "there are no instances");
    }
    return of.inDom();
  }

  private int addConstant(Term.Constant constant) throws ExpressionException {
    int usual = constant.isInteger() ? ValueType.U32 : ValueType.DOUBLE;
    Descriptor descriptor = described(constant.attributes(), usual);
    int type = descriptor.type();
    if (!descriptor.isNumeric() || (!constant.isInteger() && type < ValueType.FLOAT)) {
      throw failed(
          constant.at(), constant.digits() + " is not of type " + ValueType.toString(type));
    }
    return add(
        descriptor, Calculations.constant(type, descriptor.inDom(), bits(type, constant.digits())));
  }

  private static long bits(int type, String digits) {
    return switch (type) {
      case ValueType.FLOAT -> Arithmetic.ofFloat((float) Double.parseDouble(digits));
      case ValueType.DOUBLE -> Arithmetic.ofDouble(Double.parseDouble(digits));
      default -> Long.parseLong(digits);
    };
  }

  private Descriptor none(Term.NoValue none) throws ExpressionException {
    return described(none.attributes(), ValueType.I32);
  }

  private Descriptor described(Attributes attributes, int usualType) throws ExpressionException {
    Descriptor all =
        attributes.like() == null
            ? new Descriptor(usualType, InDom.NULL, Semantics.DISCRETE, Descriptor.NO_UNITS)
            : metric(attributes.like());
    return new Descriptor(
        attributes.type() == null ? all.type() : attributes.type(),
        all.inDom(),
        attributes.semantics() == null ? all.semantics() : attributes.semantics(),
        attributes.units() == null ? all.units() : attributes.units());
  }

  private int addUnary(Term.Unary unary) throws ExpressionException {
    if (unary.function() == Term.Function.DEFINED) {
      return addTruth(known(unary).orElseThrow());
    }
    int index = add(unary.of());
    Descriptor of = of(index);
    Descriptor now = of.isCounter() ? of.withSemantics(Semantics.INSTANT) : of;
    return switch (unary.function()) {
      case COUNT ->
          add(
              new Descriptor(ValueType.U32, InDom.NULL, Semantics.INSTANT, Descriptor.ONE_COUNT),
              Calculations.count(),
              index);
      case INSTANT -> add(now, Calculations.same(), index);
      case SCALAR -> add(of.withInDom(InDom.NULL), Calculations.first(), index);
      default -> {
        if (!of.isNumeric()) {
          throw failed(unary.at(), "the operand is not a number, but " + type(of));
        }
        yield addNumeric(unary, index, now);
      }
    };
  }

  private static String type(Descriptor of) {
    return "of type " + ValueType.toString(of.type());
  }

  private int addTruth(boolean isTrue) {
    return add(
        new Descriptor(ValueType.U32, InDom.NULL, Semantics.DISCRETE, Descriptor.NO_UNITS),
        Calculations.constant(ValueType.U32, InDom.NULL, isTrue ? 1 : 0));
  }

  private int addNumeric(Term.Unary unary, int index, Descriptor now) throws ExpressionException {
    Descriptor of = of(index);
    int type = of.type();
    Descriptor instant = of.withSemantics(Semantics.INSTANT);
    Descriptor single = instant.withInDom(InDom.NULL);
    return switch (unary.function()) {
      case NOT ->
          add(
              now.withType(ValueType.U32).withUnits(Descriptor.NO_UNITS),
              Calculations.each(ValueType.U32, bits -> Arithmetic.isTrue(type, bits) ? 0 : 1),
              index);
      case NEGATIVE -> {
        int signed =
            type == ValueType.U32 ? ValueType.I32 : type == ValueType.U64 ? ValueType.I64 : type;
        yield add(
            instant.withType(signed),
            Calculations.each(signed, bits -> Arithmetic.negate(type, bits)),
            index);
      }
      case AVG -> add(single.withType(ValueType.FLOAT), Calculations.average(type), index);
      case SUM -> add(of.withInDom(InDom.NULL), Calculations.sum(type), index);
      case MAX -> add(single, Calculations.extreme(type, Operator.GREATER), index);
      case MIN -> add(single, Calculations.extreme(type, Operator.LESS), index);
      case DELTA -> {
        int wide =
            type == ValueType.U32 ? ValueType.I64 : type == ValueType.U64 ? ValueType.DOUBLE : type;
        yield add(instant.withType(wide), Increase.delta(of, wide), index);
      }
      case RATE -> addRate(unary, index, instant.withType(ValueType.DOUBLE));
      default -> throw new IllegalStateException(unary.function().symbol());
    };
  }

  private int addRate(Term.Unary unary, int index, Descriptor instant) throws ExpressionException {
    Units units = of(index).units();
    if (units.time() != 0 && units.time() != 1) {
      throw failed(unary.at(), "the rate of " + units + " has no meaning");
    }
    Units inSeconds = withTime(units, units.time(), SECOND.timeScale());
    Units rate = withTime(units, units.time() - 1, units.time() == 1 ? 0 : SECOND.timeScale());
    return add(
        instant.withUnits(rate),
        Increase.rate(of(index), scaling(unary.at(), units, inSeconds)),
        index);
  }

  private static Units withTime(Units units, int time, int scale) {
    return new Units(
        units.space(),
        time,
        units.count(),
        units.spaceScale(),
        scale,
        units.countScale(),
        units.extra(),
        units.extraScale());
  }

  private static Scaling scaling(int position, Units from, Units to) throws ExpressionException {
    if (from.equals(to)) {
      return Scaling.NONE;
    }
    for (Units units : List.of(from, to)) {
      if (!units.isKnown()) {
        throw failed(position, "the units " + units + " are unknown");
      }
    }
    Scaling scaling = Scaling.between(from, to);
    if (!scaling.isFinite()) {
      throw failed(position, "%s and %s differ too much".formatted(from, to));
    }
    return scaling;
  }

  private int addRescaled(Term.Rescaled rescaled) throws ExpressionException {
    int index = add(rescaled.of());
    Descriptor of = of(index);
    if (!of.isNumeric()) {
      throw failed(rescaled.at(), "the operand is not a number, but " + type(of));
    }
    Units from = of.hasNoDimension() ? ONE : of.units();
    Units to = rescaled.units();
    if (!of.withUnits(from).hasDimensionOf(of.withUnits(to).hasNoDimension() ? ONE : to)) {
      throw failed(
          rescaled.at(), "the operand is in \"%s\", not in \"%s\"".formatted(of.units(), to));
    }
    return add(
        of.withUnits(to),
        Calculations.rescaled(of.type(), scaling(rescaled.at(), from, to)),
        index);
  }

  /**
   * Returns whether the guard of a choice is true, if that is known without any value. Then only
   * one branch is bound, and metrics of the other one need not exist.
   */
  private Optional<Boolean> known(Term guard) {
    return switch (guard) {
      case Term.Constant constant when constant.isInteger() ->
          Optional.of(Long.parseLong(constant.digits()) != 0);
      case Term.Unary(_, Term.Function function, Term.Name name)
          when function == Term.Function.DEFINED ->
          Optional.of(metrics.containsKey(name.name()));
      case Term.Unary(_, Term.Function function, Term of) when function == Term.Function.NOT ->
          known(of).map(isTrue -> !isTrue);
      case Term.Binary(_, Operator operator, Term left, Term right)
          when operator.precedence() == Precedence.LOGIC ->
          known(left)
              .flatMap(isTrue ->
                  isTrue == (operator == Operator.AND) ? known(right) : Optional.of(isTrue));
      default -> Optional.empty();
    };
  }

  private int addChoice(Term.Choice choice) throws ExpressionException {
    Optional<Boolean> known = known(choice.guard());
    if (known.isPresent()) {
      return add(known.get() ? choice.yes() : choice.no());
    }
    int guard = add(choice.guard());
    int yes = add(choice.yes());
    int no = add(choice.no());
    boolean isYesNone = choice.yes() instanceof Term.NoValue;
    boolean isNoNone = choice.no() instanceof Term.NoValue;
    Descriptor ofYes = isYesNone ? of(no).withInDom(InDom.NULL) : of(yes);
    Descriptor ofNo = isNoNone ? of(yes).withInDom(InDom.NULL) : of(no);
    check(choice.at(), ofYes, ofNo);
    Descriptor result = ofYes.isSingular() ? ofNo : ofYes;
    if (!of(guard).isNumeric()) {
      throw failed(choice.at(), "the condition is not a number, but " + type(of(guard)));
    }
    if (!of(guard).isSingular() && result.isSingular()) {
      throw failed(choice.at(), "the condition has instances, and neither of its results has");
    }
    checkInDoms(choice.at(), of(guard), result);
    return add(result, Calculations.choice(of(guard), ofYes, ofNo), guard, yes, no);
  }

  private static void check(int position, Descriptor yes, Descriptor no)
      throws ExpressionException {
    if (yes.type() != no.type()) {
      throw failed(position, "one result is " + type(yes) + ", the other one " + type(no));
    }
    if (yes.semantics() != no.semantics()) {
      throw failed(position, "the results have different semantics");
    }
    if (!yes.units().equals(no.units())) {
      throw failed(
          position,
          "one result is in \"%s\", the other one in \"%s\"".formatted(yes.units(), no.units()));
    }
    checkInDoms(position, yes, no);
  }

  private static void checkInDoms(int position, Descriptor one, Descriptor other)
      throws ExpressionException {
    if (!one.isSingular() && !other.isSingular() && one.inDom() != other.inDom()) {
      throw failed(
          position,
          "the instance domains %s and %s are not the same"
              .formatted(InDom.toString(one.inDom()), InDom.toString(other.inDom())));
    }
  }

  private int addBinary(Term.Binary binary) throws ExpressionException {
    int leftIndex = add(binary.left());
    int rightIndex = add(binary.right());
    Descriptor left = of(leftIndex);
    Descriptor right = of(rightIndex);
    Operator operator = binary.operator();
    for (Descriptor side : List.of(left, right)) {
      if (!side.isNumeric()) {
        throw failed(binary.at(), "an operand is not a number, but " + type(side));
      }
    }
    OperatorRules.check(binary, left, right);
    checkInDoms(binary.at(), left, right);
    Scaling ofLeft =
        scaling(binary.at(), left.units(), OperatorRules.larger(left.units(), right.units()));
    Scaling ofRight =
        scaling(binary.at(), right.units(), OperatorRules.larger(right.units(), left.units()));
    boolean isReal = operator == Operator.DIVIDE || !ofLeft.isNone() || !ofRight.isNone();
    int common = isReal ? ValueType.DOUBLE : Math.max(left.type(), right.type());
    int type = operator.isLogical() ? ValueType.U32 : common;
    Descriptor result = binary.left() instanceof Term.Constant ? right : left;
    return add(
        new Descriptor(
            type,
            left.isSingular() ? right.inDom() : left.inDom(),
            OperatorRules.semantics(operator, left, right, result),
            OperatorRules.units(binary, left.units(), right.units(), result.units())),
        Calculations.binary(
            operator,
            type,
            common,
            new Side(left.type(), left.isSingular(), ofLeft),
            new Side(right.type(), right.isSingular(), ofRight)),
        leftIndex,
        rightIndex);
  }

  private static ExpressionException failed(int position, String why) {
    return new ExpressionException(position, why);
  }
}
