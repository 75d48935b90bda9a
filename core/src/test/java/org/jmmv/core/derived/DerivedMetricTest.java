package org.jmmv.core.derived;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jmmv.core.InstanceFilter;
import org.jmmv.core.Turn;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.Units;
import org.jmmv.pcp.ValueType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DerivedMetricTest {
  private final Metrics metrics =
      new Metrics()
          .singular("i", ValueType.I32, -7)
          .singular("u", ValueType.U32, 3)
          .singular("l", ValueType.I64, -5_000_000_000L)
          .singular("ul", ValueType.U64, -1)
          .singular("f", ValueType.FLOAT, Float.floatToIntBits(1.5f))
          .singular("d", ValueType.DOUBLE, Double.doubleToLongBits(0.25))
          .text("s", "text")
          .disks("x", ValueType.U32, Map.of(1, 10L, 2, 20L, 3, 30L))
          .disks("y", ValueType.U32, Map.of(2, 2L, 3, 3L, 4, 4L))
          .nets("n", ValueType.U32, Map.of(1, 1L))
          .disks("empty", ValueType.U32, Map.of())
          .failing("failing", PmError.PERMISSION.code())
          .instances(
              new Instance(1, "sda one"),
              new Instance(2, "sdb"),
              new Instance(3, "dm]0"),
              new Instance(4, "hda"));

  private static Descriptor counter(int type, String units) {
    return Metrics.descriptor(type, InDom.NULL, Semantics.COUNTER, units);
  }

  private static Descriptor instant(int type, String units) {
    return Metrics.descriptor(type, InDom.NULL, Semantics.INSTANT, units);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "2+3*4; 14",
        "(2+3)*4; 20",
        "10-3-2; 5",
        "8/4/2; 1.0",
        "-u*2; -6",
        "-u+5; 2",
        "2*-u; 4294967290", // as in C
        "2-5*-1; 7",
        "--u; 3",
        "1<2==1; 1",
        "3>2>1; 0",
        "1||0&&0; 0", // && and || bind alike
        "!1>2; 1", // ! binds less than >
        "!0&&0; 0", // and more than &&
        "!!5; 1",
        "1?2:3; 2",
        "u==3?2:3; 2",
        "1?0:1?5:6; 6", // from left to right
        "  1 \t+ 1 ; 2",
        ".5+1.; 1.5",
        "4294967295; 4294967295",
      })
  void operatorsBindAsTheGrammarSays(String expression, String expected)
      throws ExpressionException {
    assertEquals(expected, metrics.value(expression));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "i+i; -14; 32",
        "i+u; 4294967292; u32",
        "i*l; 35000000000; 64",
        "l+u; -4999999997; 64",
        "ul+1; 0; u64",
        "ul+i; 18446744073709551608; u64",
        "f+u; 4.5; float",
        "ul*f; 2.7670116E19; float",
        "d+ul; 1.8446744073709552E19; double",
        "i/2; -3.5; double",
        "u/0; Infinity; double",
        "0/0; 0.0; double",
        "i<u; 0; u32", // as unsigned numbers, as in C
        "l<i; 1; u32",
        "ul>l; 1; u32",
        "d!=d; 0; u32",
        "f>=1.5; 1; u32",
        "u&&d; 1; u32",
        "0||0.0; 0; u32",
        "!d; 0; u32",
        "-ul; 1; 64",
        "-f; -1.5; float",
      })
  void theTypeHasRoomForBothOperands(String expression, String expected, String type)
      throws ExpressionException {
    assertEquals(expected, metrics.value(expression));
    assertEquals(type + " ", metrics.described(expression).replaceFirst(" .*", " "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "x; {1=10, 2=20, 3=30}",
        "x+1; {1=11, 2=21, 3=31}",
        "100/x; {1=10.0, 2=5.0, 3=3.3333333333333335}",
        "x+y; {2=22, 3=33}",
        "y-x; {2=4294967278, 3=4294967269}",
        "x>15; {1=0, 2=1, 3=1}",
        "x+empty; {}",
        "avg(x); 20.0",
        "sum(x); 60",
        "min(x); 10",
        "max(x); 30",
        "count(x); 3",
        "sum(x+y); 55",
        "sum(empty); 0",
        "avg(empty); 0.0",
        "max(empty); {}",
        "count(empty); 0",
        "scalar(x); 10",
        "instant(x); {1=10, 2=20, 3=30}",
        "x[sda]; {1=10}",
        "x[sda one]; {1=10}",
        "x[dm\\]0]; {3=30}",
        "x[nothing]; {}",
        "y[sda]; {}",
        "(x+y)[sdb]; {2=22}",
        "scalar(x[sda])+scalar(x[sdb]); 30",
        "matchinst(/^sd/, x); {1=10, 2=20}",
        "matchinst(!/^sd/, x); {3=30}",
        "matchinst(/one/, x); {}", // not in what identifies the instance
        "matchinst(/a$/, y/2); {4=2.0}",
        "sum(matchinst(/^sd/, x)); 30",
        "x>15 ? x : 0-y; {2=20, 3=30}",
        "x>15 ? x : u; {1=3, 2=20, 3=30}",
        "u>5 ? u : x; {1=10, 2=20, 3=30}",
        "u<5 ? u : x; {1=3, 2=3, 3=3}",
        "u>5 ? x : y; {2=2, 3=3, 4=4}",
        "y>2 ? x : y; {2=2, 3=30}",
        "x>15 ? novalue() : x; {1=10}",
        "x>15 ? x : novalue(type=u64); {2=20, 3=30}",
        "u>5 ? u : novalue(); {}",
        "s; text",
        "scalar(s); text",
        "u ? s : s; text",
      })
  void instancesOfBothOperandsAreInTheResult(String expression, String expected)
      throws ExpressionException {
    assertEquals(expected, metrics.value(expression));
  }

  @ParameterizedTest
  @CsvSource({
    "defined(u), 1",
    "defined(no.such), 0",
    "defined(no.such) ? no.such : u, 3",
    "defined(no.such) && defined(u) ? no.such : 7, 7",
    "!defined(no.such) || defined(u) ? u : no.such, 3",
    "0 ? no.such : 1, 1",
    "defined(no.such) ? no.such : novalue(), {}",
  })
  void aMetricThatIsNotThereCanBeAskedFor(String expression, String expected)
      throws ExpressionException {
    assertEquals(expected, metrics.value(expression));
  }

  @Test
  void aFailureIsThatOfTheOperand() throws ExpressionException {
    assertEquals("status " + PmError.PERMISSION.code(), metrics.value("x + failing"));
    assertEquals("0", metrics.value("count(failing)"));
    DerivedMetric metric = metrics.derive("u + 1");
    metrics.without("u");
    assertEquals("status " + PmError.NAME.code(), Metrics.shown(metrics.read(metric)));
    metrics.singular("u", ValueType.U32, 4);
    assertEquals("5", Metrics.shown(metrics.read(metric)));
  }

  @Test
  void differencesAreThoseSinceTheLastTime() throws ExpressionException {
    metrics.disks("c", ValueType.U64, Map.of(1, 100L, 2, 200L, 3, 5L));
    DerivedMetric delta = metrics.derive("delta(c)");
    assertEquals("{}", Metrics.shown(metrics.read(delta)));
    metrics.after(2).disks("c", ValueType.U64, Map.of(1, 130L, 3, 1L, 4, 7L));
    assertEquals("{1=30.0, 3=-4.0}", Metrics.shown(metrics.read(delta)));
    metrics.after(1).disks("c", ValueType.U64, Map.of(1, 130L, 3, 1L, 4, 8L));
    assertEquals("{1=0.0, 3=0.0, 4=1.0}", Metrics.shown(metrics.read(delta)));
  }

  @Test
  void valuesBeforeAFailureAreNotThoseOfTheLastTime() throws ExpressionException {
    metrics.singular("c", ValueType.U64, 1000);
    DerivedMetric delta = metrics.derive("delta(c)");
    metrics.read(delta);
    metrics.after(1).without("c");
    assertEquals("status " + PmError.NAME.code(), Metrics.shown(metrics.read(delta)));
    metrics.after(1).singular("c", ValueType.U64, 3);
    assertEquals("{}", Metrics.shown(metrics.read(delta)));
    metrics.after(1).singular("c", ValueType.U64, 5);
    assertEquals("2.0", Metrics.shown(metrics.read(delta)));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 10, 3, -7.0, 32",
    "1, 10, 3, -7, 64",
    "2, -5000000000, 5000000000, 10000000000, 64",
    "3, 1, -1, 1.8446744073709552E19, double",
    "3, 1700000000000000000, 1700000000000000100, 100.0, double",
    "4, 0, 1069547520, 1.5, float",
  })
  void aDifferenceHasRoomForItsSign(int type, long before, long now, String delta, String name)
      throws ExpressionException {
    metrics.singular("m", type, before);
    DerivedMetric metric = metrics.derive("delta(m)");
    metrics.read(metric);
    metrics.after(1).singular("m", type, now);
    assertEquals(delta.replaceFirst("^-7.0$", "-7"), Metrics.shown(metrics.read(metric)));
    assertEquals(name + " instant", metrics.described("delta(m)"));
  }

  @ParameterizedTest
  @CsvSource({
    "'', 500, double instant / sec, 250.0",
    "count, 500, double instant count / sec, 250.0",
    "Kbyte, 500, double instant Kbyte / sec, 250.0",
    "millisec, 500, double instant, 0.25",
    "nanosec, 500, double instant, 2.5E-7",
    "hour, 1, double instant, 1800.0",
  })
  void aRateIsPerSecondAndOfTimeAUtilization(
      String units, long increase, String described, String rate) throws ExpressionException {
    metrics.singular("c", counter(ValueType.U32, units), 100);
    DerivedMetric metric = metrics.derive("rate(c)");
    assertEquals("{}", Metrics.shown(metrics.read(metric)));
    metrics.after(2).singular("c", counter(ValueType.U32, units), 100 + increase);
    assertEquals(rate, Metrics.shown(metrics.read(metric)));
    assertEquals(described, metrics.described("rate(c)"));
  }

  @Test
  void aCounterThatHasDecreasedHasNoRate() throws ExpressionException {
    Descriptor gauge = instant(ValueType.I32, "");
    metrics.singular("c", counter(ValueType.I32, ""), 5).singular("g", gauge, 5);
    DerivedMetric ofCounter = metrics.derive("rate(c)");
    DerivedMetric ofGauge = metrics.derive("rate(g)");
    metrics.read(ofCounter);
    metrics.read(ofGauge);
    metrics.after(1).singular("c", counter(ValueType.I32, ""), 3).singular("g", gauge, 3);
    assertEquals("{}", Metrics.shown(metrics.read(ofCounter)));
    assertEquals("-2.0", Metrics.shown(metrics.read(ofGauge)));
  }

  @Test
  void ratiosOfDifferencesAreThoseOfOneTime() throws ExpressionException {
    metrics
        .singular("time", counter(ValueType.U64, "millisec"), 1000)
        .singular("served", counter(ValueType.U64, "count"), 10);
    DerivedMetric mean = metrics.derive("delta(time) / delta(served)");
    metrics.read(mean);
    metrics
        .after(5)
        .singular("time", counter(ValueType.U64, "millisec"), 1600)
        .singular("served", counter(ValueType.U64, "count"), 14);
    assertEquals("150.0", Metrics.shown(metrics.read(mean)));
    assertEquals(
        "double instant millisec / count", metrics.described("delta(time) / delta(served)"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "kb+b; 3.0; double instant Kbyte",
        "b+kb; 3.0; double instant Kbyte",
        "kb-b; 1.0; double instant Kbyte",
        "kb+kb; 4; u32 instant Kbyte",
        "kb/sec; 0.4; double instant Kbyte / sec",
        "kb/b; 2.0; double instant",
        "kb*2; 4; u32 instant Kbyte",
        "kb*b; 2.0; double instant Kbyte^2",
        "ms/sec; 0.1; double instant",
        "1/sec; 0.2; double instant / sec",
        "kb*(1/b); 2.0; double instant",
        "b==kb; 0; u32 instant",
        "b*2==kb; 1; u32 instant",
        "kb>1; 1; u32 instant",
        "events+1; 7; u32 instant count",
        "min(kb); 2; u32 instant Kbyte",
        "count(kb); 1; u32 instant count",
        "odd + odd; 2; u32 instant space-15",
        "rescale(kb, \"byte\"); 2048; u32 instant byte",
        "rescale(b, \"kilobytes\"); 1; u32 instant Kbyte",
        "rescale(ms, \"sec\"); 1; u32 instant sec", // 0.5 is rounded
        "rescale(1/ms, \"/ sec\"); 2.0; double instant / sec",
        "rescale(kb/sec, \"byte/min\"); 24576.0; double instant byte / min",
        "rescale(-b, \"kbyte\"); -1; 32 instant Kbyte",
        "rescale(mkconst(4294967295, type=u64, units=sec) * 4000000007, \"min\"); 286331153501079518; u64 discrete min",
        "rescale(mkconst(4294967295, type=u64, units=hour), \"ns\"); 18446744073709551615; u64 discrete nanosec",
        "rescale(2048, \"count x 10^3\"); 2; u32 discrete count x 10^3",
        "rescale(events, \"\"); 6; u32 instant",
        "mkconst(5, units=\"byte/kbyte\"); 5; u32 discrete",
        "mkconst(5, units=kbyte); 5; u32 discrete Kbyte",
        "mkconst(5, type=FLOAT, semantics=counter); 5.0; float counter",
        "mkconst(1.5, type=float, units=\"kbyte / sec\"); 1.5; float discrete Kbyte / sec",
        "mkconst(4294967295, type=32); -1; 32 discrete",
        "mkconst(5, meta=kb); 5; u32 instant Kbyte",
        "kb > mkconst(1, units=kbyte); 1; u32 instant",
      })
  void valuesGetTheLargerOfTheirScales(String expression, String expected, String described)
      throws ExpressionException {
    metrics
        .singular("kb", instant(ValueType.U32, "Kbyte"), 2)
        .singular("b", instant(ValueType.U32, "byte"), 1024)
        .singular("sec", instant(ValueType.U32, "sec"), 5)
        .singular("ms", instant(ValueType.U32, "millisec"), 500)
        .singular("events", instant(ValueType.U32, "count"), 6)
        .singular("odd", oddScale(15), 1);
    assertEquals(expected, metrics.value(expression));
    assertEquals(described, metrics.described(expression));
  }

  @ParameterizedTest
  @CsvSource({
    "c+c, u64 counter count",
    "c*2, u64 counter count",
    "2*c, u64 counter count",
    "c/2, double counter count",
    "c>5, u32 instant",
    "instant(c), u64 instant count",
    "sum(c), u64 counter count",
    "max(c), u64 instant count",
    "-instant(c), 64 instant count",
    "1+1, u32 discrete",
    "1>0, u32 discrete",
    "s, string discrete",
    "x+1, u32 instant [1]",
    "1+x, u32 instant [1]",
    "scalar(x), u32 instant",
    "avg(x), float instant",
    "mkconst(5; meta=x), u32 instant [1]",
  })
  void semanticsAndInstanceDomainFollowFromTheOperands(String expression, String described)
      throws ExpressionException {
    metrics.singular("c", counter(ValueType.U64, "count"), 1);
    assertEquals(described, metrics.described(expression.replace(';', ',')));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "''; 0; an operand is missing at the end",
        "1+; 2; an operand is missing at the end",
        "+1; 0; unexpected +",
        "(1; 2; ) expected",
        "1); 1; unexpected )",
        "1 2; 2; unexpected 2",
        "a b; 2; unexpected b",
        "rate(; 5; an operand is missing at the end",
        "4rat(u); 1; unexpected r",
        "u&u; 1; unexpected &",
        "u=u; 1; unexpected =",
        "u?1; 3; : expected",
        "u ? novalue() : novalue(); 2; both branches are novalue()",
        "1+novalue(); 9; unexpected (",
        "4294967296; 0; an integer is at most 4294967295",
        "1.2.3; 3; unexpected .",
        "x[sda; 1; what begins here has no end",
        "matchinst(sd, x); 10; / expected",
        "matchinst(/(/, x); 10; missing closing ): (",
        "matchinst(/(a{1000}){2}/, x); 10; the pattern is too long, or repeats too much",
        "matchinst(/a{150}/, matchinst(/b{150}/, x)); 30; the pattern is too long, or repeats too much",
        "matchinst(/[\\\\pL]/, x); 10; \\p, \\x{...} and ranges of Unicode are not supported",
        "matchinst(/(?i)\\\\x{1c80}/, x); 10; \\p, \\x{...} and ranges of Unicode are not supported",
        "matchinst(/((((((a{99}){99}){99}){99}){99,}){99}){0,99}/, x); 10; the pattern is too long, or repeats too much",
        "mkconst(5); 9; , expected",
        "mkconst(5, kind=u32); 11; type, semantics, units or meta expected",
        "mkconst(5, type=string); 16; string is no type of a number",
        "mkconst(5, semantics=x); 21; x is no semantics",
        "mkconst(5, units=parsec); 17; parsec is no unit of PCP",
        "mkconst(1.5, type=u32); 0; 1.5 is not of type u32",
        "rescale(u, byte); 11; \" expected",
        "rescale(u, \"byte byte\"); 11; \"byte byte\" names a dimension twice",
        "defined(1); 8; unexpected 1",
        "no.such; 0; no metric has the name no.such",
        "u + no.such; 4; no metric has the name no.such",
        "u > 1 ? no.such : u; 8; no metric has the name no.such",
        "s + 1; 2; an operand is not a number, but of type string",
        "-s; 0; the operand is not a number, but of type string",
        "s ? 1 : 2; 2; the condition is not a number, but of type string",
        "x + n; 2; the instance domains 0.1 and 0.2 are not the same",
        "x ? 1 : 2; 2; the condition has instances, and neither of its results has",
        "x ? n : n; 2; the instance domains 0.1 and 0.2 are not the same",
        "u ? 1 : 2.0; 2; one result is of type u32, the other one of type double",
        "u ? u : 1; 2; the results have different semantics",
        "u ? kb : u; 2; 'one result is in \"Kbyte\", the other one in \"\"'",
        "u[sda]; 1; there are no instances",
        "matchinst(/x/, u); 0; there are no instances",
        "kb + u; 3; '+ has no meaning for \"Kbyte\" and \"\"'",
        "kb > u; 3; '> has no meaning for \"Kbyte\" and \"\"'",
        "kb && u; 3; '&& has no meaning for \"Kbyte\" and \"\"'",
        "c + u; 2; + has no meaning for a counter and a value that is no counter",
        "u / c; 2; / has no meaning for a value that is no counter and a counter",
        "c * c; 2; * has no meaning for a counter and a counter",
        "c * kb; 2; '* has no meaning for \"\" and \"Kbyte\"'",
        "rate(kb*kb/sec/sec); 0; the rate of Kbyte^2 / sec^2 has no meaning",
        "rescale(kb, \"sec\"); 0; 'the operand is in \"Kbyte\", not in \"sec\"'",
        "mkconst(5, units=\"byte^2/kbyte\"); 17; '\"byte^2/kbyte\" names a dimension twice'",
        "kb*kb*kb*kb*kb*kb*kb*kb; 20; 'there are no units for \"Kbyte^7\" and \"Kbyte\"'",
        "odd + odd2; 4; the units space-14 are unknown",
      })
  void aFaultHasAPosition(String expression, int position, String message) {
    metrics
        .singular("kb", instant(ValueType.U32, "Kbyte"), 2)
        .singular("sec", instant(ValueType.U32, "sec"), 5)
        .singular("c", counter(ValueType.U32, ""), 5)
        .singular("odd", oddScale(15), 1)
        .singular("odd2", oddScale(14), 1);
    ExpressionException fault =
        assertThrows(ExpressionException.class, () -> metrics.value(expression));
    assertEquals(position + "; " + message, fault.position() + "; " + fault.getMessage());
  }

  private static Descriptor oddScale(int scale) {
    return new Descriptor(
        ValueType.U32, InDom.NULL, Semantics.INSTANT, new Units(1, 0, 0, scale, 0, 0));
  }

  @Test
  void anExpressionIsBounded() {
    String deep = "(".repeat(600) + "u" + ")".repeat(600);
    String wide = IntStream.range(0, 501).mapToObj(_ -> "u").collect(Collectors.joining("+"));
    for (String expression : new String[] {deep, wide}) {
      ExpressionException fault =
          assertThrows(ExpressionException.class, () -> metrics.value(expression));
      assertEquals("the expression has more than 500 operands", fault.getMessage());
    }
    String pattern = "a".repeat(1001);
    assertThrows(ExpressionException.class, () -> metrics.value("matchinst(/" + pattern + "/, x)"));
    assertThrows(ExpressionException.class, () -> metrics.value("matchinst(/(a{100}){11}/, x)"));
  }

  /** Any text is an expression or has a fault, and an expression has values. */
  @Test
  void noTextHasAnotherOutcome() {
    List<String> words =
        List.of(
            "i",
            "u",
            "ul",
            "d",
            "s",
            "x",
            "y",
            "empty",
            "failing",
            "no.such",
            "1",
            "2.5",
            "(",
            ")",
            "+",
            "-",
            "*",
            "/",
            "<",
            "==",
            "!=",
            "&&",
            "||",
            "!",
            "?",
            ":",
            "[sda]",
            "rate(",
            "delta(",
            "sum(",
            "max(",
            "count(",
            "scalar(",
            "defined(",
            "novalue()",
            "mkconst(1,",
            "type=u64",
            "matchinst(/s/,",
            "rescale(",
            ",\"byte\")",
            "\0",
            "\"",
            "[",
            "\\");
    Random random = new Random(1);
    int meaningful = 0;
    for (int i = 0; i < 100_000; i++) {
      String text =
          random
              .ints(1 + random.nextInt(7), 0, words.size())
              .mapToObj(words::get)
              .collect(Collectors.joining());
      try {
        metrics.value(text);
        meaningful++;
      } catch (ExpressionException e) {
        assertTrue(e.position() >= 0 && e.position() <= text.length(), text);
      }
    }
    assertTrue(meaningful > 1_000, meaningful + " texts are expressions");
  }

  /** What is known of a condition is asked once of each of its parts. */
  @Test
  void aConditionOfManyNegationsTakesNoLongTime() throws ExpressionException {
    assertEquals("1", metrics.value("!".repeat(400) + "defined(u) ? 1 : 2"));
  }

  @Test
  void aConstantCanHaveTheSelectedInstances() throws ExpressionException {
    InstanceFilter filter = new InstanceFilter(true);
    filter.set(1, false, 2, 4);
    metrics.select(filter);
    assertEquals("{2=5, 4=5}", metrics.value("mkconst(5, meta=x)"));
  }

  @Test
  void aMetricThatHasBecomeAnotherOneIsBoundAgain() throws ExpressionException {
    DerivedMetric metric = metrics.derive("2*u");
    assertEquals("6", Metrics.shown(metrics.read(metric)));
    metrics.singular("u", ValueType.DOUBLE, Double.doubleToLongBits(0.5));
    assertEquals("1.0", Metrics.shown(metrics.read(metric)));
    assertEquals(ValueType.DOUBLE, metric.descriptor().type());
    metrics.text("u", "no number");
    assertEquals("status " + PmError.CONV.code(), Metrics.shown(metrics.read(metric)));
    metrics.singular("u", ValueType.I32, 4);
    assertEquals("8", Metrics.shown(metrics.read(metric)));
  }

  @Test
  void namesAreMatchedInTurns() throws ExpressionException {
    Instance[] many =
        IntStream.range(0, 1000).mapToObj(i -> new Instance(i, "x" + i)).toArray(Instance[]::new);
    metrics.instances(many);
    DerivedMetric metric = metrics.derive("matchinst(/^x2$/, x)");
    Evaluation evaluation = metrics.evaluation(metric);
    int turns = 0;
    while (evaluation.goOn(metrics::table, Turn.OVER)) {
      turns++;
    }
    assertTrue(turns > 999, () -> "a turn that is over has one name matched, not more");
    assertEquals("{2=20}", Metrics.shown(evaluation.result()));
    Evaluation again = metrics.evaluation(metric);
    assertTrue(again.goOn(metrics::table, Turn.OVER));
    assertFalse(again.goOn(metrics::table, Turn.OVER), "names are matched once");
  }
}
