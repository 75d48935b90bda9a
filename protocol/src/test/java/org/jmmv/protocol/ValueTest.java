package org.jmmv.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
        arguments(Value.ofInteger(ValueType.I32, -3), "-3"),
        arguments(Value.ofInteger(ValueType.I64, Long.MIN_VALUE), "-9223372036854775808"),
        arguments(Value.ofInteger(ValueType.U64, -1), "18446744073709551615"),
        arguments(Value.ofFloat(2.5f), "2.5"),
        arguments(Value.ofDouble(-0.1), "-0.1"),
        arguments(new Value.Block(ValueType.I32, new byte[] {-1, -1, -1, -1}), "-1"),
        arguments(new Value.Block(ValueType.U32, new byte[] {-1, -1, -1, -1}), "4294967295"));
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
    assertEquals("a", new Value.Block(ValueType.I64, new byte[] {'a'}).asText());
    assertEquals("", new Value.Block(ValueType.AGGREGATE, new byte[0]).asText());
  }

  @Test
  void blocksAreEqualByContentAndImmutable() {
    byte[] data = {1, 2};
    Value.Block block = new Value.Block(ValueType.AGGREGATE, data);
    data[0] = 7;
    block.data()[0] = 8;
    assertEquals(new Value.Block(ValueType.AGGREGATE, new byte[] {1, 2}), block);
    assertNotEquals(new Value.Block(ValueType.EVENT, new byte[] {1, 2}), block);
    assertNotEquals(new Value.Block(ValueType.AGGREGATE, new byte[] {1, 3}), block);
    assertEquals("Block[type=6, on]", Value.ofText("on").toString());
  }

  @Test
  void anIntegerOfANonIntegerTypeIsRejected() {
    assertThrows(IllegalArgumentException.class, () -> Value.ofInteger(ValueType.DOUBLE, 1));
  }
}
