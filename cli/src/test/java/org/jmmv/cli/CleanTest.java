package org.jmmv.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code jmmv clean} removes, and what it leaves. */
final class CleanTest {
  private static long ended;

  @TempDir private Path directory;

  @BeforeAll
  static void endAProcess() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    ended = process.pid();
  }

  private static MmvWriter writer(int flags, long pid) {
    MmvWriter writer = new MmvWriter(2).flags(flags).pid(pid);
    writer.metric("m", 1, ValueType.U32).value(1);
    return writer;
  }

  private Path write(String name, int flags, long pid) {
    return writer(flags, pid).write(directory, name);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void onlyFilesWhoseProcessHasEndedAreRemoved() throws IOException {
    write("gone", MmvWriter.PROCESS, ended);
    write("negative", MmvWriter.PROCESS | MmvWriter.NOPREFIX, -5);
    write("running", MmvWriter.PROCESS, ProcessHandle.current().pid());
    write("nobodys", MmvWriter.PROCESS, 0);
    write("unflagged", 0, ended);
    write(".hidden", MmvWriter.PROCESS, ended);
    MmvWriter.flux(write("flux", MmvWriter.PROCESS, ended));
    Files.write(directory.resolve("text"), new byte[100]);
    Files.createDirectory(directory.resolve("directory"));
    List<String> before = files();
    String expected = "gone: %s: process " + ended + " has ended\n";

    ToolRun dry = ToolRun.of("clean", "--dry-run", directory);
    assertTrue(dry.out().contains(expected.formatted("would be removed")), dry.out());
    assertTrue(dry.out().endsWith("\n2 files would be removed\n"), dry.out());
    assertEquals(before, files());

    ToolRun run = ToolRun.of("clean", directory);
    assertTrue(run.out().contains(expected.formatted("removed")), run.out());
    assertTrue(run.out().contains("negative: removed: process -5 has ended\n"), run.out());
    assertTrue(run.out().endsWith("\n2 files removed\n"), run.out());
    assertEquals(0, run.status());
    assertEquals(
        before.stream().filter(name -> !name.equals("gone") && !name.equals("negative")).toList(),
        files());
    assertEquals("0 files removed\n", ToolRun.of("clean", directory).out());
  }

  @Test
  void filesThatWereNotWrittenForLongAreRemovedIfThatIsAskedFor() throws IOException {
    Instant hoursAgo = Instant.now().minus(Duration.ofHours(3)).truncatedTo(ChronoUnit.SECONDS);
    for (String name : List.of("old", "open", "running")) {
      int flags = name.equals("running") ? MmvWriter.PROCESS : 0;
      Path file = write(name, flags, ProcessHandle.current().pid());
      Files.setLastModifiedTime(file, FileTime.from(hoursAgo));
    }
    write("new", 0, 0);
    try (FileChannel _ = FileChannel.open(directory.resolve("open"), StandardOpenOption.WRITE)) {
      assertEquals("0 files removed\n", ToolRun.of("clean", directory).out());
      assertEquals("0 files removed\n", ToolRun.of("clean", "--stale=4h", directory).out());
      ToolRun run = ToolRun.of("clean", "--stale", "2h", directory);
      assertTrue(
          run.out()
              .contains(
                  "old: removed: no process has it open for writing, last written "
                      + hoursAgo
                      + "\n"),
          run.out());
    }
    assertEquals(List.of("new", "open"), files());
    assertEquals(2, ToolRun.of("clean", "--stale=1", directory).status());
  }

  @Test
  void aFileOfTheFutureIsKept() throws Exception {
    Path file = write("future", 0, 0);
    Process touch = new ProcessBuilder("touch", "-d", "2300-01-01", file.toString()).start();
    assertEquals(0, touch.waitFor());
    assertEquals("0 files removed\n", ToolRun.of("clean", "--stale=1h", directory).out());
    assertEquals(List.of("future"), files());
  }

  @Test
  void aLinkAndItsTargetAreLeft(@TempDir Path elsewhere) throws IOException {
    Path target = writer(MmvWriter.PROCESS, ended).write(elsewhere, "app");
    Files.createSymbolicLink(directory.resolve("app"), target);
    assertEquals("0 files removed\n", ToolRun.of("clean", directory).out());
    assertEquals(List.of("app"), files());
    assertTrue(Files.exists(target));
  }

  /** A process of another PID namespace has another number there, but the same file open. */
  @Test
  void aFileThatAnyProcessCanWriteToIsKept() throws IOException {
    Path file = write("app", MmvWriter.PROCESS, ended);
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try (channel) {
      channel.map(MapMode.READ_WRITE, 0, 8);
      ToolRun run = ToolRun.of("clean", directory);
      assertTrue(run.out().startsWith("app: kept: process " + ended + " is not found"), run.out());
      assertEquals(0, run.status());
    }
    assertEquals(List.of("app"), files());
  }

  @Test
  void aFileThatReplacesAnEndedOneMeanwhileStays() throws Exception {
    MmvWriter running = writer(MmvWriter.PROCESS, ProcessHandle.current().pid());
    for (int i = 0; i < 200; i++) {
      write("app", MmvWriter.PROCESS, ended);
      Thread cleaning = Thread.ofPlatform().start(() -> ToolRun.of("clean", directory));
      Thread.sleep(0, i % 20 * 50_000);
      running.write(directory, "app");
      cleaning.join();
      assertEquals(List.of("app"), files(), "round " + i);
    }
  }

  @Test
  void whatAKilledRunHasLeftIsRemoved() throws IOException {
    write(".jmmv-clean-1", MmvWriter.PROCESS, ended);
    write(".jmmv-clean-2", MmvWriter.PROCESS, ProcessHandle.current().pid());
    write(".other", MmvWriter.PROCESS, ended);
    ToolRun run = ToolRun.of("clean", directory);
    assertTrue(run.out().startsWith(".jmmv-clean-1: removed: "), run.out());
    assertTrue(run.out().endsWith("\n1 file removed\n"), run.out());
    assertEquals(List.of(".jmmv-clean-2", ".other"), files());
  }

  @Test
  void nobodyCanTakeTheHiddenName() throws IOException {
    Files.createDirectory(directory.resolve(".jmmv-clean-" + ProcessHandle.current().pid()));
    write("app", MmvWriter.PROCESS, ended);
    ToolRun run = ToolRun.of("clean", directory);
    assertTrue(run.out().endsWith("\n1 file removed\n"), run.out());
    assertEquals(0, run.status());
  }

  @Test
  void aNameIsAnyBytes() throws Exception {
    write("app", MmvWriter.PROCESS, ended);
    Process rename =
        new ProcessBuilder("sh", "-c", "mv app \"$(printf 'a\\377\\001b')\"")
            .directory(directory.toFile())
            .start();
    assertEquals(0, rename.waitFor());
    ToolRun run = ToolRun.of("clean", directory);
    assertTrue(run.out().startsWith("a\\xff\\x01b: removed: "), run.out());
    assertEquals(0, run.status());
    assertEquals(List.of(), files());
  }

  @Test
  void allOfManyFilesAreRemoved() throws IOException {
    for (int i = 0; i < 2_500; i++) {
      write("app" + i, MmvWriter.PROCESS, ended);
    }
    ToolRun run = ToolRun.of("clean", directory);
    assertTrue(run.out().endsWith("\n2500 files removed\n"), run.out());
    assertEquals(List.of(), files());
  }

  @Test
  void aDirectoryThatCannotBeReadIsReported() throws IOException {
    ToolRun run = ToolRun.of("clean", directory.resolve("none"));
    assertEquals("jmmv: " + directory + "/none: No such file or directory\n", run.err());
    assertEquals(2, run.status());
    Path file = write("app", MmvWriter.PROCESS, ended);
    assertEquals("jmmv: " + file + ": Not a directory\n", ToolRun.of("clean", file).err());
    assertFalse(files().isEmpty());
  }
}
