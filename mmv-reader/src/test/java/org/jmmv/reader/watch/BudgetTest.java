package org.jmmv.reader.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.watch.Owner.Charge;
import org.junit.jupiter.api.Test;

class BudgetTest {
  private static final long MEBIBYTE = 1 << 20;

  private final Budget budget = new Budget(new Limits(1, 100, 100, 100, 100, 100, 10, 40, 1));
  private final Owner anna = budget.owner(1000);
  private final Owner bert = budget.owner(1001);

  private static MmvCounts counts(int metrics, long memory) {
    return new MmvCounts(1, metrics, 0, 0, 0, memory);
  }

  private void serve(Owner owner, int metrics) {
    budget.take(new Charge(owner, counts(metrics, 0)));
    owner.served.add(new TrackedFile(null, FileName.of("file")));
  }

  @Test
  void oneUserMayUseEverythingThatOthersDoNotNeed() {
    assertTrue(budget.hasRoom(counts(100, 0)));
    serve(anna, 100);
    assertFalse(budget.hasRoom(counts(1, 0)));
    assertEquals("the limit of 100 metrics in all (--max-metrics)", budget.obstacle(counts(1, 0)));
    assertNull(budget.rival(anna, counts(1, 0)), "who else?");
  }

  @Test
  void whoUsesMoreThanAShareGivesRoomToWhoUsesLess() {
    serve(anna, 100);
    assertSame(anna, budget.rival(bert, counts(40, 0)));
    assertTrue(budget.canMakeRoom(bert, counts(40, 0)));
    assertNull(budget.rival(bert, counts(41, 0)), "more than a share");
    assertFalse(budget.canMakeRoom(bert, counts(41, 0)));
    serve(bert, 40);
    assertNull(budget.rival(bert, counts(1, 0)), "more than a share in all");
  }

  @Test
  void whoUsesMostGivesRoomFirst() {
    Owner clara = budget.owner(1002);
    Owner dora = budget.owner(1003);
    serve(anna, 40);
    serve(bert, 50);
    serve(clara, 10);
    assertSame(bert, budget.rival(dora, counts(1, 0)));
    budget.giveBack(new Charge(bert, counts(20, 0)));
    budget.take(new Charge(clara, counts(20, 0)));
    assertSame(anna, budget.rival(dora, counts(1, 0)));
  }

  @Test
  void nobodyGivesRoomInVain() {
    Owner clara = budget.owner(1002);
    Owner dora = budget.owner(1003);
    serve(anna, 50);
    serve(bert, 40);
    serve(clara, 10);
    assertSame(anna, budget.rival(dora, counts(30, 0)), "of anna 20, of bert 10");
    assertNull(budget.rival(dora, counts(31, 0)), "all would have less than dora");
    budget.giveBack(new Charge(clara, counts(10, 0)));
    assertSame(anna, budget.rival(dora, counts(33, 0)));
  }

  /** However many there are, and however little each has. */
  @Test
  void manyUsersTogetherDoNotKeepOneFromHerEqualPart() {
    for (int i = 0; i < 50; i++) {
      serve(budget.owner(2000 + i), 2);
    }
    budget.forgetIdleOwners();
    Owner clara = budget.owner(1002);
    assertNotNull(budget.rival(clara, counts(1, 0)));
    assertNull(budget.rival(clara, counts(2, 0)), "nobody has more than two");
  }

  @Test
  void memoryIsLimitedForAllAndForOneFile() {
    assertTrue(budget.hasRoom(counts(1, 5 * MEBIBYTE)));
    assertFalse(budget.hasRoom(counts(1, 5 * MEBIBYTE + 1)));
    assertEquals(
        "the limit of 5 MiB of memory for one file (half of --max-memory)",
        budget.obstacle(counts(1, 6 * MEBIBYTE)));
    budget.take(new Charge(anna, counts(1, 8 * MEBIBYTE)));
    assertEquals(
        "the limit of 10 MiB of memory in all (--max-memory)",
        budget.obstacle(counts(1, 3 * MEBIBYTE)));
  }

  @Test
  void usersOfANamespaceAreOneOwner() {
    assertSame(budget.owner(100_000), budget.owner(165_535));
    assertNotSame(budget.owner(100_000), budget.owner(165_536));
    assertNotSame(budget.owner(100_000), budget.owner(99_999));
    assertNotSame(budget.owner(-1), budget.owner(-100_000), "user IDs have 32 bits");
  }

  @Test
  void ownersWithoutFilesAreForgotten() {
    serve(anna, 1);
    budget.forgetIdleOwners();
    assertSame(anna, budget.owner(1000));
    assertNotSame(bert, budget.owner(1001));
  }
}
