package org.jmmv.posix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenDirectoryTest {
  @TempDir Path root;
  private Path own;
  private Path others; // all users may write to it
  private Path target;

  @BeforeEach
  void createDirectories() throws IOException {
    own = directory("own", "rwxr-xr-x");
    others = directory("others", "rwxrwxrwx");
    target = directory("target", "rwxr-xr-x");
  }

  private Path directory(String name, String permissions) throws IOException {
    Path directory = Files.createDirectory(root.resolve(name));
    return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
  }

  private static void create(Path directory, String name) throws IOException {
    try (OpenDirectory open = OpenDirectory.open(directory);
        OpenFile file = open.createFile(name, 0600)) {
      file.write(new byte[] {1, 2});
      file.write(new byte[] {3});
    }
  }

  private static void assertFails(String reason, Path directory) {
    String message = assertThrows(IOException.class, () -> create(directory, "f")).getMessage();
    assertEquals(reason, message);
  }

  @Test
  void createdFileHasTheBytes() throws IOException {
    create(own, "f");
    assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(own.resolve("f")));
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(own.resolve("f"))));
    try (OpenDirectory open = OpenDirectory.open(own);
        OpenFile file = open.openRegular("f", false)) {
      assertArrayEquals(new byte[] {1, 2, 3}, file.read(3));
      assertEquals(
          "it has 3 bytes, at most 2 are read",
          assertThrows(IOException.class, () -> file.read(2)).getMessage());
      assertNull(open.openRegular("missing", false));
    }
  }

  @Test
  void linkToADirectoryIsFollowedIfOthersCannotPlaceIt() throws IOException {
    Files.createSymbolicLink(own.resolve("absolute"), target);
    Files.createSymbolicLink(own.resolve("relative"), Path.of("../own/../target"));
    Files.createSymbolicLink(own.resolve("chain"), Path.of("relative"));
    create(own.resolve("absolute"), "a");
    create(own.resolve("chain"), "b");
    create(own.resolve("../target"), "c");
    for (String name : new String[] {"a", "b", "c"}) {
      assertTrue(Files.exists(target.resolve(name)), name);
    }
  }

  @Test
  void linkToADirectoryIsNotFollowedIfOthersCanPlaceIt() throws IOException {
    Files.createSymbolicLink(others.resolve("link"), target);
    Files.createSymbolicLink(own.resolve("link"), others.resolve("link"));
    String reason = "link is a symbolic link in a directory that other users can write to";
    assertFails(reason, others.resolve("link"));
    assertFails(reason, own.resolve("link"));
    assertThrows(IOException.class, () -> OpenDirectory.create(others.resolve("link/d")));
    assertFalse(Files.exists(target.resolve("f")));
    assertFalse(Files.exists(target.resolve("d")));
  }

  @Test
  void linksInACircleEnd() throws IOException {
    Files.createSymbolicLink(own.resolve("loop"), Path.of("loop"));
    assertFails("too many symbolic links", own.resolve("loop"));
  }

  @Test
  void whatIsNoDirectoryCannotBeOpened() throws IOException {
    Files.createFile(own.resolve("file"));
    assertFails("Not a directory", own.resolve("file"));
    assertFails("No such file or directory", own.resolve("missing"));
  }

  @Test
  void existingFileIsNotCreatedAgain() throws IOException {
    Files.createSymbolicLink(others.resolve("f"), target.resolve("new"));
    assertFails("File exists", others);
    assertFalse(Files.exists(target.resolve("new")));
  }

  @Test
  void missingDirectoriesAreCreated() throws IOException {
    OpenDirectory.create(own.resolve("a/b")).close();
    assertTrue(Files.isDirectory(own.resolve("a/b")));
  }

  @Test
  void fifoIsOpenedWithoutWaiting() throws Exception {
    Process process = new ProcessBuilder("mkfifo", own.resolve("fifo").toString()).start();
    assertEquals(0, process.waitFor());
    try (OpenDirectory open = OpenDirectory.open(own)) {
      assertEquals(
          "not a regular file",
          assertThrows(IOException.class, () -> open.openRegular("fifo", true)).getMessage());
      assertEquals(
          "No such device or address",
          assertThrows(IOException.class, () -> open.openToAppend("fifo")).getMessage());
    }
  }

  @Test
  void lockExcludesAnotherOpeningUntilItIsClosed() throws IOException {
    create(own, "f");
    try (OpenDirectory open = OpenDirectory.open(own);
        OpenFile second = open.openRegular("f", true)) {
      try (OpenFile first = open.openRegular("f", true)) {
        assertTrue(first.tryLock());
        assertFalse(second.tryLock());
      }
      assertTrue(second.tryLock());
    }
  }

  @Test
  void renamedFileReplacesAnother() throws IOException {
    create(own, "f");
    Files.createSymbolicLink(own.resolve("g"), target.resolve("f"));
    try (OpenDirectory open = OpenDirectory.open(own)) {
      open.rename("f", "g");
      assertTrue(open.status("g").isRegular());
      open.delete("g");
      open.delete("g");
      assertNull(open.status("g"));
    }
  }
}
