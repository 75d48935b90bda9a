package org.jmmv.posix;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PosixDirectoryTest {
  @TempDir Path directory;
  private PosixDirectory posix;

  @BeforeEach
  void openDirectory() {
    posix = at(directory.toString());
  }

  private static PosixDirectory at(String directory) {
    return new PosixDirectory(Path.of(directory));
  }

  private static void run(String... command) throws Exception {
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
  }

  @Test
  void statusIsThatOfTheFile() throws Exception {
    Path file = Files.write(directory.resolve("file"), new byte[1234]);
    Files.setLastModifiedTime(
        file, FileTime.from(Instant.ofEpochSecond(1_700_000_000, 123_456_789)));
    FileStatus status = posix.status("file");
    assertEquals(1234, status.size());
    assertEquals(Files.getAttribute(file, "unix:ino"), status.inode());
    assertEquals(Files.getAttribute(file, "unix:mode"), status.mode() & 0xffff);
    assertEquals(1_700_000_000, status.modified());
    assertEquals(123_456_789, status.modifiedNanos());
    assertTrue(status.isRegular());
    assertEquals(status, posix.status("file"));
  }

  /** File systems permit different times: what they have stored counts, as stat(1) prints it. */
  @ParameterizedTest
  @ValueSource(longs = {-3_000_000_000L, -1, 0, 10_413_792_000L, Long.MIN_VALUE, Long.MAX_VALUE})
  void aFileMayHaveAnyTime(long time) throws Exception {
    for (Path place : List.of(directory, Path.of("/dev/shm"))) {
      Path file = Files.createTempFile(place, "jmmv", "");
      try {
        run("touch", "-d", "@" + time, file.toString());
        Process stat = new ProcessBuilder("stat", "-c", "%Y", file.toString()).start();
        long stored =
            Long.parseLong(new String(stat.getInputStream().readAllBytes(), UTF_8).trim());
        PosixDirectory parent = at(place.toString());
        FileStatus status = parent.status(PosixDirectory.nameOf(file));
        assertEquals(stored, status.modified());
        assertEquals(
            Math.clamp(stored, Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()),
            status.modifiedTime().getEpochSecond());
        assertTrue(parent.hasStatus(PosixDirectory.nameOf(file), status));
      } finally {
        Files.delete(file);
      }
    }
  }

  @Test
  void theKernelTellsWhetherAFileIsOpenForWriting() throws Exception {
    Path file = Files.write(directory.resolve("file"), new byte[1]);
    FileStatus status = posix.status("file");
    assertEquals(OpenForWriting.NO, posix.openForWriting("file", status));
    try (FileChannel _ = FileChannel.open(file, StandardOpenOption.READ)) {
      assertEquals(OpenForWriting.NO, posix.openForWriting("file", status));
    }
    try (FileChannel _ = FileChannel.open(file, StandardOpenOption.WRITE)) {
      assertEquals(OpenForWriting.YES, posix.openForWriting("file", status));
    }
    Files.move(Files.write(directory.resolve("next"), new byte[1]), file, REPLACE_EXISTING);
    assertEquals(OpenForWriting.UNKNOWN, posix.openForWriting("file", status), "another file");
    Files.delete(file);
    assertThrows(PosixException.class, () -> posix.openForWriting("file", status));
  }

  /** /proc has neither leases nor writers that are known. */
  @Test
  void aFileSystemThatDoesNotKnowGivesNoAnswer() throws Exception {
    PosixDirectory proc = at("/proc");
    assertEquals(OpenForWriting.UNKNOWN, proc.openForWriting("version", proc.status("version")));
  }

  /** Its opening breaks the lease: SIGIO, if it were sent, would end this process. */
  @Test
  void aWriterThatComesMeanwhileEndsNobodyAndIsNotStopped() throws Exception {
    Path file = Files.write(directory.resolve("file"), new byte[1]);
    FileStatus status = posix.status("file");
    AtomicBoolean isOver = new AtomicBoolean();
    Thread asking =
        Thread.ofPlatform()
            .start(() -> {
              while (!isOver.get()) {
                try {
                  posix.openForWriting("file", status);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              }
            });
    for (int i = 0; i < 20_000; i++) {
      FileChannel.open(file, StandardOpenOption.WRITE).close();
    }
    isOver.set(true);
    asking.join();
  }

  @Test
  void whatHasChangedHasAnotherStatus() throws Exception {
    Path file = Files.write(directory.resolve("file"), new byte[1]);
    FileStatus status = posix.status("file");
    assertTrue(posix.hasStatus("file", status));
    assertFalse(posix.hasStatus("file", null));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
    assertFalse(posix.hasStatus("file", status));
    Files.write(directory.resolve("new"), new byte[1]);
    assertFalse(posix.hasStatus("new", status));
    Files.delete(file);
    assertFalse(posix.hasStatus("file", status));
    assertTrue(posix.hasStatus("file", null));
  }

  @Test
  void directoryItselfHasNoName() throws Exception {
    assertEquals(Files.getAttribute(directory, "unix:ino"), posix.status("").inode());
    assertNull(at(directory + "/missing").status(""));
  }

  @Test
  void statusFollowsLinks() throws Exception {
    Files.write(directory.resolve("file"), new byte[1]);
    Files.createSymbolicLink(directory.resolve("link"), Path.of("file"));
    assertEquals(posix.status("file"), posix.status("link"));
  }

  @Test
  void otherFilesAreNotRegular() throws Exception {
    run("mkfifo", directory.resolve("fifo").toString());
    assertFalse(posix.status("fifo").isRegular());
    assertFalse(posix.status(".").isRegular());
    assertFalse(at("/dev").status("null").isRegular());
  }

  @Test
  void thereIsNoStatusOfWhatIsNotThere() throws Exception {
    Files.createSymbolicLink(directory.resolve("dangling"), Path.of("nowhere"));
    Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
    assertNull(posix.status("missing"));
    assertNull(posix.status("dangling"));
    assertNull(posix.status("loop"));
    assertNull(at(directory + "/x".repeat(3000)).status("missing"));
  }

  @Test
  void mappingShowsTheFileAsItIs() throws Exception {
    Path file = Files.write(directory.resolve("file"), new byte[] {1, 2, 3});
    try (MappedFile mapping = posix.map("file", 1 << 20)) {
      assertEquals(3, mapping.status().size());
      assertEquals(3, mapping.bytes().capacity());
      assertEquals(posix.status("file"), mapping.status());
      assertEquals(2, mapping.bytes().get(1));
      Files.write(file, new byte[] {4, 5, 6});
      assertEquals(5, mapping.bytes().get(1));
      assertTrue(mapping.bytes().isReadOnly());
    }
  }

  @Test
  void closedMappingCannotBeRead() throws Exception {
    Files.write(directory.resolve("file"), new byte[100]);
    MappedFile mapping = posix.map("file", 1 << 20);
    mapping.close();
    assertThrows(IllegalStateException.class, () -> mapping.bytes().get(0));
  }

  @Test
  void mappingsAndDescriptorsDoNotPileUp() throws Exception {
    Files.write(directory.resolve("file"), new byte[100]);
    long descriptors = count("/proc/self/fd");
    for (int i = 0; i < 70_000; i++) { // the kernel's limit for mappings is 65,530
      posix.map("file", 1 << 20).close();
    }
    assertEquals(descriptors, count("/proc/self/fd"));
  }

  private static long count(String directory) throws IOException {
    try (var files = Files.list(Path.of(directory))) {
      return files.count();
    }
  }

  @Test
  void emptyFileHasAMappingOfNothing() throws Exception {
    Files.write(directory.resolve("file"), new byte[0]);
    try (MappedFile mapping = posix.map("file", 1 << 20)) {
      assertEquals(0, mapping.status().size());
      assertEquals(0, mapping.bytes().capacity());
    }
  }

  @Test
  void openingAFifoDoesNotWait() throws Exception {
    run("mkfifo", directory.resolve("fifo").toString());
    assertEquals(
        "not a regular file",
        assertThrows(IOException.class, () -> posix.map("fifo", 1 << 20)).getMessage());
  }

  /** To open a device may have effects; to open a FIFO ends the wait of its writer. */
  @Test
  void whatIsNoFileIsNotOpened() throws Exception {
    Path fifo = directory.resolve("fifo");
    run("mkfifo", fifo.toString());
    FileStatus status = posix.status("fifo");
    Process writer = new ProcessBuilder("sh", "-c", "echo x >'" + fifo + "'").start();
    try {
      for (int i = 0; i < 300; i++) {
        assertThrows(IOException.class, () -> posix.map("fifo", 1 << 20));
        assertThrows(IOException.class, () -> posix.openForWriting("fifo", status));
        assertFalse(writer.waitFor(1, TimeUnit.MILLISECONDS), "it has been read");
      }
    } finally {
      writer.destroyForcibly().waitFor();
    }
  }

  @Test
  void whatIsNoFileCannotBeMapped() {
    assertEquals(
        "not a regular file",
        assertThrows(IOException.class, () -> posix.map(".", 1 << 20)).getMessage());
    assertEquals(
        "not a regular file",
        assertThrows(IOException.class, () -> at("/dev").map("zero", 1 << 20)).getMessage());
    assertEquals(
        "No such file or directory",
        assertThrows(IOException.class, () -> posix.map("missing", 1 << 20)).getMessage());
  }

  @Test
  void listHoldsAllNamesWithTheirStatusButTheDirectoryAndItsParent() throws Exception {
    Files.write(directory.resolve("a"), new byte[7]);
    Files.write(directory.resolve(".b"), new byte[0]);
    Files.write(directory.resolve("..."), new byte[0]);
    Files.createDirectory(directory.resolve("c"));
    Files.createSymbolicLink(directory.resolve("d"), Path.of("nothing"));
    Files.createSymbolicLink(directory.resolve("e"), Path.of("a"));
    Files.write(directory.resolve("n".repeat(255)), new byte[0]);
    Map<String, FileStatus> found = new HashMap<>();
    long end =
        posix.list(
            0,
            entry -> {
              found.put(entry.name(), entry.status());
              assertEquals(
                  entry.name().equals("a") || entry.name().length() > 1, entry.isRegular());
              assertEquals(entry.name().startsWith("."), entry.isHidden());
              if (entry.isRegular()) {
                assertEquals(entry.status().inode(), entry.inode());
              }
              return true;
            });
    assertEquals(-1, end);
    assertEquals(Set.of("a", ".b", "...", "c", "d", "e", "n".repeat(255)), found.keySet());
    assertEquals(posix.status("a"), found.get("a"));
    assertEquals(7, found.get("a").size());
    assertFalse(found.get("c").isRegular());
    assertNull(found.get("d"));
    assertEquals(found.get("a"), found.get("e"));
  }

  @Test
  void listEndsWhenTheVisitorSaysSoAndGoesOnFromThere() throws Exception {
    for (int i = 0; i < 10; i++) {
      Files.write(directory.resolve("f" + i), new byte[0]);
    }
    List<String> names = new ArrayList<>();
    long position =
        posix.list(
            0,
            entry -> {
              names.add(entry.name());
              return names.size() < 4;
            });
    assertEquals(4, names.size());
    assertEquals(-1, posix.list(position, entry -> names.add(entry.name())));
    assertEquals(10, Set.copyOf(names).size(), "the next entry is read from the position on");
    assertEquals(10, names.size());
  }

  @Test
  void whatIsTooLargeIsNotMapped() throws Exception {
    Files.write(directory.resolve("a"), new byte[101]);
    assertEquals(
        "it has 101 bytes, the limit is 100 (--max-file-size)",
        assertThrows(IOException.class, () -> posix.map("a", 100)).getMessage());
    posix.map("a", 101).close();
  }

  @Test
  void namesAreComparedWithoutAnObjectForEach() throws Exception {
    List<String> names = List.of("a", "ab", "abc", "b", "x".repeat(254), "x".repeat(255));
    for (String name : names) {
      Files.createFile(directory.resolve(name));
    }
    posix.list(
        0,
        entry -> {
          for (String name : names) {
            assertEquals(name.equals(entry.name()), entry.hasName(name.getBytes(ISO_8859_1)), name);
          }
          return true;
        });
  }

  @Test
  void whatIsNoDirectoryCannotBeListed() throws Exception {
    Files.write(directory.resolve("a"), new byte[0]);
    assertEquals(
        "Not a directory",
        assertThrows(IOException.class, () -> at(directory + "/a").list(0, _ -> true))
            .getMessage());
    assertEquals(
        "No such file or directory",
        assertThrows(IOException.class, () -> at(directory + "/b").list(0, _ -> true))
            .getMessage());
    assertEquals(
        "File name too long",
        assertThrows(IOException.class, () -> at("/x".repeat(3000)).list(0, _ -> true))
            .getMessage());
  }
}
