package org.jmmv.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.jmmv.pcp.Units;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateTest {

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
  void isPrintedInSuitableUnits(String word, double perSecond, String expected) {
    assertEquals(expected, Rate.format(perSecond, Units.of(Integer.parseUnsignedInt(word, 16))));
  }
}
