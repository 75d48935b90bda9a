package org.jmmv.reader.watch;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jmmv.pcp.ValueType;
import org.jmmv.posix.PosixProcess;
import org.jmmv.reader.FileTruncated;
import org.jmmv.reader.Images;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.fault.Fault;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryWatcherTest {
  private static final long MILLISECOND = 1_000_000;
  private static final int PAGE = 4096;

  @TempDir Path path;
  private final List<String> events = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();
  private final TreeMap<String, MmvFile> served = new TreeMap<>();
  private final AtomicLong now = new AtomicLong(); // passes only where a test says so
  private TestWatcher directory;

  /** Notes a change, and checks that it fits those before. */
  private void merge(Change change) {
    faults.addAll(change.faults());
    for (MmvFile file : change.withdrawn()) {
      assertSame(file, served.remove(file.name()), "what is withdrawn was served");
    }
    for (MmvFile file : change.loaded()) {
      assertEquals(null, served.put(file.name(), file), "what is loaded was not served");
      faults.addAll(directory.record(file, file.schema().faults()));
    }
    if (change.hasFiles()) {
      events.add("-" + names(change.withdrawn()) + " +" + names(change.loaded()));
    }
  }

  private static String names(List<MmvFile> files) {
    return files.stream().map(MmvFile::name).collect(joining(","));
  }

  @AfterEach
  void close() {
    if (directory != null) {
      directory.close();
    }
  }

  private void open() {
    open(TestWatcher.LIMITS);
  }

  private void open(Limits limits) {
    open(limits, DirectoryWatcher.MAX_ENTRIES);
  }

  private void open(Limits limits, int maxEntries) {
    directory = new TestWatcher(path, new Budget(limits), this::merge, now::get, maxEntries);
  }

  /** Looks at everything, and returns what changed, one string for each call of the listener. */
  private List<String> refresh() {
    events.clear();
    directory.refreshAll();
    return List.copyOf(events);
  }

  /** The text of the faults so far, which are forgotten. */
  private List<String> faults() {
    List<String> texts = faults.stream().map(Fault::toString).toList();
    faults.clear();
    return texts;
  }

  /** Refreshes once a millisecond. */
  private void refreshUntil(BooleanSupplier done) {
    long end = now.get() + TimeUnit.SECONDS.toNanos(30);
    while (!done.getAsBoolean()) {
      assertTrue(now.get() < end, "still " + served.keySet() + faults);
      now.addAndGet(MILLISECOND);
      directory.refresh();
    }
  }

  private static MmvWriter writer(String metric, long value) {
    MmvWriter writer = new MmvWriter(1);
    writer.metric(metric, 1, ValueType.I64).value(value);
    return writer;
  }

  private Path write(String name) {
    return writer("m", 1).write(path, name);
  }

  private static String metric(MmvFile file) {
    return file.schema().metrics().getFirst().name();
  }

  /** Gives a file a name that may not be text, in the notation of printf(1). */
  private void rename(String file, String name) throws Exception {
    run("sh", "-c", "cd \"$1\" && mv \"$2\" \"$(printf \"$3\")\"", "", "" + path, file, name);
  }

  private static void run(String... command) throws Exception {
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
  }

  /** Where the value of {@link #writer} is. */
  private static final class ValueAt {
    final long offset = writer("m", 1).valueAt(0);
  }

  @Nested
  class WhatIsThere {
    @Test
    void filesAreLoadedInByteOrderOfTheirNames() throws Exception {
      for (String name : List.of("b", "a", "B", "a.b", "a_b", "\u007f", "ab", "0")) {
        write(name);
      }
      rename("b", "\\351");
      write("b");
      open();
      assertEquals(List.of("- +0,B,a,a.b,a_b,ab,b,\u007f,\u00e9"), refresh());
    }

    @Test
    void contentOfALinksTargetIsNotReported(@TempDir Path elsewhere) throws Exception {
      Files.writeString(elsewhere.resolve("target"), "secret, and long enough for a header ....");
      Files.createSymbolicLink(path.resolve("link"), elsewhere.resolve("target"));
      open();
      assertEquals(List.of(), refresh());
      String fault = faults().getFirst();
      assertTrue(fault.startsWith("link: not an MMV file") && !fault.contains("secr"), fault);
    }

    @Test
    void nameMayHoldAnyBytes() throws Exception {
      writer("m", 1).flags(MmvWriter.NOPREFIX).write(path, "plain");
      rename("plain", "\\200\\303\\377\\n \\1*");
      open();
      assertEquals(List.of("- +\u0080\u00c3\u00ff\n \u0001*"), refresh());
      assertEquals(List.of(), faults());
      assertEquals(1, served.firstEntry().getValue().value(0));
      write("other");
      assertEquals(List.of("- +other"), refresh());
    }

    @Test
    void nameMayHave255Bytes() throws Exception {
      Path file = write("short");
      String name = "n".repeat(255);
      Files.move(file, path.resolve(name));
      open();
      assertEquals(List.of("- +" + name), refresh());
    }
  }

  @Nested
  class ComingAndGoing {
    @Test
    void everyNewFileIsSeenByTheNextRefresh() {
      open();
      for (int i = 0; i < 300; i++) { // many of them in the same tick of the directory's time
        write("f" + i);
        events.clear();
        directory.refresh();
        assertEquals(List.of("- +f" + i), events);
      }
    }

    @Test
    void everyRemovedFileIsSeenByTheNextRefresh() throws Exception {
      for (int i = 0; i < 300; i++) {
        write("f" + i);
      }
      open();
      refresh();
      for (int i = 0; i < 300; i++) {
        Files.delete(path.resolve("f" + i));
        events.clear();
        directory.refresh();
        assertEquals(List.of("-f" + i + " +"), events);
      }
    }

    @Test
    void listenerIsToldOnceOfAllThatChanged() throws Exception {
      write("a");
      write("b");
      write("c");
      open();
      assertEquals(List.of("- +a,b,c"), refresh());
      Files.delete(path.resolve("a"));
      write("b");
      write("d");
      assertEquals(List.of("-a,b +b,d"), refresh());
      assertEquals(List.of(), refresh());
      assertEquals(List.of(), refresh());
      assertEquals(List.of(), faults());
    }

    @Test
    void fileReplacedByAnEqualOneIsReadAnew() {
      Path file = write("a");
      open();
      refresh();
      MmvFile before = served.get("a");
      write("a");
      assertEquals(List.of("-a +a"), refresh());
      assertNotSame(before, served.get("a"));
      MmvWriter.storeLong(file, new ValueAt().offset, 99);
      assertEquals(99, served.get("a").value(0));
    }

    @Test
    void fileRemovedAndWrittenAgainIsReadAnew() throws Exception {
      write("a");
      open();
      refresh();
      for (int i = 0; i < 50; i++) { // the new file often gets the old one's inode number
        Files.delete(path.resolve("a"));
        ByteBuffer image = writer("m", i).image();
        byte[] bytes = new byte[image.limit()];
        image.get(bytes);
        Files.write(path.resolve("a"), bytes, StandardOpenOption.CREATE_NEW);
        assertEquals(List.of("-a +a"), refresh());
        assertEquals(i, served.get("a").value(0));
      }
    }

    @Test
    void linkToAnotherFileIsReadAnew(@TempDir Path elsewhere) throws Exception {
      writer("one", 1).write(elsewhere, "one");
      writer("two", 2).write(elsewhere, "two");
      Files.createSymbolicLink(path.resolve("a"), elsewhere.resolve("one"));
      open();
      refresh();
      Files.createSymbolicLink(path.resolve(".a"), elsewhere.resolve("two"));
      Files.move(path.resolve(".a"), path.resolve("a"), StandardCopyOption.ATOMIC_MOVE);
      assertEquals(List.of("-a +a"), refresh());
      assertEquals("two", metric(served.get("a")));
    }

    @Test
    void fileThatBecomesADirectoryIsWithdrawn() throws Exception {
      write("a");
      open();
      refresh();
      Files.delete(path.resolve("a"));
      Files.createDirectory(path.resolve("a"));
      assertEquals(List.of("-a +"), refresh());
      assertEquals(List.of(), faults());
    }

    @Test
    void withdrawnFileCanBeReadWhileTheChangeIsMerged() throws Exception {
      write("a");
      List<Long> read = new ArrayList<>();
      List<MmvFile> gone = new ArrayList<>();
      directory =
          new TestWatcher(
              path,
              new Budget(TestWatcher.LIMITS),
              change -> {
                change.withdrawn().forEach(file -> read.add(file.value(0)));
                gone.addAll(change.withdrawn());
              },
              now::get,
              DirectoryWatcher.MAX_ENTRIES);
      directory.refresh();
      Files.delete(path.resolve("a"));
      directory.refresh();
      assertEquals(List.of(1L), read);
      assertThrows(IllegalStateException.class, () -> gone.getFirst().value(0));
    }

    @Test
    void missingDirectoryIsReportedOnceAndReadWhenItIsThere() throws Exception {
      path = path.resolve("later");
      String missing = "the directory can't be read: No such file or directory, no files";
      open();
      assertEquals(List.of(), refresh());
      assertEquals(List.of(path + ": " + missing), faults());
      assertEquals(List.of(), refresh());
      assertEquals(List.of(), faults());

      Files.createDirectory(path);
      write("a");
      assertEquals(List.of("- +a"), refresh());
      assertEquals(List.of(path + ": the directory can be read again"), faults());

      Files.delete(path.resolve("a"));
      Files.delete(path);
      assertEquals(List.of("-a +"), refresh());
      assertEquals(List.of(path + ": " + missing), faults());
      Files.createDirectory(path);
      write("b");
      assertEquals(List.of("- +b"), refresh());
      assertEquals(List.of(path + ": the directory can be read again"), faults());
    }

    @Test
    void directoryReplacedByAnotherIsReadAnew() throws Exception {
      Path parent = path;
      path = Files.createDirectory(parent.resolve("mmv"));
      write("a");
      write("b");
      open();
      refresh();
      Files.move(path, parent.resolve("old"));
      Files.createDirectory(path);
      write("a");
      assertEquals(List.of("-a,b +a"), refresh());
    }

    @Test
    void fileInPlaceOfTheDirectoryIsAFault() throws Exception {
      path = Files.write(path.resolve("file"), new byte[0]);
      open();
      assertEquals(List.of(), refresh());
      assertEquals(
          List.of(path + ": the directory can't be read: Not a directory, no files"), faults());
    }
  }

  @Nested
  class Changes {
    @Test
    void fileInFluxIsWithdrawnUntilItSettles() {
      Path file = write("a");
      write("b");
      open();
      refresh();
      MmvWriter.flux(file);
      assertEquals(List.of("-a +"), refresh());
      assertEquals(List.of(), refresh());
      MmvWriter.settle(file, 2);
      assertEquals(List.of("- +a"), refresh());
      assertEquals(2, served.get("a").schema().header().generation1());
      assertEquals(List.of(), faults());
    }

    @Test
    void fluxIsSeenByAPlainRefreshInAMoment() {
      Path file = write("a");
      open();
      refresh();
      MmvWriter.flux(file);
      refreshUntil(served::isEmpty);
      MmvWriter.settle(file, 2);
      refreshUntil(() -> served.size() == 1);
    }

    @Test
    void fileMaySettleWithTheGenerationItHad() {
      Path file = writer("m", 1).generation(5).write(path, "a");
      open();
      refresh();
      MmvWriter.flux(file);
      assertEquals(List.of("-a +"), refresh());
      MmvWriter.settle(file, 5);
      assertEquals(List.of("- +a"), refresh());
    }

    @Test
    void otherMetadataOfTheSameGenerationIsSeenAmongManyFiles() {
      for (int i = 0; i < 100; i++) {
        writer("before", 1).generation(5).write(path, "f" + i);
      }
      open();
      refresh();
      writer("after_", 2).generation(5).rewrite(path.resolve("f37"));
      refreshUntil(() -> metric(served.get("f37")).equals("after_"));
      assertEquals(100, served.size());
    }

    /** More than one sweep looks at. */
    @Test
    void newGenerationIsSeenAmongManyFiles() {
      for (int i = 0; i < 800; i++) {
        writer("before", 1).generation(5).write(path, "f" + i);
      }
      open();
      refresh();
      for (String name : List.of("f0", "f799", "f400")) {
        writer("after_", 2).generation(6).rewrite(path.resolve(name));
        refreshUntil(() -> metric(served.get(name)).equals("after_"));
      }
      writer("later_", 2).generation(7).rewrite(path.resolve("f77"));
      directory.refreshAll();
      assertEquals("later_", metric(served.get("f77")));
      assertEquals(800, served.size());
    }

    /** The sweeps of requests that follow each other closely compare it at most once a second. */
    @Test
    void fileRewrittenWithTheSameGenerationIsSeenWithinASecond() {
      Path file = writer("before", 1).generation(5).write(path, "a");
      open();
      directory.refresh();
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(2));
      directory.refresh();
      writer("after_", 2).generation(5).rewrite(file);
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      directory.refresh();
      assertEquals("after_", metric(served.get("a")));
    }

    @Test
    void anotherDirectoryAtThePathIsSeenWithinASecond() throws Exception {
      Path parent = Files.createDirectories(path.resolve("parent/mmv")).getParent();
      writer("m", 1).write(parent.resolve("mmv"), "a");
      directory =
          new TestWatcher(
              parent.resolve("mmv"),
              new Budget(TestWatcher.LIMITS),
              DirectoryWatcherTest.this::merge,
              now::get,
              Integer.MAX_VALUE);
      directory.refresh();
      assertEquals(Set.of("a"), served.keySet());
      Files.move(parent, path.resolve("elsewhere"));
      Files.createDirectories(parent.resolve("mmv"));
      writer("m", 1).write(parent.resolve("mmv"), "b");
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      directory.refresh();
      assertEquals(Set.of("b"), served.keySet());
    }

    @Test
    void checkLooksAtOneFileNow() {
      Path file = write("a");
      write("b");
      open();
      refresh();
      MmvFile a = served.get("a");
      MmvFile b = served.get("b");
      events.clear();
      directory.check(a);
      directory.check(b);
      assertEquals(List.of(), events);
      MmvWriter.flux(file);
      directory.check(b);
      assertEquals(List.of(), events);
      directory.check(a);
      assertEquals(List.of("-a +"), events);
    }
  }

  @Nested
  class OverTheLimits {
    private static final Limits FEW =
        TestWatcher.limits(100_000, 1000, 5, 6, 7, 2, 1000, 4095, 50, 800);

    @Test
    void fileOverALimitIsLeftOutUntilThereIsRoom() throws Exception {
      write("a");
      for (String name : List.of("b", "c")) {
        MmvWriter writer = new MmvWriter(2);
        for (int item = 0; item < 3; item++) {
          writer.metric("m" + item, item, ValueType.I32).value(item);
        }
        writer.write(path, name);
      }
      open(FEW);
      assertEquals(List.of("- +a,b"), refresh());
      assertEquals(
          List.of(
              "c: over the limit of 5 metrics in all (--max-metrics). No metrics of it are served."),
          faults());
      assertEquals(List.of(), refresh());
      Files.delete(path.resolve("a"));
      assertEquals(List.of("-a +"), refresh());
      assertEquals(List.of(), faults());
      write("d");
      assertEquals(List.of("- +d"), refresh());
      Files.delete(path.resolve("b"));
      assertEquals(List.of("-b +c"), refresh());
      write("e");
      assertEquals(List.of("- +e"), refresh());
      assertEquals(List.of(), faults());
    }

    @Test
    void filesThatUseNothingOfALoweredLimitStay() {
      for (String name : List.of("b", "c")) {
        writer("m", 1).label(16, 1, 0, "{\"a\":1}").write(path, name);
      }
      write("d");
      open(FEW);
      assertEquals(List.of("- +b,c,d"), refresh());
      directory.set(FEW.with(Limit.LABELS, 1), List.of(DirectorySettings.DEFAULT));
      assertEquals(List.of("-b,c,d +b,d"), refresh()); // read again, all in one change
      assertEquals(
          List.of(
              "c: over the limit of 1 labels in all (--max-labels). No metrics of it are served."),
          faults());
    }

    @Test
    void ofSeveralLoweredLimitsOneIsNamedOfWhichTheFileUsesSome() {
      MmvWriter metrics = writer("m", 1);
      metrics.metric("n", 2, ValueType.I64).value(2);
      metrics.write(path, "a");
      MmvWriter labels = new MmvWriter(3);
      IntStream.range(1, 3).forEach(item -> labels.label(16, item, 0, "{\"a\":1}"));
      labels.write(path, "b");
      open(FEW);
      refresh();
      Limits fewer = FEW.with(Limit.METRICS, 1).with(Limit.LABELS, 1);
      directory.set(fewer, List.of(DirectorySettings.DEFAULT));
      refresh();
      assertEquals(
          List.of(
              "b: over the limit of 1 labels in all (--max-labels). No metrics of it are served.",
              "a: over the limit of 1 metrics in all (--max-metrics). No metrics of it are served."),
          faults());
    }

    private List<String> faultsUnderFewLimits(MmvWriter writer) {
      write("a");
      writer.write(path, "b");
      write("c");
      open(FEW);
      assertEquals(List.of("- +a,c"), refresh());
      return faults();
    }

    @Test
    void instancesAndInstanceDomainsAreLimitedTogether() {
      MmvWriter writer = new MmvWriter(2);
      for (int serial = 1; serial <= 3; serial++) {
        writer.inDom(serial).instance(1, "one").instance(2, "two");
      }
      writer.metric("m", 1, ValueType.I32).value(1);
      assertEquals(
          List.of(
              "b: over the limit of 6 instances in all (--max-instances). No metrics of it are served."),
          faultsUnderFewLimits(writer));
    }

    @Test
    void valuesAreLimited() {
      write("a");
      MmvWriter writer = new MmvWriter(2);
      MmvWriter.InDom inDom = writer.inDom(1).instance(1, "one").instance(2, "two");
      for (int item = 0; item < 3; item++) {
        writer.metric("m" + item, item, ValueType.I32).inDom(inDom).at(1, 1).at(2, 2);
      }
      writer.write(path, "b");
      write("c");
      open(FEW);
      assertEquals(List.of("- +a,b"), refresh());
      assertEquals(
          List.of(
              "c: over the limit of 7 values in all (--max-values). No metrics of it are served."),
          faults());
    }

    @Test
    void labelsAreLimited() {
      MmvWriter writer = writer("m", 1);
      for (int i = 0; i < 3; i++) {
        writer.label(16, 1, 0, "{\"a\":1}");
      }
      assertEquals(
          List.of(
              "b: over the limit of 2 labels in all (--max-labels). No metrics of it are served."),
          faultsUnderFewLimits(writer));
    }

    @Test
    void aLargeFileIsNotMapped() throws Exception {
      Path file = write("b");
      MmvWriter.resize(file, 1L << 40);
      write("a");
      open(FEW);
      assertEquals(List.of("- +a"), refresh());
      assertEquals(
          List.of(
              "b: can't be opened: it has 1099511627776 bytes, the limit is 100000 (--max-file-size). No metrics of it are served."),
          faults());
      writer("m", 1).rewrite(file);
      refreshUntil(() -> served.size() == 2);
    }

    private static final Limits TWENTY_FILES =
        TestWatcher.limits(100_000, 20, 100, 100, 100, 100, 1000, 4095, 50, 800);

    @Test
    void moreFilesThanTheLimitAreLeftOut() throws Exception {
      for (int i = 10; i < 40; i++) {
        write("f" + i);
      }
      open(TWENTY_FILES);
      refresh();
      assertEquals(20, served.size());
      assertEquals("f29", served.lastKey(), "the first in byte order are served");
      assertEquals(
          List.of(
              "f30: over the limit of 20 files in all (--max-files). No metrics of it are served."
                  + " (and 9 more like it)"),
          faults());
      assertEquals(List.of(), refresh());
      directory.reload();
      assertEquals(20, served.size());
      for (String name : List.copyOf(served.keySet())) {
        Files.delete(path.resolve(name));
      }
      refreshUntil(() -> served.size() == 10);
      assertEquals(List.of(), faults());
    }

    @Test
    void filesThatAreNotServedDoNotCount() throws Exception {
      Files.write(path.resolve("a_empty"), new byte[0]);
      Files.write(path.resolve("a_text"), new byte[50]);
      writer("m", 1).cluster(5000).write(path, "a_refused");
      MmvWriter.flux(write("a_flux"));
      writer("m", 1).flags(MmvWriter.PROCESS).pid(-1).write(path, "a_gone");
      for (int i = 10; i < 30; i++) {
        write("f" + i);
      }
      open(TWENTY_FILES);
      refresh();
      assertEquals(20, served.size());
      assertEquals(1, faults().size(), "that of a_refused");
      write("f30");
      assertEquals(List.of(), refresh());
      assertEquals(1, faults().size());
      Files.writeString(path.resolve("f10"), "x".repeat(50));
      refresh();
      refresh();
      assertEquals(20, served.size());
      assertTrue(served.containsKey("f30"), "it has the place of f10");
    }

    @Test
    void anApplicationThatRestartsKeepsItsPlaceFor5Seconds() {
      Path first = write("a");
      write("b");
      write("c");
      open(TestWatcher.limits(100_000, 2, 100, 100, 100, 100, 1000, 4095, 50, 800));
      refresh();
      assertEquals(Set.of("a", "b"), served.keySet());
      for (int generation = 2; generation < 5; generation++) {
        MmvWriter.flux(first);
        refresh();
        assertEquals(Set.of("b"), served.keySet());
        MmvWriter.settle(first, generation);
        refresh();
        assertEquals(Set.of("a", "b"), served.keySet());
      }
      MmvWriter.flux(first);
      refresh();
      now.addAndGet(5_000_000_000L);
      refresh();
      refresh();
      assertEquals(Set.of("b", "c"), served.keySet());
    }

    @Test
    void fileOverTheLimitThatIsRemovedIsForgotten() throws Exception {
      for (int i = 10; i < 31; i++) {
        write("f" + i);
      }
      open(TWENTY_FILES);
      refresh();
      assertEquals(1, faults().size());
      Files.delete(path.resolve("f30"));
      Files.delete(path.resolve("f29"));
      assertEquals(List.of("-f29 +"), refresh());
      assertEquals(List.of(), faults());
    }

    /** A process can have 65,530 mappings, and the JVM fails without any left. */
    @Test
    void fewOfTheFilesThatAreNotServedStayMapped() throws Exception {
      MmvWriter refused = writer("m", 1).cluster(5000);
      refused.write(path, "f");
      for (int i = 0; i < 10_000; i++) {
        refused.write(path, "f" + i);
      }
      MmvWriter ended = writer("m", 1).flags(MmvWriter.PROCESS).pid(Integer.MAX_VALUE);
      for (int i = 0; i < 100; i++) {
        ended.write(path, "g" + i);
      }
      open();
      refresh();
      assertEquals(10_000, mappings());
      assertEquals(
          "it has the PROCESS flag, and its process 2147483647 has ended",
          directory.statuses(20_000).stream()
              .filter(status -> status.name().name().equals("g5"))
              .map(EntryStatus::reason)
              .collect(joining()));
      Files.delete(path.resolve("f"));
      write("f"); // in the place of one that is mapped
      write("g99"); // in the place of one that is not
      assertEquals(List.of("- +f,g99"), refresh());
    }

    private long mappings() throws IOException {
      try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
        return maps.filter(line -> line.contains(path + "/f")).count();
      }
    }

    /** No user can make a scan take longer and longer, and none can hide the files of others. */
    @Test
    void moreEntriesThanAScanReadsAreReadByTheNextOnes() throws Exception {
      for (int i = 0; i < 300; i++) {
        write("f" + i);
      }
      open(TestWatcher.LIMITS, 1_000);
      findAll();
      assertEquals(300, served.size());
      refresh();
      Path target = Path.of("nowhere");
      for (int i = 0; i < 5_000; i++) {
        Files.createSymbolicLink(path.resolve("dangling" + i), target);
      }
      assertEquals(List.of(), refresh());
      assertEquals(300, served.size(), "known files are still served");
      String line =
          path + ": more than 1000 entries in the directory, so that new files are found late";
      assertEquals(List.of(line), faults());
      writer("new", 2).write(path, "f7");
      Files.delete(path.resolve("f8"));
      refresh(); // tmpfs lists the newest first, so f7 is behind what is read now
      assertEquals("new", metric(served.get("f7")), "known files are checked");
      assertNull(served.get("f8"), "known files are looked up");
      assertEquals(List.of(), faults());

      for (int i = 300; i < 310; i++) {
        write("f" + i);
      }
      int scans = 0;
      while (served.size() < 309) {
        assertTrue(++scans < 20, scans + " scans of 1,000 entries");
        directory.refresh();
      }
      assertEquals(List.of(), faults());
    }
  }

  @Test
  void newFilesAmongEntriesThatEarlierScansHaveReadAreFound() throws Exception {
    Path target = Path.of("nowhere");
    for (int i = 0; i < 5_000; i++) {
      Files.createSymbolicLink(path.resolve("dangling" + i), target);
    }
    Budget budget = new Budget(TestWatcher.LIMITS);
    directory = new TestWatcher(path, budget, this::merge, now::get, TestWatcher.LATER, 1_000);
    directory.refresh();
    directory.refresh(); // which reads the next 1,000 entries
    for (int i = 0; i < 20; i++) {
      write("f" + i);
    }
    for (int scans = 0; served.size() < 20; scans++) {
      assertTrue(scans < 20, scans + " scans of 1,000 entries");
      directory.refresh();
    }
  }

  /** Following links would take most of the time that millions of them cost. */
  @Test
  void linksBehindTheEntriesThatAScanReadsAreNotFollowed(@TempDir Path targets) throws Exception {
    for (int i = 0; i < 20; i++) {
      Files.createSymbolicLink(path.resolve("link" + i), targets.resolve("link" + i));
    }
    List<String> links;
    try (Stream<Path> entries = Files.list(path)) { // in the order in which a scan reads them
      links = entries.map(entry -> entry.getFileName().toString()).toList();
    }
    writer("m", 1).write(targets, links.getLast());
    open(TestWatcher.LIMITS, 10);
    findAll();
    assertEquals(Set.of(), served.keySet());
    for (String link : links.subList(0, 15)) {
      Files.delete(path.resolve(link));
    }
    findAll();
    assertEquals(Set.of(links.getLast()), served.keySet());
  }

  private void findAll() {
    do {
      directory.refreshAll();
    } while (directory.hasBacklog());
  }

  /** A scan finds 200 new files here, and reads 1,000 entries. */
  @Test
  void newFilesThatAScanLeavesOutAreFoundIfItDidNotReadAllEntries() throws Exception {
    for (int i = 0; i < 410; i++) {
      write("f" + i);
    }
    Path target = Path.of("nowhere");
    for (int i = 0; i < 600; i++) {
      Files.createSymbolicLink(path.resolve("dangling" + i), target);
    }
    open(TestWatcher.LIMITS, 1_000);
    findAll();
    assertEquals(410, served.size());
  }

  /** Files of another user are found, however many files one user has. */
  @Test
  void oneUserCannotTakeThePlacesOfAllFiles() throws Exception {
    open(TestWatcher.LIMITS, 1_000);
    for (int i = 0; i < 1_200; i++) {
      write("f" + i);
    }
    findAll();
    assertEquals(500, served.size());
    boolean isRoot = PosixProcess.userId() == 0; // only root can give a file away
    if (isRoot) {
      Files.setAttribute(write("of-another-user"), "unix:uid", 1);
    }
    findAll();
    assertEquals(isRoot, served.containsKey("of-another-user"));
    for (int i = 0; i < 800; i++) {
      Files.delete(path.resolve("f" + i));
    }
    findAll();
    findAll();
    assertEquals(isRoot ? 401 : 400, served.size());
  }

  @Nested
  class WhatCannotBeServed {
    @Test
    void refusedFileIsReportedOnceAndTriedAgainWhenItChanges() {
      Path file = writer("m", 1).cluster(5000).write(path, "a");
      write("b");
      open();
      assertEquals(List.of("- +b"), refresh());
      List<String> refused =
          List.of(
              "a: header at 36: cluster 5000 is not in 0 to 4095. No metrics of it are served.");
      assertEquals(refused, faults());
      assertEquals(List.of(), refresh());
      write("c");
      assertEquals(List.of("- +c"), refresh());
      assertEquals(List.of(), faults());
      writer("m", 1).cluster(3).generation(9).rewrite(file);
      assertEquals(List.of("- +a"), refresh());
      assertEquals(List.of(), faults());
      writer("m", 1).cluster(5000).generation(10).rewrite(file);
      assertEquals(List.of("-a +"), refresh());
      assertEquals(refused, faults());
    }

    @Test
    void refusedFileIsTriedAgainByItsTimeOrSizeAlone() throws Exception {
      ByteBuffer image = writer("m", 1).image();
      Path file = MmvWriter.write(image.duplicate().put(0, (byte) 'X'), path, "a");
      Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_700_000_000)));
      open();
      assertEquals(List.of(), refresh());
      assertEquals(
          List.of(
              "a: not an MMV file: it does not begin with \"MMV\" and a NUL byte. No metrics of it are served."),
          faults());
      try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
        out.write('M');
      }
      assertEquals(List.of("- +a"), refresh());

      Path grows = MmvWriter.write(writer("m", 1).image().limit(50), path, "b");
      assertEquals(List.of(), refresh());
      assertEquals(1, faults().size());
      FileTime time = Files.getLastModifiedTime(grows);
      byte[] bytes = new byte[image.limit()];
      writer("m", 1).image().get(bytes);
      Files.write(grows, bytes);
      Files.setLastModifiedTime(grows, time);
      assertEquals(List.of("- +b"), refresh());
    }

    @Test
    void faultsOfEntriesAreReportedOnceForAGeneration() {
      MmvWriter writer = writer("m", 1);
      writer.metric("bad-name", 2, ValueType.I32);
      Path file = writer.write(path, "a");
      String fault =
          "a: metric[1] at "
              + writer.metricAt(1)
              + ": the name \"bad-name\" has characters other than letters, digits, \"_\" and \".\", left out";
      open();
      assertEquals(List.of("- +a"), refresh());
      assertEquals(List.of(fault), faults());
      write("b");
      refresh();
      assertEquals(List.of(), faults());
      MmvWriter.flux(file);
      refresh();
      MmvWriter.settle(file, 77);
      assertEquals(List.of("- +a"), refresh());
      assertEquals("m", metric(served.get("a")));
    }

    /** Otherwise the process could have twice as many mappings as files. */
    @Test
    void reloadDoesNotReportTheSameFaultsAgain() throws Exception {
      MmvWriter writer = writer("m", 1);
      writer.metric("bad-name", 2, ValueType.I32);
      writer.write(path, "a");
      writer("m", 1).cluster(5000).write(path, "b");
      Files.write(path.resolve("c"), new byte[70_000]);
      open(TestWatcher.limits(65_536, 10, 100, 100, 100, 100, 1000, 4095, 50, 800));
      assertEquals(List.of("- +a"), refresh());
      assertEquals(3, faults().size());
      directory.reload();
      directory.reload();
      assertEquals(List.of(), faults());
      assertEquals(Set.of("a"), served.keySet());
      writer.metric("worse-name", 3, ValueType.I32);
      writer.generation(9).rewrite(path.resolve("a"));
      refresh();
      assertEquals(1, faults().size());
    }

    @Test
    void fileThatIsShortOrInFluxIsReportedAfter5Seconds() throws Exception {
      Files.write(path.resolve("empty"), new byte[0]);
      Files.write(path.resolve("short"), new byte[39]);
      Files.write(path.resolve("zeros"), new byte[4096]);
      Path fluxed = writer("m", 1).generation(5).write(path, "fluxed");
      MmvWriter.flux(fluxed);
      Path settles = writer("m", 1).write(path, "settles");
      MmvWriter.flux(settles);
      open();
      assertEquals(List.of(), refresh());
      MmvWriter.settle(settles, 6);
      assertEquals(List.of("- +settles"), refresh());
      refreshUntil(() -> !faults.isEmpty());
      assertEquals(TimeUnit.SECONDS.toNanos(5), now.get());
      refreshUntil(() -> faults.size() >= 4);
      assertEquals(
          List.of(
              "empty: not an MMV file: it has 0 bytes, a header has 40; or its application has not finished writing it (waited 5 s). No metrics of it are served.",
              "fluxed: its application has not finished writing it (waited 5 s): its generations are 5 and 0, but must be equal and not 0. No metrics of it are served.",
              "short: not an MMV file: it has 39 bytes, a header has 40; or its application has not finished writing it (waited 5 s). No metrics of it are served.",
              "zeros: not an MMV file: it begins with four NUL bytes, not \"MMV\"; or its application has not finished writing it (waited 5 s). No metrics of it are served."),
          faults().stream().sorted().toList());
      Files.write(path.resolve("short"), new byte[38]);
      try (RandomAccessFile file = new RandomAccessFile(fluxed.toFile(), "rw")) {
        file.seek(8); // the first generation
        file.writeLong(6);
      }
      refresh();
      refresh();
      assertEquals(List.of(), faults());
      MmvWriter.settle(fluxed, 7);
      assertEquals(List.of("- +fluxed"), refresh());
      writer("m", 1).rewrite(path.resolve("empty"));
      assertEquals(List.of("- +empty"), refresh());
    }

    /** Within a second, an application often gives its file the same generation again. */
    @Test
    void aFileThatWasRewrittenWhileItWasReadIsNotTakenForUnreadable() throws Exception {
      Path file = writer("m", 1).generation(5).write(path, "a");
      open();
      refresh();
      MmvFile before = served.get("a");
      assertThrows(FileTruncated.class, () -> before.read(() -> MmvWriter.flux(file)));
      MmvWriter.settle(file, 5);
      directory.drop(before);
      refresh();
      assertNotSame(before, served.get("a"));
      served.get("a").read(() -> {});
      assertEquals(List.of(), faults());
    }

    @Test
    void shortFileIsTakenAsItGrows() throws Exception {
      Path file = Files.write(path.resolve("a"), new byte[0]);
      ByteBuffer image = writer("m", 1).generation(5).image();
      byte[] bytes = new byte[image.limit()];
      image.get(bytes);
      open();
      assertEquals(List.of(), refresh());
      Files.write(file, new byte[20]);
      assertEquals(List.of(), refresh());
      Files.write(file, new byte[bytes.length]);
      assertEquals(List.of(), refresh());
      Files.write(file, bytes);
      assertEquals(List.of("- +a"), refresh());
      assertEquals(List.of(), faults());
    }

    @Test
    void fileThatCannotBeOpenedOrMappedIsReported() throws Exception {
      Path file = write("a");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
      int owner = (Integer) Files.getAttribute(file, "unix:uid");
      String reason = "Permission denied (user ID " + owner + ", mode 0000)";
      if (Files.isReadable(file)) { // root; but what is in /sys can't be mapped even by root
        Path attribute = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        assertTrue(Files.isRegularFile(attribute), "neither permissions nor /sys to test with");
        Files.delete(file);
        Files.createSymbolicLink(file, attribute);
        reason = "No such device";
      }
      write("b");
      open();
      assertEquals(List.of("- +b"), refresh());
      assertEquals(
          List.of("a: can't be opened: " + reason + ". No metrics of it are served."), faults());
      assertEquals(List.of(), refresh());
      assertEquals(List.of(), faults());
      write("a");
      assertEquals(List.of("- +a"), refresh());
    }
  }

  @Nested
  class Processes {
    @Test
    void fileOfAProcessIsServedWhileItRuns() throws Exception {
      Process child = new ProcessBuilder("sleep", "1000").start();
      try {
        writer("m", 1).flags(MmvWriter.PROCESS).pid(child.pid()).write(path, "a");
        writer("m", 1).pid(child.pid()).write(path, "b"); // says who wrote it, asks for nothing
        open();
        assertEquals(List.of("- +a,b"), refresh());
        events.clear();
        directory.check(served.get("a"));
        assertEquals(List.of(), events);
        assertEquals(List.of(), refresh());
      } finally {
        child.destroyForcibly();
        assertTrue(child.waitFor(20, TimeUnit.SECONDS));
      }
      assertEquals(List.of("-a +"), refresh());
      assertEquals(List.of(), refresh());
      assertEquals(List.of(), faults());
    }

    @Test
    void checkSeesThatAProcessHasEnded() throws Exception {
      Process child = new ProcessBuilder("sleep", "1000").start();
      writer("m", 1).flags(MmvWriter.PROCESS).pid(child.pid()).write(path, "a");
      open();
      refresh();
      MmvFile file = served.get("a");
      events.clear();
      child.destroyForcibly();
      assertTrue(child.waitFor(20, TimeUnit.SECONDS));
      directory.check(file);
      assertEquals(List.of("-a +"), events);
    }

    @Test
    void processThatCannotBeIsDead() {
      writer("m", 1).flags(MmvWriter.PROCESS).pid(-1).write(path, "a");
      writer("m", 1).flags(MmvWriter.PROCESS).pid(Integer.MIN_VALUE).write(path, "b");
      writer("m", 1).flags(MmvWriter.PROCESS).pid(Integer.MAX_VALUE).write(path, "c");
      open();
      assertEquals(List.of(), refresh());
      assertEquals(List.of(), faults());
    }
  }

  @Nested
  class Truncation {
    @Test
    void truncatedFileIsDroppedAndComesBackWhenItIsWhole() throws Exception {
      ByteBuffer image = writer("m", 1).imageOfPages();
      Path file = MmvWriter.write(image, path, "a");
      write("b");
      open();
      refresh();
      MmvFile a = served.get("a");
      MmvFile b = served.get("b");
      assertEquals(1, a.value(0));
      MmvWriter.resize(file, PAGE);
      events.clear();
      directory.check(a);
      assertEquals(List.of(), events, "its header is still there");
      assertThrows(InternalError.class, () -> a.value(0));
      assertThrows(InternalError.class, () -> a.extra(0));
      long[] extras = {MmvWriter.LARGEST_PAGE};
      assertThrows(InternalError.class, () -> a.texts(extras, 1, new byte[256], new long[1]));
      events.clear();
      directory.drop(a);
      assertEquals(List.of("-a +"), events);
      assertTrue(faults.stream().allMatch(fault -> fault.place().file().name().equals("a")));
      assertFalse(faults().isEmpty());
      assertEquals(1, b.value(0));
      assertEquals(List.of("- +a"), refresh(), "what is left of it is served");
      assertFalse(faults().isEmpty());

      MmvWriter.rewrite(image.putLong(MmvWriter.GENERATION1, 9).putLong(16, 9), file);
      refresh();
      assertEquals(1, served.get("a").value(0));
      assertSame(b, served.get("b"));
    }

    /** Compiled code raises the error later than interpreted code does. */
    @Test
    void fileTruncatedToNothingIsWithdrawnByCompiledCodeToo() throws Exception {
      Path file = write("a");
      write("b");
      open();
      for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 5_000; i++) {
          directory.refreshAll();
        }
        assertEquals(Set.of("a", "b"), served.keySet());
        MmvWriter.resize(file, 0);
        assertEquals(List.of("-a +"), refresh(), "round " + round);
        writer("m", 1).rewrite(file);
        assertEquals(List.of("- +a"), refresh(), "round " + round);
      }
      assertEquals(List.of(), faults());
    }

    /** A page could not be read although the file is as long as before, as on a full tmpfs. */
    @Test
    void droppedFileThatLooksSoundIsWithdrawnAndReadAgainAfterASecond() {
      write("a");
      write("b");
      open();
      refresh();
      MmvFile a = served.get("a");
      events.clear();
      events.clear();
      directory.drop(a);
      assertEquals(List.of("-a +"), events);
      assertEquals(
          List.of(
              "a: a page of it can't be read: it is a hole in the file and the file system is full,"
                  + " or the disk fails. No metrics of it are served."),
          faults());
      directory.drop(a);
      assertEquals(List.of(), refresh());
      assertEquals(List.of(), faults());
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      assertEquals(List.of("- +a"), refresh());
      directory.drop(served.get("a"));
      writer("new", 1).write(path, "a");
      assertEquals(List.of("- +a"), refresh());
    }
  }

  @Nested
  class AllFiles {
    private static DirectorySettings otherRules() {
      FileRules rules = new FileRules(List.of(), List.of(), ProcessRule.IGNORE, Optional.empty());
      return new DirectorySettings(Optional.empty(), rules, "", DirectorySettings.DEFAULT.labels());
    }

    /** Not only those that a sweep finds changed at once. */
    @Test
    void newSettingsAreAppliedToHundredsOfFiles() {
      for (int i = 0; i < 300; i++) {
        write("f" + i);
      }
      open();
      refresh();
      Map<String, MmvFile> before = Map.copyOf(served);
      directory.set(List.of(otherRules()));
      directory.refreshAll();
      assertEquals(before.keySet(), served.keySet());
      before.forEach((name, file) -> assertNotSame(file, served.get(name)));
    }

    /** An application may write through its mapping, which changes the times much later. */
    @Test
    void aReloadReadsOnlyFilesWithOtherMetadata() throws IOException {
      Path changed = writer("m", 1).write(path, "changed");
      write("same");
      FileTime time = Files.getLastModifiedTime(changed);
      open();
      refresh();
      Map<String, MmvFile> before = Map.copyOf(served);
      writer("n", 1).rewrite(changed);
      Files.setLastModifiedTime(changed, time);
      directory.reload();
      assertSame(before.get("same"), served.get("same"));
      assertNotSame(before.get("changed"), served.get("changed"));
    }

    @Test
    void closeUnmapsAllFiles() throws IOException {
      write("a");
      write("b");
      open();
      refresh();
      MmvFile a = served.get("a");
      Files.delete(path.resolve("b"));
      directory.close();
      assertThrows(IllegalStateException.class, () -> a.value(0));
      assertThrows(IllegalStateException.class, () -> served.get("b").value(0));
      directory.close();
    }

    @Test
    void severalFilesAreOneWorldWhateverHappensToThem() {
      for (int seed = 0; seed < 20; seed++) {
        try {
          walk(new Random(seed));
        } catch (AssertionError | RuntimeException | IOException e) {
          throw new AssertionError("seed " + seed + ": " + e, e);
        }
      }
    }

    /** What is served after any steps is what a fresh look finds. */
    private void walk(Random random) throws IOException {
      open();
      for (int step = 0; step < 60; step++) {
        Path file = path.resolve("f" + random.nextInt(4));
        MmvWriter writer = writer("m" + random.nextInt(3), step).generation(step + 1);
        if (random.nextInt(4) == 0) {
          writer.cluster(5000);
        }
        boolean there = Files.exists(file);
        switch (random.nextInt(there ? 6 : 1)) {
          case 0 -> writer.write(path, file.getFileName().toString());
          case 1 -> writer.rewrite(file);
          case 2 -> Files.delete(file);
          case 3 -> MmvWriter.resize(file, random.nextInt(800));
          case 4 -> {
            MmvWriter.resize(file, Math.max(40, Files.size(file)));
            MmvWriter.flux(file);
          }
          default -> {
            MmvWriter.resize(file, Math.max(40, Files.size(file)));
            MmvWriter.settle(file, step + 1);
          }
        }
        if (random.nextInt(3) > 0) {
          refresh();
          // a change of size alone shows at a rescan
          Files.delete(Files.write(path.resolve(".rescan"), new byte[0]));
          refresh();
          assertEquals(fresh(), state(served.values()), "step " + step);
        }
      }
      directory.close();
      served.clear();
      for (int i = 0; i < 4; i++) {
        Files.deleteIfExists(path.resolve("f" + i));
      }
    }

    private List<String> fresh() {
      List<String> state = new ArrayList<>();
      try (TestWatcher other =
          new TestWatcher(
              path,
              new Budget(TestWatcher.LIMITS),
              change -> state.addAll(state(change.loaded())),
              System::nanoTime,
              DirectoryWatcher.MAX_ENTRIES)) {
        other.refreshAll();
      }
      return state;
    }

    private static List<String> state(Iterable<MmvFile> files) {
      List<String> state = new ArrayList<>();
      for (MmvFile file : files) {
        state.add(file.name() + " " + Images.describe(file.schema()) + values(file));
      }
      return state;
    }

    private static String values(MmvFile file) {
      StringBuilder values = new StringBuilder();
      for (MmvMetric metric : file.schema().metrics()) {
        for (int i = 0; i < metric.valueCount(); i++) {
          values.append(' ').append(file.value(metric.value(i)));
        }
      }
      return values.toString();
    }
  }

  @Nested
  class Turns {
    private static final int FILES = 1_200; // more than a sweep looks at

    private void writeAll(MmvWriter writer) {
      ByteBuffer image = writer.image();
      for (int i = 0; i < FILES; i++) {
        MmvWriter.write(image.duplicate().order(image.order()), path, "f" + i);
      }
    }

    /**
     * A clock that passes a millisecond at each look, so that each refresh sweeps. No scan hides
     * what a sweep finds.
     */
    private void openWithClock() {
      AtomicLong clock = new AtomicLong();
      directory =
          new TestWatcher(
              path,
              new Budget(
                  TestWatcher.limits(
                      1 << 30, 2 * FILES, FILES, FILES, FILES, FILES, 1000, 4095, 50, 999_999_999)),
              DirectoryWatcherTest.this::merge,
              () -> clock.addAndGet(1_000_000),
              TestWatcher.LATER,
              DirectoryWatcher.MAX_ENTRIES);
    }

    /** The number of refreshes until {@code count} files are served. */
    private int refreshesUntilServed(int count) {
      for (int refreshes = 1; refreshes <= FILES; refreshes++) {
        directory.refresh();
        if (served.size() == count) {
          return refreshes;
        }
      }
      throw new AssertionError(served.size() + " served");
    }

    /** It does not wait for its turn among the sizes and times of the other files. */
    @Test
    void aFileThatWasTooShortIsTakenAtOnce() throws Exception {
      writeAll(writer("m", 1).generation(5));
      Path file = Files.write(path.resolve("f999"), new byte[39]);
      openWithClock();
      refresh();
      assertEquals(FILES - 1, served.size());
      writer("m", 1).generation(5).rewrite(file);
      directory.refresh();
      assertEquals(FILES, served.size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void filesThatAreNotServedAreLookedAtInTurn(boolean areInFlux) throws Exception {
      writeAll(areInFlux ? writer("m", 1).generation(0) : writer("m", 1).cluster(5000));
      openWithClock();
      refresh();
      assertEquals(Set.of(), served.keySet());
      for (int i = 0; i < FILES; i++) {
        writer("m", 1).generation(5).rewrite(path.resolve("f" + i));
      }
      directory.refresh();
      int first = served.size();
      assertTrue(first >= 64 && first <= 2 * 64 + 16, first + " in the first sweep");
      assertEquals(areInFlux, directory.isInFlux());
      assertTrue(refreshesUntilServed(FILES) <= FILES / 64);
      assertFalse(directory.isInFlux());
    }

    @Test
    void fewFilesInFluxAreLookedAtInEverySweep() throws Exception {
      writeAll(writer("m", 1));
      openWithClock();
      refresh();
      for (int i = 0; i < 64; i++) {
        MmvWriter.flux(path.resolve("f" + i * 7));
      }
      directory.refreshAll();
      assertEquals(FILES - 64, served.size());
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 64; i++) {
          MmvWriter.settle(path.resolve("f" + i * 7), 5 + round);
        }
        directory.refresh();
        assertEquals(FILES, served.size());
        for (int i = 0; i < 64; i++) {
          MmvWriter.flux(path.resolve("f" + i * 7));
        }
        directory.refreshAll();
      }
    }

    @Test
    void sizesOfAllFilesAreComparedWhateverTheirNumber() throws Exception {
      int files = 512 + 16; // as many as a sweep looks at
      ByteBuffer image = writer("before", 1).generation(5).image();
      for (int i = 0; i < files; i++) {
        MmvWriter.write(image.duplicate().order(image.order()), path, "f" + i);
      }
      openWithClock();
      refresh();
      for (int i = 0; i < files; i++) {
        writer("after_", 1).generation(5).rewrite(path.resolve("f" + i));
      }
      for (int sweep = 0; sweep < files / 16; sweep++) {
        directory.refresh();
      }
      assertEquals(
          Set.of("after_"),
          served.values().stream().map(file -> metric(file)).collect(Collectors.toSet()));
    }
  }
}
