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
  void isPrintedAsPmUnitsStrDoes(String word, String expected) {
    assertEquals(expected, Units.of(Integer.parseUnsignedInt(word, 16)).toString());
  }

  @Test
  void ignoresThePaddingThatLaterVersionsUse() {
    assertEquals("byte", Units.of(0x100000ff).toString());
  }
}
