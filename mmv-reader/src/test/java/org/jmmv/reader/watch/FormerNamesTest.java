package org.jmmv.reader.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.jmmv.pcp.User;
import org.junit.jupiter.api.Test;

class FormerNamesTest {
  private static final User ONE = User.of(1);
  private static final User OTHER = User.of(2);

  private final FormerNames names = new FormerNames();

  @Test
  void aNameIsKnownByItsOwner() {
    names.add(ONE, "app");
    assertTrue(names.has(ONE, "app"));
    assertFalse(names.has(OTHER, "app"));
    assertFalse(names.has(ONE, "other"));
  }

  @Test
  void theOldestNamesAreForgotten() {
    names.add(ONE, "app");
    names.add(ONE, "old");
    IntStream.range(0, FormerNames.MAX - 2).forEach(i -> names.add(ONE, "x" + i));
    names.add(ONE, "app"); // removed again
    names.add(ONE, "new");
    assertTrue(names.has(ONE, "app"));
    assertTrue(names.has(ONE, "new"));
    assertFalse(names.has(ONE, "old"));
  }

  @Test
  void anOwnerOfManyNamesForgetsThoseAndNotOthers() {
    names.add(OTHER, "app");
    IntStream.range(0, 2 * FormerNames.MAX).forEach(i -> names.add(ONE, "x" + i));
    assertTrue(names.has(OTHER, "app"));
    assertEquals(
        FormerNames.MAX - 1,
        IntStream.range(0, 2 * FormerNames.MAX).filter(i -> names.has(ONE, "x" + i)).count());
    IntStream.range(0, FormerNames.MAX).forEach(i -> names.add(OTHER, "y" + i));
    assertTrue(names.has(ONE, "x" + (2 * FormerNames.MAX - 1)));
    assertTrue(names.has(OTHER, "y" + (FormerNames.MAX - 1)));
  }
}
