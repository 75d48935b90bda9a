package org.jmmv.pcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateUnitsTest {
  /** What is counted in millions is shown as a number per second, as all counters are. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 1, 0, 0, 0, /s, 1",
    "0, 0, 1, 0, 0, 6, /s, 1e6",
    "0, 0, 1, 0, 0, -2, /s, 0.01",
    "0, 0, 0, 0, 0, 0, /s, 1",
    "1, 0, 0, 2, 0, 0, Mbyte/s, 1",
    "0, 1, 0, 0, 2, 0, %, 0.1",
    "0, 1, 1, 0, 3, 6, /s, 1",
    "1, 0, 1, 0, 0, 6, /s, 1"
  })
  void aRateHasTheUnitsInWhichPeopleReadIt(
      int space,
      int time,
      int count,
      int spaceScale,
      int timeScale,
      int countScale,
      String name,
      double factor) {
    Units units = new Units(space, time, count, spaceScale, timeScale, countScale);
    RateUnits rate = RateUnits.of(units);
    assertEquals(name, rate.name());
    assertEquals(factor, rate.factor(), 1e-9);
  }
}
