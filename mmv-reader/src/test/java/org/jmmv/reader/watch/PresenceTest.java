package org.jmmv.reader.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jmmv.pcp.ValueType;
import org.jmmv.posix.OpenForWriting;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files whose applications come and go. The kernel is really asked; only the clocks are the test's.
 */
class PresenceTest {
  private static final int NO_PROCESS = 0x7fffffff; // larger than the ID of any process
  private static final int THIS_PROCESS = (int) ProcessHandle.current().pid();
  private static final long SECOND = 1_000_000_000;

  @TempDir Path path;
  private final TreeSet<String> served = new TreeSet<>();
  private final Instant start = Instant.now();
  private long nanos;
  private long nanosPerReading; // for which each reading of the clock stops a test
  private TestWatcher directory;

  @AfterEach
  void close() {
    directory.close();
  }

  private void merge(Change change) {
    change.withdrawn().forEach(file -> served.remove(file.name()));
    change.loaded().forEach(file -> served.add(file.name()));
  }

  private void serve(ProcessRule process, Optional<Duration> staleAfter) {
    directory =
        new TestWatcher(
            path,
            new Budget(TestWatcher.LIMITS),
            this::merge,
            () -> nanos += nanosPerReading,
            () -> start.plusNanos(nanos),
            DirectoryWatcher.MAX_ENTRIES);
    set(process, staleAfter);
    directory.load();
  }

  private void set(ProcessRule process, Optional<Duration> staleAfter) {
    FileRules rules = new FileRules(List.of(), List.of(), process, staleAfter);
    directory.set(
        List.of(
            new DirectorySettings(
                Optional.empty(), rules, "", DirectorySettings.DEFAULT.labels())));
  }

  private static MmvWriter image(int flags, int process) {
    MmvWriter writer = new MmvWriter(1).flags(flags).pid(process);
    writer.metric("m", 1, ValueType.I64).value(1);
    return writer;
  }

  private void write(String name, int flags, int process) {
    image(flags, process).write(path, name);
  }

  /** Opens a file as its application does. */
  private FileChannel open(String name) throws IOException {
    return FileChannel.open(path.resolve(name), StandardOpenOption.WRITE);
  }

  /** Lets time pass, with a request twice a second as under pmcd. */
  private String servedAfter(int seconds) {
    for (int i = 0; i < 2 * seconds; i++) {
      nanos += SECOND / 2;
      directory.refresh();
    }
    return String.join(" ", served);
  }

  private EntryStatus status() {
    return directory.statuses(1).getFirst();
  }

  @Test
  void anApplicationOfAnotherNamespaceIsServedWhileItHasTheFileOpen() throws Exception {
    write("app", MmvWriter.PROCESS, NO_PROCESS);
    try (FileChannel _ = open("app")) {
      serve(ProcessRule.AUTO, Optional.empty());
      assertEquals("[app]", served.toString());
      assertEquals("app", servedAfter(120));
      assertEquals(OpenForWriting.YES, status().writer());
    }
    assertEquals("", servedAfter(3));
    assertEquals(FileState.PROCESS_ENDED, status().state());
    try (FileChannel _ = open("app")) {
      assertEquals("app", servedAfter(61));
    }
  }

  @Test
  void theFirstRequestAfterAPauseSeesTheEndOfApplications() throws Exception {
    List<FileChannel> open = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      write("app" + i, MmvWriter.PROCESS, NO_PROCESS);
      open.add(open("app" + i));
    }
    serve(ProcessRule.AUTO, Optional.empty());
    assertEquals(300, served.size());
    for (FileChannel file : open) {
      file.close();
    }
    nanos += 60 * SECOND;
    directory.refresh();
    assertEquals("[]", served.toString());
  }

  @Test
  void aMappingCountsWithoutADescriptor() throws Exception {
    write("app", MmvWriter.PROCESS, NO_PROCESS);
    try (Arena arena = Arena.ofConfined()) {
      try (FileChannel file =
          FileChannel.open(
              path.resolve("app"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        file.map(FileChannel.MapMode.READ_WRITE, 0, file.size(), arena);
      }
      serve(ProcessRule.AUTO, Optional.empty());
      assertEquals("app", servedAfter(10));
    }
    assertEquals("", servedAfter(3));
  }

  @Test
  void whenTheApplicationHasEndedAnotherProcessWithItsNumberDoesNotCount() throws Exception {
    write("app", MmvWriter.PROCESS, THIS_PROCESS);
    try (FileChannel _ = open("app")) {
      serve(ProcessRule.AUTO, Optional.empty());
      assertEquals("app", servedAfter(5));
    }
    assertEquals("", servedAfter(3));
  }

  @Test
  void aFileThatNobodyWasSeenToHaveOpenIsJudgedByItsProcess() {
    write("copy", MmvWriter.PROCESS, THIS_PROCESS);
    write("left", MmvWriter.PROCESS, NO_PROCESS);
    serve(ProcessRule.AUTO, Optional.empty());
    assertEquals("copy", servedAfter(120));
    assertEquals(OpenForWriting.NO, status().writer());
  }

  @Test
  void theEndOfAProcessThatHadTheFileOpenIsSeenAtOnce() throws Exception {
    Process process = new ProcessBuilder("sleep", "1000").start();
    write("app", MmvWriter.PROCESS, (int) process.pid());
    try (FileChannel _ = open("app")) { // as a child of it may have
      serve(ProcessRule.AUTO, Optional.empty());
      assertEquals("app", servedAfter(5));
      process.destroyForcibly().waitFor();
      nanos += SECOND / 100;
      directory.refresh();
      assertEquals("[]", served.toString());
      assertEquals("app", servedAfter(3)); // but the child goes on
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aNewRunOfTheApplicationIsServedAtOnce() throws Exception {
    write("app", MmvWriter.PROCESS, THIS_PROCESS);
    try (FileChannel _ = open("app")) {
      serve(ProcessRule.AUTO, Optional.empty());
      servedAfter(5);
    }
    assertEquals("", servedAfter(3));
    Files.delete(path.resolve("app"));
    write("app", MmvWriter.PROCESS, THIS_PROCESS);
    assertEquals("app", servedAfter(1));
  }

  @Test
  void aNewRunInTheSameFileWithTheSameGenerationIsServedAtOnce() throws Exception {
    write("app", MmvWriter.PROCESS, THIS_PROCESS);
    try (FileChannel _ = open("app")) {
      serve(ProcessRule.AUTO, Optional.empty());
      servedAfter(5);
    }
    assertEquals("", servedAfter(3));
    int other = (int) ProcessHandle.current().parent().orElseThrow().pid();
    ByteBuffer image = image(MmvWriter.PROCESS, other).image();
    try (FileChannel file = open("app")) {
      file.write(image);
    }
    nanos += SECOND;
    directory.refreshAll();
    assertEquals("[app]", served.toString());
  }

  @Test
  void eachRuleDecidesByWhatItIsNamedAfter() throws Exception {
    write("a", MmvWriter.PROCESS, THIS_PROCESS); // process only
    write("b", MmvWriter.PROCESS, NO_PROCESS); // open only
    write("c", MmvWriter.PROCESS, NO_PROCESS);
    write("d", 0, NO_PROCESS);
    try (FileChannel _ = open("b")) {
      serve(ProcessRule.PID, Optional.empty());
      assertEquals("a d", servedAfter(5));
      directory.close();
      served.clear();
      serve(ProcessRule.OPEN, Optional.empty());
      assertEquals("b d", servedAfter(5));
      directory.close();
      served.clear();
      serve(ProcessRule.IGNORE, Optional.empty());
      assertEquals("a b c d", servedAfter(5));
    }
  }

  @Test
  void aStaleFileIsWithdrawnWhateverItsFlags() throws Exception {
    write("app", 0, 0);
    Files.setLastModifiedTime(path.resolve("app"), FileTime.from(start.minusSeconds(1000)));
    try (FileChannel _ = open("app")) {
      serve(ProcessRule.AUTO, Optional.of(Duration.ofSeconds(30)));
      assertEquals("app", servedAfter(120));
    }
    assertEquals("app", servedAfter(20));
    assertEquals("", servedAfter(20));
    assertEquals(FileState.STALE, status().state());
    assertEquals(
        "no process has it open for writing, last written "
            + start.minusSeconds(1000).truncatedTo(ChronoUnit.SECONDS),
        status().reason().split("\\. ", -1)[0]);
    try (FileChannel _ = open("app")) {
      assertEquals("app", servedAfter(61));
    }
  }

  /** Nobody asks the kernel any more then. */
  @Test
  void aStaleFileIsServedWhenTheSettingsDoNotAskForThatAnyMore() throws Exception {
    write("app", 0, 0);
    Files.setLastModifiedTime(path.resolve("app"), FileTime.from(start.minusSeconds(1000)));
    serve(ProcessRule.PID, Optional.of(Duration.ofSeconds(1)));
    assertEquals("", servedAfter(100));
    assertEquals(OpenForWriting.NO, status().writer());
    set(ProcessRule.PID, Optional.empty());
    assertEquals("app", servedAfter(1));
    assertEquals(OpenForWriting.UNKNOWN, status().writer());
  }

  /** Years before 1677 and after 2262 have no number of nanoseconds of 64 bits. */
  @Test
  void aFileOfTheFutureIsNotStaleAndOneOfThePastIs() throws Exception {
    write("future", 0, 0);
    write("past", 0, 0);
    touch(path.resolve("future"), "2400-01-01");
    touch(path.resolve("past"), "1902-01-01");
    serve(ProcessRule.AUTO, Optional.of(Duration.ofSeconds(30)));
    assertEquals("future", servedAfter(20));
  }

  private static void touch(Path file, String date) throws Exception {
    assertEquals(0, new ProcessBuilder("touch", "-d", date, file.toString()).start().waitFor());
  }

  @Test
  void aFileThatIsWrittenIsNotStale() throws Exception {
    write("app", 0, 0);
    serve(ProcessRule.AUTO, Optional.of(Duration.ofSeconds(30)));
    for (int i = 0; i < 10; i++) {
      Files.setLastModifiedTime(path.resolve("app"), FileTime.from(start.plusNanos(nanos)));
      assertEquals("app", servedAfter(20));
    }
    assertEquals("", servedAfter(40));
  }

  @Test
  void aRequestAsksForTenMillisecondsAndLaterOnesAboutTheRest() throws Exception {
    for (int i = 0; i < 100; i++) {
      write("app" + i, MmvWriter.PROCESS, THIS_PROCESS);
    }
    serve(ProcessRule.PID, Optional.empty());
    set(ProcessRule.OPEN, Optional.empty());
    directory.refresh();
    assertEquals(100, served.size());
    Files.createDirectory(path.resolve("directory")); // so that a scan comes before the questions
    nanos += 60 * SECOND;
    nanosPerReading = SECOND / 1000;
    directory.refresh();
    nanosPerReading = 0;
    directory.catchUp(SECOND);
    assertTrue(served.size() > 80 && served.size() < 95, served::toString);
    assertEquals("", servedAfter(10));
  }
}
