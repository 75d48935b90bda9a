package org.jmmv.reader.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.FileTruncated;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvSchema;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a request does not wait for, and what is left out: {@link WorkBudget}, {@link Budget}. */
class BoundedWorkTest {
  private static final long MILLISECOND = 1_000_000;

  @TempDir Path path;
  private final TreeMap<String, MmvFile> served = new TreeMap<>();
  private final List<String> faults = new ArrayList<>();
  private TestWatcher directory;
  private Budget budget;
  private long clock;
  private int mostAtOnce; // files in one change
  private long tick; // how long the time between two looks at the clock is

  private long now() {
    return clock += tick;
  }

  private void open(int memory, int loadTime) {
    Limits limits =
        TestWatcher.limits(1 << 30, 1000, 20_000, 500, 500, 500, memory, 4095, 50, loadTime);
    budget = new Budget(limits);
    directory = new TestWatcher(path, budget, this::merge, this::now, 100_000);
  }

  private void merge(Change change) {
    change.withdrawn().forEach(file -> served.remove(file.name(), file));
    change.loaded().forEach(file -> served.put(file.name(), file));
    mostAtOnce = Math.max(mostAtOnce, change.loaded().size());
    change.faults().forEach(fault -> faults.add(fault.toString()));
  }

  @AfterEach
  void close() {
    directory.close();
  }

  private static MmvWriter writer(String metric) {
    MmvWriter writer = new MmvWriter(2);
    writer.metric(metric, 1, ValueType.I64).value(1);
    return writer;
  }

  private void write(String prefix, int count) {
    for (int i = 0; i < count; i++) {
      writer("m").write(path, prefix + i);
    }
  }

  /** Stops the clock at a time when a scan is due although the last one has taken long. */
  private void endOfRest() {
    tick = 0;
    clock += 1_000_000 * MILLISECOND;
  }

  /** The first letters of the names of the served files. */
  private Set<String> prefixes() {
    return served.keySet().stream().map(name -> name.substring(0, 1)).collect(Collectors.toSet());
  }

  @Test
  void aStartIsOverForGoodWhenTheFilesThatWereThereHaveBeenExamined() {
    write("f", 40);
    open(100, 800);
    tick = 100 * MILLISECOND;
    directory.load();
    assertTrue(served.size() < 40);
    assertFalse(directory.watcher.isStarted());
    for (int i = 0; !directory.watcher.isStarted(); i++) {
      assertTrue(i < 1000, "while a file changes");
      writer("changed").write(path, "f0");
      directory.refreshAll();
      clock += 1000 * MILLISECOND; // between requests
    }
    assertEquals(40, served.size());

    write("g", 40);
    clock += 10_000 * MILLISECOND;
    directory.refreshAll();
    assertTrue(directory.hasBacklog());
    assertTrue(directory.watcher.isStarted());
  }

  @Test
  void aStartIsOverAlsoWithoutADirectoryAndWithFilesThatCantBeRead() throws IOException {
    path = path.resolve("missing");
    open(100, 800);
    directory.load();
    assertTrue(directory.watcher.isStarted());
    directory.close();

    Files.writeString(Files.createDirectory(path).resolve("short"), "MMV");
    Files.writeString(path.resolve("other"), "x".repeat(1000));
    open(100, 800);
    assertFalse(directory.watcher.isStarted());
    directory.load();
    assertTrue(directory.watcher.isStarted());
  }

  @Test
  void aStartIsOverWhenTheEntriesThatAreReadAtOnceHaveBeenExamined() {
    write("f", 40);
    directory = new TestWatcher(path, new Budget(TestWatcher.LIMITS), this::merge, this::now, 10);
    directory.refresh();
    assertTrue(directory.hasBacklog(), "other entries");
    assertTrue(directory.watcher.isStarted());
  }

  @Test
  void aRequestLoadsFilesUntilItsTimeIsOverAndTheNextOnesGoOn() {
    write("f", 40);
    open(100, 800);
    tick = 100 * MILLISECOND;
    directory.refreshAll();
    int first = served.size();
    assertTrue(first > 0 && first < 10, first + " files in 800 ms");
    assertTrue(directory.hasBacklog());

    long start = clock;
    for (int i = 0; i < 5; i++) {
      clock += 1000 * MILLISECOND; // between requests
      directory.refresh();
    }
    long most = (clock - start) / 4 / tick; // a look at the clock for each file
    int then = served.size() - first;
    assertTrue(then > 0 && then <= most, then + " files in a quarter of the time");
    while (directory.hasBacklog()) {
      directory.catchUp(1000 * MILLISECOND);
    }
    assertEquals(40, served.size());
  }

  @Test
  void aStartLoadsFilesForTwiceTheTimeAndARequestWaitsNoLonger() {
    write("f", 40);
    open(100, 800);
    tick = 100 * MILLISECOND;
    directory.load();
    int first = served.size();
    assertTrue(first > 0 && first < 20, first + " files in 1600 ms");
    tick = 0;
    directory.refreshAll();
    assertEquals(first, served.size());
    tick = MILLISECOND;
    clock += 100 * MILLISECOND;
    directory.refreshAll();
    assertTrue(served.size() > first, "some time later");
  }

  @Test
  void aStartScansForTwoThirdsOfItsTime() {
    write("f", 1_000);
    open(1_000, 800);
    tick = 60 * MILLISECOND;
    directory.load();
    int found = directory.statuses(1_000).size();
    assertTrue(found > 200 && found < 400, found + " files in 1600 ms, at 180 ms for 32");
  }

  @Test
  void theFirstRequestScansHoweverLongTheStartHasTaken() {
    open(100, 800);
    tick = 200 * MILLISECOND;
    directory.load();
    tick = 0;
    write("f", 1);
    directory.refresh();
    assertEquals(1, served.size());
  }

  @Test
  void longScansAreNotRepeatedAllTheTime() {
    open(100, 800);
    tick = 90 * MILLISECOND; // how long a scan takes
    int late = 0;
    for (int i = 0; i < 20; i++) {
      write("f" + i + "-", 1);
      directory.refresh();
      late += served.size() < i + 1 ? 1 : 0;
    }
    assertTrue(late > 2, late + " of 20 requests did not scan");
    endOfRest();
    directory.refresh();
    assertEquals(20, served.size());
  }

  @Test
  void aShortFileThatWaitsToBeReadAgainIsReported() throws IOException {
    write("f", 40);
    Files.write(path.resolve("short"), new byte[39]);
    open(100, 800);
    directory.refreshAll();
    endOfRest(); // 1,000 s: too long for an application to write a header
    tick = 100 * MILLISECOND;
    directory.reload();
    assertTrue(directory.hasBacklog());
    assertTrue(faults.getLast().startsWith("short: not an MMV file: it has 39 bytes"), "" + faults);
  }

  @Test
  void filesThatAreServedStayServedWhileOthersWait() {
    write("a", 10);
    open(100, 800);
    directory.refreshAll();
    write("b", 40);
    tick = 100 * MILLISECOND;
    directory.refreshAll();
    assertTrue(directory.hasBacklog());
    assertEquals(Set.of("a", "b"), prefixes());
    assertEquals(10, served.keySet().stream().filter(name -> name.startsWith("a")).count());
  }

  @Test
  void aRewrittenFileThatWaitsHasNoValues() throws Exception {
    write("a", 40);
    Path last = path.resolve("a9"); // the last one in order
    open(100, 800);
    directory.refreshAll();
    MmvFile file = served.get("a9");
    for (int i = 0; i < 40; i++) {
      writer("n").generation(7).rewrite(path.resolve("a" + i));
    }
    tick = 300 * MILLISECOND;
    directory.refreshAll();
    assertTrue(directory.hasBacklog());
    directory.check(file);
    assertTrue(served.containsValue(file), "it is still to be withdrawn");
    assertThrows(FileTruncated.class, () -> file.read(() -> {}), "but its layout may be another");

    writer("m").generation(1).rewrite(last); // as it was
    endOfRest();
    directory.refreshAll();
    assertFalse(directory.hasBacklog());
    assertEquals("m", served.get("a9").schema().metrics().getFirst().name());
    assertNotSame(file, served.get("a9"), "others may have taken it for cut off");
    served.get("a9").read(() -> {});
    assertEquals("n", served.get("a8").schema().metrics().getFirst().name());
  }

  @Test
  void aScanIsInterruptedAndGoesOn() throws IOException {
    write("f", 100);
    open(100, 800);
    directory.refreshAll();
    assertEquals(100, served.size());
    write("g", 100);
    Files.delete(path.resolve("f7"));
    tick = 60 * MILLISECOND;
    directory.refresh(); // reads 64 entries or less
    assertTrue(directory.hasBacklog());
    assertTrue(served.containsKey("f7"), "it may be among the other entries");
    write("h", 100);
    Files.delete(path.resolve("f8"));
    while (directory.hasBacklog()) {
      clock += 1000 * MILLISECOND; // between requests
      directory.refresh();
    }
    endOfRest();
    directory.refreshAll();
    assertEquals(298, served.size());
    assertFalse(served.containsKey("f7") || served.containsKey("f8"));
    assertEquals(List.of(), faults);
  }

  @Test
  void whoHasWaitedForTheHeapDoesNotWaitForFiles() throws IOException {
    open(100, 800);
    directory.refreshAll();
    write("f", 10);
    directory.time.charge(1000 * MILLISECOND);
    directory.refreshAll();
    assertEquals(0, served.size());
    clock += 1000 * MILLISECOND;
    directory.refreshAll();
    assertEquals(10, served.size());
  }

  @Test
  void whoHasWaitedForALargeFileDoesNotWaitForAnother() {
    open(100, 800);
    directory.refreshAll();
    write("f", 10);
    tick = 100 * MILLISECOND;
    directory.refresh();
    int first = served.size();
    assertTrue(directory.hasBacklog());
    tick = 1000 * MILLISECOND; // a file takes seconds
    directory.catchUp(20 * MILLISECOND);
    int second = served.size();
    tick = MILLISECOND;
    directory.refresh();
    assertTrue(first > 0 && second <= first + 1, first + ", then " + second);
    assertEquals(second, served.size());
    clock += 100_000 * MILLISECOND;
    directory.refresh();
    assertEquals(10, served.size());
  }

  /** The file is read again each time, at first quickly and then slowly. */
  @Test
  void anExpensiveFileThatChangesAllTheTimeDelaysOthersByOneExamination() {
    Path file = writer("m").write(path, "f");
    open(100, 800);
    directory.refreshAll();
    for (int i = 0; i < 5; i++) {
      MmvWriter.settle(file, 2 + i);
      writer("m").write(path, "g" + i);
      endOfRest();
      directory.refresh();
      assertTrue(served.containsKey("g" + i), "" + served.keySet());
      assertEquals(2L + i, loadsOf("f"));
    }
    tick = 50 * MILLISECOND;
    for (int i = 5; i < 10; i++) {
      MmvWriter.settle(file, 2 + i);
      writer("m").write(path, "g" + i);
      clock += 10_000 * MILLISECOND;
      directory.refresh();
      directory.catchUp(200 * MILLISECOND);
      assertTrue(served.containsKey("g" + i), "" + served.keySet());
    }
  }

  /** A file whose reading takes many looks at the clock: 90,000 values. */
  private static MmvWriter large(String metric) {
    MmvWriter large = new MmvWriter(2).packed();
    MmvWriter.InDom inDom = large.inDom(1);
    IntStream.range(0, 300).forEach(i -> inDom.instance(i, "i" + i));
    for (int m = 0; m < 300; m++) {
      MmvWriter.Metric values = large.metric(metric + m, m, ValueType.U64).inDom(inDom);
      IntStream.range(0, 300).forEach(i -> values.at(i, i));
    }
    return large;
  }

  private void openForLarge() {
    Limits limits =
        TestWatcher.limits(1 << 30, 1000, 20_000, 500, 100_000, 500, 100, 4095, 50, 800);
    budget = new Budget(limits);
    directory = new TestWatcher(path, budget, this::merge, this::now, 100_000);
  }

  @Test
  void aLargeFileIsReadInTurnsAndServedAsBeforeMeanwhile() throws FileTruncated {
    large("m").write(path, "f");
    openForLarge();
    directory.refreshAll();
    MmvFile before = served.get("f");
    large("n").write(path, "f"); // another file in its place
    tick = 4 * MILLISECOND;
    directory.time.charge(10_000 * MILLISECOND); // no request waits
    directory.refreshAll();
    int turns = 0;
    while (served.get("f") == before && turns < 100) {
      before.read(() -> {});
      directory.catchUp(20 * MILLISECOND);
      turns++;
    }
    assertTrue(turns > 2, turns + " turns");
    assertEquals("n0", served.get("f").schema().metrics().getFirst().name());
  }

  /** Its mapping waits until there is time; its metadata would be in no account. */
  @Test
  void nothingIsKeptOfAReplacedFileWhileOthersAreRead() {
    writer("m").write(path, "f");
    openForLarge();
    directory.refreshAll();
    WeakReference<MmvSchema> before = new WeakReference<>(served.get("f").schema());
    writer("n").write(path, "f");
    large("m").write(path, "g");
    tick = 4 * MILLISECOND;
    directory.time.charge(10_000 * MILLISECOND); // no request waits
    directory.refreshAll();
    directory.catchUp(20 * MILLISECOND);
    directory.catchUp(20 * MILLISECOND);
    assertEquals("n", served.get("f").schema().metrics().getFirst().name());
    assertFalse(served.containsKey("g"), "is still being read");
    System.gc();
    assertNull(before.get());
  }

  /** Otherwise the memory of a process grows as long as files are replaced faster than read. */
  @Test
  void replacedFilesAreUnmappedWhileOthersWaitToBeRead() throws IOException {
    long files = 40;
    write("f", 40);
    open(100, 800);
    directory.refreshAll();
    for (int round = 0; round < 20; round++) {
      write("f", 40);
      endOfRest();
      directory.time.charge(2_000_000 * MILLISECOND); // no request waits
      directory.refreshAll();
      tick = MILLISECOND;
      directory.catchUp(20 * MILLISECOND);
      assertTrue(directory.hasBacklog());
      assertTrue(mappings() < 2 * files, mappings() + " in round " + round);
    }
    long loads = served.keySet().stream().mapToLong(this::loadsOf).sum();
    assertTrue(loads > 3 * files, loads + " loads");
  }

  private long mappings() throws IOException {
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      return maps.filter(line -> line.contains(path + "/")).count();
    }
  }

  @Test
  void reloadsThatFollowEachOtherDoNotKeepALargeFileFromBeingRead() {
    large("m").write(path, "f");
    openForLarge();
    tick = 4 * MILLISECOND;
    int reloads = 0;
    while (served.isEmpty() && reloads < 100) {
      directory.time.charge(10_000 * MILLISECOND); // no request waits
      directory.reload();
      directory.catchUp(20 * MILLISECOND);
      reloads++;
    }
    assertEquals(Set.of("f"), served.keySet());
    assertTrue(reloads > 2, reloads + " reloads");
  }

  /** Writes a large file, and reads a part of it. */
  private Path beginToRead() {
    Path file = large("m").write(path, "f");
    openForLarge();
    tick = 4 * MILLISECOND;
    directory.time.charge(10_000 * MILLISECOND);
    directory.refreshAll();
    directory.catchUp(20 * MILLISECOND);
    assertTrue(directory.hasBacklog());
    return file;
  }

  @Test
  void aFileThatIsReplacedWhileItIsReadIsReadAgain() {
    beginToRead();
    large("n").write(path, "f");
    for (int turns = 0; directory.hasBacklog() && turns < 1000; turns++) {
      directory.catchUp(20 * MILLISECOND);
    }
    assertEquals("n0", served.get("f").schema().metrics().getFirst().name());
  }

  @Test
  void aFileThatIsRemovedWhileItIsReadIsForgotten() throws IOException {
    Path file = beginToRead();
    Files.delete(file);
    endOfRest();
    directory.refreshAll();
    assertFalse(directory.hasBacklog());
    assertEquals(Set.of(), served.keySet());
  }

  @Test
  void aReloadBeginsToReadAgain() {
    beginToRead();
    endOfRest();
    directory.reload();
    assertEquals(Set.of("f"), served.keySet());
    assertFalse(directory.hasBacklog());
  }

  private long loadsOf(String name) {
    return directory.statuses(Integer.MAX_VALUE).stream()
        .filter(status -> status.name().name().equals(name))
        .mapToLong(EntryStatus::loads)
        .sum();
  }

  @Test
  void removedFilesAreWithdrawnWithinTheTimeToo() throws IOException {
    write("f", 40);
    open(100, 800);
    directory.refreshAll();
    assertEquals(40, served.size());
    for (int i = 0; i < 40; i++) {
      Files.delete(path.resolve("f" + i));
    }
    tick = 50 * MILLISECOND;
    directory.refreshAll();
    assertEquals(40, served.size(), "the scan needs more time");
    clock += 1000 * MILLISECOND; // between requests
    directory.refreshAll();
    int left = served.size();
    assertTrue(left > 0 && left < 40, left + " files after 800 ms");
    write("f", 1); // a new file with the name of a removed one
    while (directory.hasBacklog()) {
      clock += 5000 * MILLISECOND; // between requests
      directory.refresh();
    }
    endOfRest();
    directory.refreshAll();
    assertEquals(Set.of("f0"), served.keySet());
  }

  @Test
  void requestsInARowDoNotAllWaitForRemovedFiles() throws IOException {
    write("f", 100);
    open(100, 400);
    directory.refreshAll();
    for (int i = 0; i < 100; i++) {
      Files.delete(path.resolve("f" + i));
    }
    endOfRest();
    tick = 10 * MILLISECOND;
    long start = clock;
    for (int i = 0; i < 5; i++) {
      directory.refresh();
    }
    long looks = (400 * MILLISECOND + (clock - start) / 4) / tick;
    int withdrawn = 100 - served.size();
    assertTrue(
        withdrawn > 0 && withdrawn <= Math.min(looks, 99),
        withdrawn + " files, a look at the clock each, " + looks);
  }

  @Test
  void manyRecordsArePassedOnInParts() {
    for (int i = 0; i < 12; i++) {
      MmvWriter writer = new MmvWriter(2);
      for (int metric = 1; metric <= 1000; metric++) {
        writer.metric("m" + metric, metric, ValueType.I64).value(1);
      }
      writer.write(path, "f" + i);
    }
    open(100, 800);
    directory.refreshAll();
    assertEquals(12, served.size());
    assertTrue(mostAtOnce > 1 && mostAtOnce < 6, mostAtOnce + " files with 1,000 metrics each");
  }

  @Test
  void aRemovedFileThatWaitsIsForgotten() throws IOException {
    write("f", 40);
    open(100, 800);
    tick = 300 * MILLISECOND;
    directory.load();
    for (int i = 0; i < 40; i++) {
      Files.delete(path.resolve("f" + i));
    }
    endOfRest();
    directory.refreshAll();
    assertTrue(directory.watcher.isStarted());
    assertEquals(Set.of(), served.keySet());
    assertFalse(directory.hasBacklog());
    assertEquals(List.of(), faults);
  }

  @Test
  void eachNameOfAFileCountsAsAFile() throws IOException {
    Path file = writer("m").write(path, "f");
    for (int i = 0; i < 9; i++) {
      Files.createLink(path.resolve("hard" + i), file);
    }
    Files.createSymbolicLink(path.resolve("soft"), file);
    open(100, 800);
    directory.refreshAll();
    assertEquals(11, served.size());
    assertEquals(11, budget.used(Limit.FILES));
    writer("n").generation(7).rewrite(path.resolve("hard1"));
    directory.refreshAll();
    assertEquals(
        Set.of("n"),
        served.values().stream()
            .map(served -> served.schema().metrics().getFirst().name())
            .collect(Collectors.toSet()));
    assertEquals(List.of(), faults);
  }

  @Test
  void aFileThatNeedsTooMuchMemoryIsLeftOut() {
    MmvWriter large = new MmvWriter(2);
    for (int serial = 1; serial < 500; serial++) {
      large.inDom(serial).instance(serial, "instance");
    }
    IntStream.range(0, 900)
        .forEach(item -> large.metric("m" + item, item, ValueType.I64).value(item));
    large.write(path, "large");
    write("small", 3);
    open(2, 800);
    directory.refreshAll();
    assertEquals(Set.of("s"), prefixes());
    assertEquals(
        List.of(
            "large: over the limit of 1024 KiB of memory for one file (half of --max-memory)."
                + " No metrics of it are served."),
        faults);
  }

  @Test
  void filesThatTogetherNeedTooMuchMemoryAreLeftOut() {
    write("f", 600);
    open(1, 800);
    directory.refreshAll();
    int count = served.size();
    assertTrue(count > 100 && count < 500, count + " files");
    assertEquals(1, faults.size());
    assertTrue(
        faults.getFirst().contains(": over the limit of 1 MiB of memory in all (--max-memory). "),
        faults.getFirst());
  }
}
