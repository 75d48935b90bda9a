package org.jmmv.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.jmmv.pcp.Instance;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rates and the history of a series. */
final class SeriesTest {
  private static final long SECOND = 1_000_000_000;

  private static Series series(int semantics) {
    return new Series(Instance.NULL, null, semantics);
  }

  @ParameterizedTest
  @CsvSource({
    "0, -5, 5, 5", // I32
    "1, 4294967290, 4294967294, 2", // U32 above the largest int
    "2, -9223372036854775808, 9223372036854775807, 9.223372036854775807E18", // I64
    "3, 9223372036854775807, -9223372036854775807, 1", // U64 across the largest long
    "1, 4294967295, 3, NaN", // a decrease, perhaps a wrap
    "3, -1, 0, NaN",
    "0, 5, 4, NaN"
  })
  void aCounterHasARatePerSecondUnlessItDecreases(int type, long before, long now, double rate) {
    Series series = series(Semantics.COUNTER);
    series.setNumber(type, before, 0);
    assertEquals(Double.NaN, series.rate());
    series.setNumber(type, now, 2 * SECOND);
    assertEquals(rate, series.rate());
  }

  @Test
  void fractionsHaveRates() {
    Series series = series(Semantics.COUNTER);
    series.setNumber(ValueType.DOUBLE, Double.doubleToLongBits(0.5), 0);
    series.setNumber(ValueType.DOUBLE, Double.doubleToLongBits(2), SECOND / 2);
    assertEquals(3, series.rate());
  }

  @Test
  void otherMetricsHaveNoRate() {
    Series series = series(Semantics.INSTANT);
    series.setNumber(ValueType.I32, 1, 0);
    series.setNumber(ValueType.I32, 2, SECOND);
    assertEquals(Double.NaN, series.rate());
  }

  @Test
  void aCounterThatHadNoValueInBetweenHasNoRate() {
    Series series = series(Semantics.COUNTER);
    series.setNumber(ValueType.I32, 1, 0);
    series.clear();
    series.setNumber(ValueType.I32, 2, SECOND);
    assertEquals(Double.NaN, series.rate());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 4294967295, -1",
    "1, -1, 4294967295",
    "2, -1, -1",
    "3, -1, 18446744073709551615",
    "4, 2143289344, NaN",
    "5, 4607182418800017408, 1.0"
  })
  void numbersAreDecimal(int type, long bits, String decimal) {
    Series series = series(Semantics.INSTANT);
    series.setNumber(type, bits, 0);
    assertEquals(decimal, series.decimal());
    assertEquals(Double.parseDouble(decimal), series.number());
  }

  @Test
  void theHistoryHasTheLastValuesOrRates() {
    Series gauge = series(Semantics.INSTANT);
    Series counter = series(Semantics.COUNTER);
    for (int i = 0; i < 70; i++) {
      gauge.setNumber(ValueType.I32, i, i * SECOND);
      gauge.remember();
      counter.setNumber(ValueType.I32, (long) i * i, i * SECOND);
      counter.remember();
    }
    assertEquals(Series.HISTORY, gauge.history().length);
    assertEquals(69, gauge.history()[Series.HISTORY - 1]);
    assertEquals(10, gauge.history()[0]);
    assertEquals(69 * 69 - 68 * 68, counter.history()[Series.HISTORY - 1]);
  }
}
