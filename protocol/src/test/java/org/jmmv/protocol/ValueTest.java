package org.jmmv.protocol;

import static org.jmmv.protocol.SamplePdus.number;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.jmmv.pcp.ValueType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ValueTest {

  static Stream<Arguments> numbers() {
    return Stream.of(
        arguments(number(ValueType.I32, -3), "-3"),
        arguments(number(ValueType.I64, Long.MIN_VALUE), "-9223372036854775808"),
        arguments(number(ValueType.U64, -1), "18446744073709551615"),
        arguments(number(ValueType.FLOAT, Float.floatToIntBits(2.5f)), "2.5"),
        arguments(number(ValueType.DOUBLE, Double.doubleToLongBits(-0.1)), "-0.1"),
        arguments(new Value.Block(ValueType.I32, "\377".repeat(4)), "-1"),
        arguments(new Value.Block(ValueType.U32, "\377".repeat(4)), "4294967295"));
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void numbersAreDecimal(Value value, String asText) {
    assertEquals(asText, value.asText());
  }

  @Test
  void otherValuesAreTextUpToTheFirstNul() {
    Value text = Value.ofText("a\u00ff\0b");
    assertEquals("a\u00ff", text.asText());
    assertEquals("a", new Value.Block(ValueType.I64, "a").asText());
    assertEquals("", new Value.Block(ValueType.AGGREGATE, "").asText());
    assertEquals("Block[type=6, on]", Value.ofText("on").toString());
  }
}
