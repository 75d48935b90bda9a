package org.jmmv.reader.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.jmmv.pcp.User;
import org.jmmv.reader.fault.FileName;
import org.junit.jupiter.api.Test;

class BudgetTest {
  private static final long MEBIBYTE = 1 << 20;

  private final Budget budget =
      new Budget(TestWatcher.limits(1, 100, 100, 100, 100, 100, 10, 20, 40, 1));
  private final User anna = User.of(1000);
  private final User bert = User.of(1001);
  private final User clara = User.of(1002);
  private final User dora = User.of(1003);

  private static MmvCounts counts(int metrics, long memory) {
    return new MmvCounts(1, metrics, 0, 0, 0, memory, 0);
  }

  /** Returns the counts of a file that has this cluster in its header. */
  private static MmvCounts inCluster(int cluster) {
    return new MmvCounts(new long[] {1, 0, 0, 0, 0, 0, 1}, cluster);
  }

  /** Charges a user for one more file. */
  private TrackedFile serve(User user, int metrics) {
    return serve(user, counts(metrics, 0));
  }

  private TrackedFile serve(User user, MmvCounts counts) {
    TrackedFile tracked = new TrackedFile(null, FileName.of("file"));
    budget.charge(tracked, user, counts);
    return tracked;
  }

  @Test
  void oneUserMayUseEverythingThatOthersDoNotNeed() {
    assertTrue(budget.hasRoom(anna, counts(100, 0)));
    serve(anna, 100);
    assertFalse(budget.hasRoom(anna, counts(1, 0)));
    assertEquals("the limit of 100 metrics in all (--max-metrics)", budget.obstacle(counts(1, 0)));
    assertNull(budget.toLeaveOut(anna, counts(1, 0)), "who else?");
  }

  @Test
  void whoUsesMoreThanAShareGivesRoomToWhoUsesLess() {
    TrackedFile last = serve(anna, 100);
    assertSame(last, budget.toLeaveOut(bert, counts(40, 0)));
    assertTrue(budget.canMakeRoom(bert, counts(40, 0)));
    assertNull(budget.toLeaveOut(bert, counts(41, 0)), "more than a share");
    assertFalse(budget.canMakeRoom(bert, counts(41, 0)));
    serve(bert, 40);
    assertNull(budget.toLeaveOut(bert, counts(1, 0)), "more than a share in all");
  }

  @Test
  void theFileThatWasLoadedLastIsLeftOutFirst() {
    TrackedFile first = serve(anna, 40);
    TrackedFile second = serve(anna, 60);
    assertSame(second, budget.toLeaveOut(bert, counts(1, 0)));
    budget.charge(first, anna, counts(40, 0)); // it was loaded again
    assertSame(first, budget.toLeaveOut(bert, counts(1, 0)));
  }

  @Test
  void aFileThatUsesNothingOfWhatIsMissingStays() {
    TrackedFile first = serve(anna, 100);
    serve(anna, 0);
    assertSame(first, budget.toLeaveOut(bert, counts(1, 0)));
  }

  @Test
  void whoUsesMostGivesRoomFirst() {
    serve(anna, 40);
    serve(bert, 30);
    TrackedFile last = serve(bert, 20);
    serve(clara, 10);
    assertSame(last, budget.toLeaveOut(dora, counts(1, 0)));
    budget.release(last);
    last = serve(anna, 20);
    assertSame(last, budget.toLeaveOut(dora, counts(1, 0)));
  }

  @Test
  void nobodyGivesRoomInVain() {
    TrackedFile last = serve(anna, 50);
    serve(bert, 40);
    TrackedFile claras = serve(clara, 10);
    assertSame(last, budget.toLeaveOut(dora, counts(30, 0)), "of anna 20, of bert 10");
    assertNull(budget.toLeaveOut(dora, counts(31, 0)), "all would have less than dora");
    budget.release(claras);
    assertSame(last, budget.toLeaveOut(dora, counts(33, 0)));
  }

  /** However many there are, and however little each has. */
  @Test
  void manyUsersTogetherDoNotKeepOneFromHerEqualPart() {
    for (int i = 0; i < 50; i++) {
      serve(User.of(2000 + i), 2);
    }
    assertNotNull(budget.toLeaveOut(clara, counts(1, 0)));
    assertNull(budget.toLeaveOut(clara, counts(2, 0)), "nobody has more than two");
  }

  /** Users who have nothing any more have no part. */
  @Test
  void aUserWhoseFilesAreRemovedLeavesTheirPartToOthers() {
    List<TrackedFile> removed = IntStream.range(0, 10).mapToObj(i -> serve(clara, 1)).toList();
    serve(anna, 60);
    serve(bert, 30);
    assertNull(budget.toLeaveOut(bert, counts(11, 0)), "a third is 33");
    removed.forEach(budget::release);
    serve(anna, 10);
    assertNotNull(budget.toLeaveOut(bert, counts(10, 0)));
    assertFalse(removed.stream().anyMatch(budget::isCharged));
  }

  /** Otherwise one user's small files would leave no cluster for those of others. */
  @Test
  void clustersAreSharedOutAmongUsers() {
    serve(anna, inCluster(1));
    TrackedFile last = null;
    for (int i = 1; i < 20; i++) {
      last = serve(anna, inCluster(0));
    }
    assertFalse(budget.hasRoom(anna, inCluster(0)));
    assertFalse(budget.hasRoom(anna, inCluster(2)));
    assertEquals("the limit of 20 clusters in all (--max-clusters)", budget.obstacle(inCluster(2)));
    assertSame(last, budget.toLeaveOut(bert, inCluster(0)));
    assertSame(last, budget.toLeaveOut(bert, inCluster(1)));
  }

  @Test
  void filesThatShareAClusterWithOthersAreNotGivenUpForIt() {
    TrackedFile alone = null;
    for (int i = 1; i < 20; i++) {
      alone = serve(anna, inCluster(0));
    }
    serve(anna, inCluster(7));
    serve(anna, inCluster(7));
    assertSame(alone, budget.toLeaveOut(bert, inCluster(0)));
  }

  @Test
  void filesOfOneUserInTheSameClusterTakeItOnce() {
    for (int i = 1; i < 20; i++) {
      serve(anna, inCluster(0));
    }
    TrackedFile first = serve(anna, inCluster(7));
    TrackedFile second = serve(anna, inCluster(7));
    assertEquals(20, budget.used(Limit.CLUSTERS));
    assertTrue(budget.hasRoom(anna, inCluster(7)));
    budget.release(first);
    assertFalse(budget.hasRoom(anna, inCluster(8)), "the second file needs it still");
    budget.release(second);
    assertTrue(budget.hasRoom(anna, inCluster(8)));
    assertEquals(19, budget.used(Limit.CLUSTERS));
  }

  @Test
  void memoryIsLimitedForAllAndForOneFile() {
    assertTrue(budget.hasRoom(anna, counts(1, 5 * MEBIBYTE)));
    assertFalse(budget.hasRoom(anna, counts(1, 5 * MEBIBYTE + 1)));
    assertEquals(
        "the limit of 5120 KiB of memory for one file (half of --max-memory)",
        budget.obstacle(counts(1, 6 * MEBIBYTE)));
    serve(anna, counts(1, 8 * MEBIBYTE));
    assertEquals(
        "the limit of 10 MiB of memory in all (--max-memory)",
        budget.obstacle(counts(1, 3 * MEBIBYTE)));
  }
}
