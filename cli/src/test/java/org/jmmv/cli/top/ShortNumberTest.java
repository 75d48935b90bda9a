package org.jmmv.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.jmmv.pcp.Units;
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

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          00100000, 1234.56, '1,234.6 /s'
          00100000, 999999.9, '999,999.9 /s'
          00100000, 1e6,     '1,000.0K /s'
          00100000, 1e12,    '1,000.0G /s'
          00000000, 0,       0.0 /s
          10000000, 1023,    '1,023.0 byte/s'
          10000000, 1024,    1.0 Kbyte/s
          10000000, 1536,    1.5 Kbyte/s
          10010000, 3072,    3.0 Mbyte/s
          10080000, 3072,    '3,072.0 Ybyte/s'
          01002000, 250,     25.0 %
          01003000, 2,       200.0 %
          01007000, 2,       2.0 /s
          1f023000, 2,       2.0 /s
          01005021, 0.5,     '1,800.0 kW'
          01003022, 7,       7.0 W
          01003025, 2,       2.0 /s
          010030e1, 2,       2.0 /s
          10000009, 2048,    '2,048.0 /s'
          00000021, 2,       2.0 /s
          """)
  void aRateIsInSuitableUnits(String word, double perSecond, String expected) {
    assertEquals(
        expected, ShortNumber.rate(perSecond, Units.of(Integer.parseUnsignedInt(word, 16))));
  }
}
