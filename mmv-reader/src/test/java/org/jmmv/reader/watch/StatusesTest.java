package org.jmmv.reader.watch;

import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a directory tells about its entries. */
class StatusesTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @TempDir Path path;
  private final Limits limits =
      TestWatcher.limits(100_000, 100, 100, 100, 100, 100, 100, 4095, 100, 400);
  private long nanos;
  private long tick; // between two looks at the clock
  private Instant now = Instant.ofEpochSecond(1_000);
  private final List<Fault> faults = new ArrayList<>();
  private TestWatcher directory;

  private void merge(Change change) {
    faults.addAll(change.faults());
    change.loaded().forEach(file -> directory.record(file, file.schema().faults()));
  }

  private void open(int maxEntries) {
    directory =
        new TestWatcher(
            path, new Budget(limits), this::merge, () -> nanos += tick, () -> now, maxEntries);
    directory.refreshAll();
  }

  @AfterEach
  void close() {
    directory.close();
  }

  private Map<String, EntryStatus> statuses() {
    return directory.statuses(Integer.MAX_VALUE).stream()
        .collect(toMap(status -> status.name().toString(), Function.identity()));
  }

  private EntryStatus status(String name) {
    return statuses().get(name);
  }

  private static MmvWriter sound() {
    MmvWriter writer = new MmvWriter(2);
    writer.metric("m", 1, ValueType.I64).value(1);
    return writer;
  }

  private void assertStatus(FileState state, String reason, String name) {
    EntryStatus status = status(name);
    assertEquals(state + ": " + reason, status.state() + ": " + status.reason(), name);
  }

  @Test
  void everyEntryHasAStateAndAReason() throws Exception {
    sound().write(path, "sound");
    MmvWriter.flux(sound().write(path, "flux"));
    Files.write(path.resolve("short"), new byte[10]);
    Files.writeString(path.resolve("text"), "x".repeat(100));
    long pid = new ProcessBuilder("true").start().onExit().get().pid();
    sound().flags(MmvWriter.PROCESS).pid(pid).write(path, "ended");
    Files.write(path.resolve("large"), new byte[100_001]);
    for (int i = 0; i < 9; i++) {
      Files.createSymbolicLink(path.resolve("link" + i), Path.of("linked"));
    }
    sound().write(path, "linked");
    sound().write(path, ".dot");
    Files.createDirectory(path.resolve("directory"));
    Files.createSymbolicLink(path.resolve("toDirectory"), Path.of("directory"));
    assertEquals(
        0, new ProcessBuilder("mkfifo", path.resolve("fifo").toString()).start().waitFor());
    Files.createSymbolicLink(path.resolve("device"), Path.of("/dev/null"));
    Files.createSymbolicLink(path.resolve("dangling"), Path.of("nothing"));
    Files.createSymbolicLink(path.resolve("loop"), Path.of("loop"));
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(path.resolve("socket")));
      open(100);
    }

    assertEquals(24, statuses().size());
    assertStatus(FileState.SERVED, "", "sound");
    assertStatus(
        FileState.IN_FLUX,
        "its application is writing it: its generations differ or are 0",
        "flux");
    assertStatus(
        FileState.TOO_SHORT,
        "too short for a header; its application may be about to write it",
        "short");
    assertStatus(
        FileState.PROCESS_ENDED,
        "it has the PROCESS flag, and its process " + pid + " has ended",
        "ended");
    assertEquals(FileState.REFUSED, status("text").state());
    assertTrue(status("text").reason().contains("not an MMV file"), status("text")::reason);
    assertStatus(
        FileState.OVER_LIMIT,
        "can't be opened: it has 100001 bytes, the limit is 100000 (--max-file-size)."
            + " No metrics of it are served.",
        "large");
    assertStatus(FileState.HIDDEN, "its name begins with a dot", ".dot");
    String directoryReason = "a directory, or a symbolic link to one, not a regular file";
    assertStatus(FileState.DIRECTORY, directoryReason, "directory");
    assertStatus(FileState.DIRECTORY, directoryReason, "toDirectory");
    assertStatus(FileState.FIFO, "a FIFO, or a symbolic link to one, not a regular file", "fifo");
    assertStatus(
        FileState.SOCKET, "a socket, or a symbolic link to one, not a regular file", "socket");
    assertStatus(
        FileState.DEVICE, "a device, or a symbolic link to one, not a regular file", "device");
    String dangling = "a symbolic link whose target does not exist or can't be reached";
    assertStatus(FileState.DANGLING, dangling, "dangling");
    assertStatus(FileState.DANGLING, dangling, "loop");
    List<String> named = faults.stream().map(fault -> fault.place().file().name()).toList();
    assertTrue(named.stream().allMatch(name -> name.matches("text|large")), named::toString);
    Files.delete(path.resolve("device")); // JUnit would warn of a link to outside
  }

  @Test
  void headersAreThoseOfMmvFilesOnly() throws Exception {
    sound().pid(77).generation(5).write(path, "sound");
    MmvWriter.flux(sound().pid(78).write(path, "flux"));
    Files.writeString(path.resolve("secret"), "secret ".repeat(100));
    open(100);
    assertEquals(2, status("sound").header().version());
    assertEquals(77, status("sound").header().pid());
    assertEquals(78, status("flux").header().pid());
    assertNull(status("secret").header(), "it could be a link to what only the agent may read");
    assertEquals("sound", status("sound").file().name());
    assertNull(status("flux").file());
  }

  @Test
  void theNumbersOfStatesStayBecauseArchivesHaveThem() {
    open(100);
    assertEquals(
        List.of(0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 20, 21, 22, 23, 24, 25, 26),
        Arrays.stream(FileState.values()).map(FileState::number).toList());
    assertEquals("in flux", FileState.IN_FLUX.toString());
  }

  @Test
  void faultsAreCountedWithTheFirstAndTheLastTime() throws Exception {
    Path file = write("app", "?".repeat(100));
    open(100);
    assertFault(1, 1_000, 1_000);

    now = Instant.ofEpochSecond(2_000);
    nanos += 2 * SECOND;
    directory.refreshAll();
    assertFault(1, 1_000, 1_000); // not read again

    write("app", "?".repeat(101));
    nanos += 2 * SECOND;
    directory.refreshAll();
    assertFault(2, 1_000, 2_000); // the same fault, which the log does not repeat
    assertEquals(2, status("app").loads());

    now = Instant.ofEpochSecond(3_000);
    sound().write(path, "app");
    nanos += 2 * SECOND;
    directory.refreshAll();
    assertEquals(2, status("app").faultCount());
    assertStatus(FileState.SERVED, "", "app");
    assertEquals(List.of(), status("app").faults());

    Files.delete(file);
    directory.refreshAll();
    assertEquals(Map.of(), statuses());
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(path.resolve(name), content);
  }

  private void assertFault(long count, long first, long last) {
    EntryStatus status = status("app");
    CountedFault fault = status.counted().getFirst();
    assertEquals(
        List.of(1, count, first, last),
        List.of(
            status.counted().size(),
            fault.count(),
            fault.first().getEpochSecond(),
            fault.last().getEpochSecond()));
    assertEquals(count, status.faultCount());
  }

  @Test
  void eachFaultOfAFileCounts() {
    MmvWriter writer = sound();
    for (int i = 0; i < 3; i++) {
      writer.metric("not valid " + i, 2 + i, ValueType.I64).value(1);
    }
    writer.write(path, "app");
    open(100);
    EntryStatus status = status("app");
    assertEquals(FileState.SERVED, status.state());
    assertEquals(3, status.faultCount());
    assertEquals(1, status.faults().size(), "of one kind");
    assertTrue(status.reason().startsWith("metric[1] at "), status::reason);
    assertTrue(status.reason().endsWith("(and 2 more like it)"), status::reason);
  }

  @Test
  void faultsThatAreGoneStillCountByTheirKinds() throws Exception {
    write("app", "?".repeat(100));
    open(100);
    MmvWriter.flux(sound().write(path, "app"));
    nanos += 2 * SECOND;
    directory.refreshAll();
    nanos += 5 * SECOND;
    directory.refreshAll();
    sound().write(path, "app");
    nanos += 2 * SECOND;
    directory.refreshAll();
    write("app", "?".repeat(101));
    nanos += 2 * SECOND;
    directory.refreshAll();
    assertEquals(
        Map.of(FaultKind.NOT_MMV, 2L, FaultKind.STAYS_IN_FLUX, 1L), status("app").faultCounts());
    assertEquals(3, status("app").faultCount());
  }

  @Test
  void theTimeOfAFileIsKnownFromItsFirstReadingOnAlsoWhileItWaitsForAnother() throws Exception {
    Path file = sound().write(path, "app");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
    open(100);
    assertEquals(Instant.ofEpochSecond(1), status("app").modified());
    directory.watcher.reload(); // nothing is read yet
    assertEquals(Instant.ofEpochSecond(1), status("app").modified());
    Files.setLastModifiedTime(file, FileTime.fromMillis(5_000));
    directory.refreshAll();
    assertEquals(Instant.ofEpochSecond(5), status("app").modified());
    sound().write(path, ".hidden");
    directory.refreshAll();
    assertNull(status(".hidden").modified());
  }

  @Test
  void aFileIsASuccessorIfOneOfItsNameWasServedAndRemovedBefore() throws Exception {
    Path file = sound().write(path, "app");
    Path text = Files.writeString(path.resolve("text"), "x".repeat(100));
    open(100);
    assertFalse(status("app").isSuccessor());
    Files.delete(file);
    Files.delete(text);
    directory.refreshAll();
    assertEquals(Map.of(), statuses());
    sound().write(path, "app");
    sound().write(path, "text");
    directory.refreshAll();
    assertTrue(status("app").isSuccessor());
    assertFalse(status("text").isSuccessor(), "none was served");
    sound().write(path, "text");
    directory.refreshAll();
    assertTrue(status("text").isSuccessor());
  }

  @Test
  void loadsTakeTime() {
    sound().write(path, "app");
    tick = 1_000;
    open(100);
    assertEquals(1, status("app").loads());
    assertTrue(directory.time.totalNanos() > 0);
  }

  @Test
  void servedFilesComeFirstAndSkippedEntriesLast() throws Exception {
    Files.createSymbolicLink(path.resolve("a"), Path.of("nothing"));
    write("b", "?".repeat(100));
    sound().write(path, "c");
    open(100);
    assertEquals(
        List.of("c", "b", "a"),
        directory.statuses(3).stream().map(status -> status.name().name()).toList());
    assertEquals(
        List.of("c", "b"),
        directory.statuses(2).stream().map(status -> status.name().name()).toList());
    assertEquals(
        List.of("c"), directory.statuses(1).stream().map(status -> status.name().name()).toList());
  }

  @Test
  void thereAreAtMostAThousandSkippedEntries() throws Exception {
    for (int i = 0; i < 1_010; i++) {
      Files.createSymbolicLink(path.resolve("dangling" + i), Path.of("nothing"));
    }
    sound().write(path, "sound");
    open(100_000);
    assertEquals(1_001, statuses().size());
    assertEquals(FileState.SERVED, status("sound").state());
  }

  @Test
  void noMoreEntriesAreReadThanByAScan() throws Exception {
    for (int i = 0; i < 100; i++) {
      Files.createSymbolicLink(path.resolve("dangling" + i), Path.of("nothing"));
    }
    open(50);
    assertTrue(statuses().size() <= 50, () -> statuses().size() + " entries");
  }

  @Test
  void aLinkThatHasGotATargetWaits() throws Exception {
    Files.createSymbolicLink(path.resolve("link"), Path.of("../" + path.getFileName() + "x"));
    open(100);
    assertStatus(
        FileState.DANGLING,
        "a symbolic link whose target does not exist or can't be reached",
        "link");
    Path target = path.resolveSibling(path.getFileName() + "x");
    try {
      MmvWriter.write(ByteBuffer.allocate(100), target.getParent(), target.getFileName() + "");
      assertEquals(FileState.WAITING, status("link").state());
    } finally {
      Files.delete(target);
    }
  }

  /** Stores through a mapping change the time each time that the kernel has written the page. */
  @Test
  void storedValuesAreNoLoads() throws IOException {
    Path file = sound().write(path, "a");
    open(100);
    for (int i = 0; i < 3; i++) {
      Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L + i));
      nanos += SECOND;
      directory.refresh();
    }
    assertEquals(1, status("a").loads());

    MmvWriter other = new MmvWriter(2);
    other.metric("n", 1, ValueType.I64).value(1);
    other.rewrite(file); // with the same size and generation
    nanos += SECOND;
    directory.refresh();
    assertEquals(2, status("a").loads());
    assertEquals("n", status("a").file().schema().metrics().getFirst().name());
  }
}
