package org.jmmv.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShortNumberTest {

  @ParameterizedTest
  @CsvSource({
    "'1,234', 5, '1,234'",
    "'1,234', 4, 1.2K",
    "'-1,234', 5, -1.2K",
    "'999,999', 6, '1.0M'",
    "'18,446,744,073,709,551,615', 11, '18,446.7P'",
    "'18,446,744,073,709,551,615', 7, 18.4E",
    "'4,096,300,000.00', 8, '4,096.3M'",
    "'1,234', 3, 1.2e+03",
    "NaN, 2, NaN",
    "-Infinity, 7, -Infinity"
  })
  void numberFitsItsColumn(String number, int width, String expected) {
    assertEquals(expected, ShortNumber.fit(number, width));
  }

  @ParameterizedTest
  @CsvSource({"1e19, '10,000.0P'", "1e99, 1.0e+99"})
  void hugeDoublesHaveAnExponent(double number, String expected) {
    assertEquals(expected, ShortNumber.fit("%,.2f".formatted(number), 11));
  }
}
