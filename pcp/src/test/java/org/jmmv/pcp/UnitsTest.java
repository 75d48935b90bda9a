package org.jmmv.pcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
          00000300, count x 10^3
          00000009, temperature (C)
          0000000a, temperature (F)
          0000000b, temperature (K)
          00000011, voltage (V)
          00000013, voltage (uV)
          0000001a, current (mA)
          00000021, power (kW)
          00000024, power (uW)
          01005021, power (kW) hour
          1f0030e1, byte / power (kW) sec
          000000e2, / power (W)
          0000030a, temperature (F)
          00000025, power (scale-5)
          00000008, temperature (scale-0)
          00000049, extra-9
          00000080, / extra-16
          00000007, ''
          """)
  void isPrintedAsPmUnitsStrDoes(String word, String expected) {
    assertEquals(expected, Units.of(Integer.parseUnsignedInt(word, 16)).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1f0030e1", "000f7000", "00000024", "00100d00", "00000000", "00000007"})
  void areKnownIfSomeVersionOfPcpNamesAllParts(String word) {
    assertTrue(Units.of(Integer.parseUnsignedInt(word, 16)).isKnown());
  }

  @ParameterizedTest
  @ValueSource(strings = {"10090000", "f0090000", "01006000", "00000025", "00000008", "000000ff"})
  void areUnknownIfNoVersionOfPcpNamesAPart(String word) {
    assertFalse(Units.of(Integer.parseUnsignedInt(word, 16)).isKnown());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1f0030e1", "fff34277", "87654321", "ffffffff"})
  void keepEveryBitOfTheirWord(String word) {
    assertEquals(word, Integer.toHexString(Units.of(Integer.parseUnsignedInt(word, 16)).word()));
  }

  @ParameterizedTest
  @CsvSource({
    "KB, Kbyte",
    "kilobytes / S, Kbyte / sec",
    "GiB, Gbyte",
    "ms, millisec",
    "microseconds^2, microsec^2",
    "/ hr, / hour",
    "sec^-1, / sec",
    "byte sec, byte sec",
    "sec byte, byte sec",
    "count x 10^3 / minutes, count x 10^3 / min",
    "counts, count",
    "' ', ''",
    "sec^0, ''",
    "byte/kbyte, ''",
    "sec^2/sec, sec",
  })
  void theWordsOfPmParseUnitsStrAreRead(String text, String expected) {
    assertEquals(expected, Units.parse(text).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "parsec",
        "10 byte",
        "byte^2/kbyte",
        "sec min",
        "byte/sec/sec",
        "byte^9",
        "byte^",
        "sec^-9 /",
        "count x",
        "x",
        "byte;",
        "count x 10^8",
        "count x 10^-9",
        "/ byte^9"
      })
  void aTextWithoutMeaningIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> Units.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"10010000", "1f023000", "00100300", "01f00000", "11134200", "2e045000"})
  void whatIsPrintedIsRead(String word) {
    Units units = Units.of(Integer.parseUnsignedInt(word, 16));
    assertEquals(units, Units.parse(units.toString()));
  }
}
