package org.jmmv.reader.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.jmmv.pcp.User;
import org.jmmv.reader.fault.FileName;
import org.junit.jupiter.api.Test;

class FormerNamesTest {
  private static final User ONE = User.of(1);
  private static final User OTHER = User.of(2);

  private final FormerNames names = new FormerNames();

  @Test
  void aNameIsKnownByItsOwner() {
    names.add(ONE, FileName.of("app"));
    assertTrue(names.has(ONE, FileName.of("app")));
    assertFalse(names.has(OTHER, FileName.of("app")));
    assertFalse(names.has(ONE, FileName.of("other")));
  }

  @Test
  void theOldestNamesAreForgotten() {
    names.add(ONE, FileName.of("app"));
    names.add(ONE, FileName.of("old"));
    IntStream.range(0, FormerNames.MAX - 2).forEach(i -> names.add(ONE, FileName.of("x" + i)));
    names.add(ONE, FileName.of("app")); // removed again
    names.add(ONE, FileName.of("new"));
    assertTrue(names.has(ONE, FileName.of("app")));
    assertTrue(names.has(ONE, FileName.of("new")));
    assertFalse(names.has(ONE, FileName.of("old")));
  }

  @Test
  void anOwnerOfManyNamesForgetsThoseAndNotOthers() {
    names.add(OTHER, FileName.of("app"));
    IntStream.range(0, 2 * FormerNames.MAX).forEach(i -> names.add(ONE, FileName.of("x" + i)));
    assertTrue(names.has(OTHER, FileName.of("app")));
    assertEquals(
        FormerNames.MAX - 1,
        IntStream.range(0, 2 * FormerNames.MAX)
            .filter(i -> names.has(ONE, FileName.of("x" + i)))
            .count());
    IntStream.range(0, FormerNames.MAX).forEach(i -> names.add(OTHER, FileName.of("y" + i)));
    assertTrue(names.has(ONE, FileName.of("x" + (2 * FormerNames.MAX - 1))));
    assertTrue(names.has(OTHER, FileName.of("y" + (FormerNames.MAX - 1))));
  }
}
