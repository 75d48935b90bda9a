package org.jmmv.pcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          00000000, ''
          10000000, byte
          10010000, Kbyte
          1f023000, Mbyte / sec
          01002000, millisec
          00100000, count
          00100300, count x 10^3
          00100d00, count x 10^-3
          00100100, count x 10
          0f103000, count / sec
          01f00000, nanosec / count
          0f003000, / sec
          11134200, Gbyte min count x 10^2
          fff34200, / Gbyte min count x 10^2
          2e045000, Tbyte^2 / hour^2
          10080000, Ybyte
          100f0000, space-15
          01007000, time-7
          00e00000, / count^2
          00000300, x 10^3
          """)
  void readsAsPcpWritesIt(String word, String expected) {
    assertEquals(expected, Units.of(Integer.parseUnsignedInt(word, 16)).toString());
  }

  @Test
  void ignoresWhatLaterVersionsPutIntoThePadding() {
    assertEquals("byte", Units.of(0x100000ff).toString());
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          00100000, 1234.56, '1,234.6 /s'
          00000000, 0,       0.0 /s
          10000000, 1023,    '1,023.0 byte/s'
          10000000, 1536,    1.5 Kbyte/s
          10010000, 3072,    3.0 Mbyte/s
          10080000, 3072,    '3,072.0 Ybyte/s'
          01002000, 250,     25.0 %
          01003000, 2,       200.0 %
          01007000, 2,       2.0 /s
          1f023000, 2,       2.0 /s
          """)
  void aRateHasTheUnitsThatSuit(String word, double perSecond, String expected) {
    assertEquals(expected, Units.of(Integer.parseUnsignedInt(word, 16)).rate(perSecond));
  }
}
