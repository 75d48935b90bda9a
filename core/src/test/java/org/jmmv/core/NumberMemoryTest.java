package org.jmmv.core;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.jmmv.core.InDomAllocator.Origin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumberMemoryTest {
  @TempDir Path directory;

  private Path file() {
    return directory.resolve("config/pmda/jmmv.clusters");
  }

  private static Numbers clusters(String... names) {
    SequencedMap<String, Integer> clusters = new LinkedHashMap<>();
    for (String name : names) {
      clusters.put(name, 4095 - clusters.size());
    }
    return new Numbers(clusters, Map.of());
  }

  private Numbers load() {
    try (NumberMemory memory = new NumberMemory(file())) {
      return memory.load();
    }
  }

  @Test
  void remembersNumbersOfFilesWithAnyName() {
    Numbers numbers =
        new Numbers(
            clusters("app", "two words\nand \u00ff\u0080", "#a=b:c\\", " ").clusters(),
            Map.of(new Origin(4095, 0x3f_ffff), 0, new Origin(1, 2049), 0x3f_ffff));

    try (NumberMemory memory = new NumberMemory(file())) {
      memory.save(numbers);
    }

    assertEquals(numbers, load());
  }

  /** Former versions wrote it with java.util.Properties. */
  @Test
  void readsAFileOfAFormerVersion() throws IOException {
    Properties former = new Properties();
    former.setProperty("two words\n\u00ff#=:", "7 0");
    former.setProperty("/file/var/tmp/app", "8 1");
    former.setProperty("/indom/2100/5", "4194303");
    former.setProperty("/count", "3");
    Files.createDirectories(file().getParent());
    try (OutputStream out = Files.newOutputStream(file())) {
      former.store(out, "Numbers assigned to MMV files: pmdajmmv(1)");
    }
    SequencedMap<String, Integer> clusters = new LinkedHashMap<>();
    clusters.put("two words\n\u00ff#=:", 7);
    clusters.put("/var/tmp/app", 8);
    assertEquals(new Numbers(clusters, Map.of(new Origin(2100, 5), 4_194_303)), load());
  }

  /** Their entries would otherwise be those of the InDoms or the count. */
  @Test
  void remembersFilesOfOtherDirectories() {
    Numbers numbers =
        new Numbers(
            clusters("app", "/a/app", "/indom/1/2", "//count", "/file/app").clusters(),
            Map.of(new Origin(1, 2), 0x3f_ffff));

    try (NumberMemory memory = new NumberMemory(file())) {
      memory.save(numbers);
    }

    assertEquals(numbers, load());
  }

  @Test
  void remembersTheOrderOfFiles() {
    List<String> names = List.of("z", "b", "y", "a", "x", "c", "w", "d", "v", "e", "u", "f");
    try (NumberMemory memory = new NumberMemory(file())) {
      memory.save(clusters(names.toArray(String[]::new)));
    }

    assertEquals(names, List.copyOf(load().clusters().sequencedKeySet()));
  }

  @Test
  void forgetsWhatWasThereBefore() {
    try (NumberMemory memory = new NumberMemory(file())) {
      memory.save(clusters("old"));
      memory.save(clusters("new"));
    }

    assertEquals(clusters("new"), load());
  }

  /** As versions before 0.3 read it, also if it is large and has changed many times. */
  @Test
  void formerVersionsCanReadIt() throws IOException {
    SequencedMap<String, Integer> clusters = new LinkedHashMap<>();
    try (NumberMemory memory = new NumberMemory(file())) {
      for (int i = 1; i <= 400; i++) {
        clusters.put("f".repeat(250) + i, i);
        memory.save(new Numbers(clusters, Map.of()));
      }
    }
    Properties former = new Properties();
    try (InputStream in = Files.newInputStream(file())) {
      former.load(in);
    }
    assertEquals("400", former.getProperty("/count"));
    assertEquals(401, former.size());
    clusters.forEach(
        (name, cluster) -> assertEquals(cluster + " " + (cluster - 1), former.getProperty(name)));
  }

  @Test
  void startsWithNothing() {
    assertEquals(clusters(), load());
  }

  @Test
  void onlyTheFirstAgentWrites() {
    try (NumberMemory first = new NumberMemory(file())) {
      first.save(clusters("first"));
      try (NumberMemory second = new NumberMemory(file())) {
        assertEquals(clusters("first"), second.load());
        second.save(clusters("second"));
      }
      assertEquals(clusters("first"), first.load());
    }
    try (NumberMemory later = new NumberMemory(file())) {
      later.save(clusters("later"));
    }
    assertEquals(clusters("later"), load());
  }

  /** With fcntl(2), a user who can open a file can lock it for reading, and so exclude a writer. */
  @Test
  void othersCantLockTheFile() throws IOException {
    load();

    assertEquals(
        PosixFilePermissions.fromString("rw-------"),
        Files.getPosixFilePermissions(file().resolveSibling("jmmv.clusters.lock")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage",
        "app=1",
        "app=1\n/count=2",
        "app=1\n/count=0",
        "app=0\n/count=1",
        "app=4096\n/count=1",
        "app=-1\n/count=1",
        "app=one\n/count=1",
        "app=\n/count=1",
        "app=1 \n/count=1",
        "app=1\nother=1\n/count=2",
        "app=1\n/count=one",
        "app=1\\u00\n/count=1",
        "/indom/=1\n/count=1",
        "/indom/1=1\n/count=1",
        "/indom/1/=1\n/count=1",
        "/indom/1/2/3=1\n/count=1",
        "/indom/1/2=4194304\n/count=1",
        "/indom/1/2=7\n/indom/2/2=7\n/count=2",
      })
  void ignoresADamagedFile(String damaged) throws IOException {
    Files.createDirectories(file().getParent());
    Files.write(file(), List.of(damaged));

    assertEquals(clusters(), load());
  }

  /** Reading them would never end, or fill the heap. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "mkfifo jmmv.clusters",
        "mkfifo jmmv.clusters.lock",
        "ln -s /dev/zero jmmv.clusters",
        "truncate -s 1T jmmv.clusters"
      })
  void ignoresWhatIsNoFileOfNumbers(String command) throws Exception {
    Files.createDirectories(file().getParent());
    ProcessBuilder shell = new ProcessBuilder("sh", "-c", command);
    assertEquals(0, shell.directory(file().getParent().toFile()).start().waitFor());
    assertTimeoutPreemptively(Duration.ofMinutes(1), () -> assertEquals(clusters(), load()));
  }

  /** A lack of descriptors, for example, is over soon. */
  @Test
  void keepsAFileThatItCouldNotRead() throws IOException {
    try (NumberMemory memory = new NumberMemory(file())) {
      memory.save(clusters("kept"));
    }
    Path elsewhere = Files.move(file(), directory.resolve("elsewhere"));
    Files.createSymbolicLink(file(), elsewhere);
    try (NumberMemory memory = new NumberMemory(file())) {
      assertEquals(clusters(), memory.load());
      memory.save(clusters("new"));
    }
    Files.move(elsewhere, file(), StandardCopyOption.REPLACE_EXISTING);
    assertEquals(clusters("kept"), load());
  }

  @Test
  void writesNothingThroughALinkOfAnotherUser(@TempDir Path precious) throws IOException {
    Path config = Files.createDirectory(directory.resolve("config"));
    Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.createSymbolicLink(config.resolve("pmda"), precious);
    try (NumberMemory memory = new NumberMemory(file())) {
      memory.save(clusters("app"));
    }
    try (Stream<Path> files = Files.list(precious)) {
      assertEquals(List.of(), files.toList());
    }
  }

  @Test
  void goesOnWhereItCantWrite() throws IOException {
    Files.writeString(directory.resolve("config"), "a file in the directory's place");

    assertDoesNotThrow(() -> {
      try (NumberMemory memory = new NumberMemory(file())) {
        memory.save(clusters("app"));
      }
    });
  }
}
