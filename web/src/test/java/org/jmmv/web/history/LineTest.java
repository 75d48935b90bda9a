package org.jmmv.web.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jmmv.pcp.HeapSize;
import org.jmmv.pcp.Semantics;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.HeapUse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What was added to a line can be read again, and what it takes is given back. */
class LineTest {
  private static final int NEVER = -1; // was the metric gone
  private static final int ROUNDS = 2000;
  private static final Map<Coding, Kind> KINDS =
      Stream.of(Coding.values())
          .collect(
              Collectors.toMap(
                  coding -> coding,
                  coding -> new Kind(ValueType.I64, Semantics.COUNTER, 0, true, coding)));

  private final Random random = new Random(7);
  private final Room room = new Room();
  private final TreeMap<Integer, Long> added = new TreeMap<>(); // by round

  LineTest() {
    room.setMax(Long.MAX_VALUE / 2);
  }

  private Line line(Coding coding) {
    return Line.begin(KINDS.get(coding), 1, 0, 0, add(0, 5), room);
  }

  private long add(int round, long value) {
    added.put(round, value);
    return value;
  }

  private void assertKept(Line line, int from, int to, int step) {
    int[] rounds = IntStream.iterate(from, round -> round < to, round -> round + step).toArray();
    long[] values = new long[rounds.length];
    BitSet has = line.read(rounds, values);
    for (int i = 0; i < rounds.length; i++) {
      assertEquals(added.containsKey(rounds[i]), has.get(i), "round " + rounds[i]);
      assertEquals(added.getOrDefault(rounds[i], 0L), values[i], "round " + rounds[i]);
    }
  }

  /** Adds values with gaps between them. */
  private Line addMany(Coding coding, LongUnaryOperator next) {
    Line line = line(coding);
    long value = 5;
    for (int round = 1; round < ROUNDS; round++) {
      if (random.nextInt(50) == 0) {
        line.end(round, room);
      } else {
        value = next.applyAsLong(value);
        line.add(round, add(round, value), NEVER, room);
      }
    }
    return line;
  }

  private LongUnaryOperator changes(LongSupplier size) {
    return value -> random.nextInt(3) == 0 ? value : value + size.getAsLong();
  }

  @ParameterizedTest
  @EnumSource
  void randomValuesAreKept(Coding coding) {
    assertKept(addMany(coding, _ -> random.nextLong()), 0, ROUNDS, 1);
  }

  @ParameterizedTest
  @EnumSource
  void smallChangesAreKept(Coding coding) {
    Line line = addMany(coding, changes(() -> random.nextInt(-100, 10_000)));
    assertKept(line, 0, ROUNDS, 1);
    assertKept(line, 17, ROUNDS, 13);
    assertKept(line, 1990, ROUNDS, 1);
  }

  @ParameterizedTest
  @EnumSource
  void changesAtTheLimitsAreKept(Coding coding) {
    long[] limits = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 63, 64, -64, 1L << 13};
    assertKept(addMany(coding, _ -> limits[random.nextInt(limits.length)]), 0, ROUNDS, 1);
  }

  @Test
  void floatingPointNumbersAreKept() {
    Line line =
        addMany(
            Coding.FLOATING,
            _ -> Double.doubleToRawLongBits(random.nextInt(2) == 0 ? 0.25 : random.nextDouble()));
    assertKept(line, 0, ROUNDS, 1);
  }

  @Test
  void aCounterThatGoesOnAsFastAsBeforeTakesNoRoom() {
    Line line = line(Coding.COUNTER);
    line.add(1, add(1, 1005), NEVER, room);
    long used = room.used();
    for (int round = 2; round < ROUNDS; round++) {
      line.add(round, add(round, 5 + 1000L * round), NEVER, room);
    }
    assertEquals(used, room.used());
    assertKept(line, 0, ROUNDS, 1);
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsLeftOfTheRoomThatWasTaken(Coding coding) {
    Line line = addMany(coding, changes(random::nextLong));
    assertTrue(line.forgetBefore(ROUNDS / 2, room));
    assertKept(line, ROUNDS / 2, ROUNDS, 1);
    line.end(ROUNDS, room);
    assertFalse(line.forgetBefore(ROUNDS, room));
    assertEquals(0, room.used());
  }

  @Test
  void whatIsForgottenDoesNotChangeTheRest() {
    Line line = line(Coding.COUNTER);
    for (int round = 1; round < ROUNDS; round++) { // changes, and then goes on
      line.add(
          round,
          add(round, round < 10 ? (long) round * round : 81 + 17L * round - 153),
          NEVER,
          room);
    }
    long before = room.used();
    assertTrue(line.forgetBefore(1000, room));
    assertTrue(room.used() < before);
    assertKept(line, 1000, ROUNDS, 1);
    added.headMap(1000).clear();
    assertKept(line, 900, ROUNDS, 1);
    line.add(ROUNDS, add(ROUNDS, 0), NEVER, room);
    assertKept(line, 1000, ROUNDS + 1, 1);
  }

  @Test
  void aLineWithoutRoomHasItsLastValueOnly() {
    Line line = addMany(Coding.INTEGER, _ -> random.nextLong());
    room.setMax(room.used());
    added.clear();
    int round = ROUNDS;
    while (added.isEmpty()) { // until its array is full
      long used = room.used();
      long value = random.nextLong();
      line.add(round, value, NEVER, room);
      if (room.used() < used) {
        add(round, value);
      }
      round++;
    }
    assertKept(line, 0, round, 1);
    line.close(room);
    assertEquals(0, room.used());
    assertTrue(line.read(new int[] {round}, new long[1]).isEmpty());
  }

  @Test
  void aLineOfWhichNothingIsKeptTakesNothingForItsValues() throws Exception {
    HeapUse.assertCounted(
        "closed lines",
        50_000,
        _ -> {
          Line line = line(Coding.INTEGER);
          for (int round = 1; round < 10; round++) {
            line.add(round, random.nextLong(), NEVER, room);
          }
          line.close(room);
          assertFalse(line.hasChangedSince(1));
          return line;
        },
        _ -> HeapSize.ofObject(3, 2 * Integer.BYTES + Long.BYTES));
  }
}
