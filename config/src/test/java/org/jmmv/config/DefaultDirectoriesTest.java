package org.jmmv.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jmmv.reader.watch.DirectorySettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefaultDirectoriesTest {
  private static final DirectorySettings DEFAULT = DirectorySettings.DEFAULT;

  @TempDir Path directory;

  private List<Path> withoutPcp() {
    return List.of(directory.resolve("var"), directory.resolve("tmp"));
  }

  private List<Path> withFiles() {
    return DefaultDirectories.withFiles(withoutPcp());
  }

  private static List<Path> paths(List<DirectorySettings> settings) {
    return settings.stream().map(DirectorySettings::path).map(Optional::orElseThrow).toList();
  }

  private Path write(String file) throws IOException {
    Path path = directory.resolve(file);
    Files.createDirectories(path.getParent());
    return Files.createFile(path);
  }

  private static List<Path> of(PcpConfig config, DirectorySettings... settings) {
    return paths(DefaultDirectories.of(List.of(settings), config));
  }

  @Test
  void aDirectoryWithoutAPathIsThatOfPcp() {
    PcpConfig config = PcpConfig.load(Map.of("PCP_CONF", "/nonexistent", "PCP_TMP_DIR", "/t"));
    DirectorySettings other = DEFAULT.at(Path.of("/other"));
    assertEquals(List.of(Path.of("/other"), Path.of("/t/mmv")), of(config, other, DEFAULT));
  }

  @Test
  void aServerWithoutPcpHasBothWhateverIsThere() {
    PcpConfig config = PcpConfig.load(Map.of("PCP_CONF", "/nonexistent"));
    Path first = Path.of("/var/tmp/mmv");
    Path second = Path.of("/tmp/mmv");
    assertEquals(List.of(first, second), of(config, DEFAULT));
    assertEquals(List.of(first, second), of(config, DEFAULT, DEFAULT.at(second)));
    assertEquals(List.of(second, first), of(config, DEFAULT.at(second), DEFAULT));
  }

  @Test
  void aCommandWithoutPcpHasEachThatExistsIfNeitherHasFilesOrBoth() throws IOException {
    assertEquals(withoutPcp(), withFiles());
    Files.createDirectories(withoutPcp().get(1).resolve("directory"));
    assertEquals(withoutPcp().subList(1, 2), withFiles());
  }

  @Test
  void aCommandWithoutPcpHasEachThatHasFiles() throws IOException {
    write("tmp/app");
    assertEquals(withoutPcp().subList(1, 2), withFiles());
    write("var/app");
    assertEquals(withoutPcp(), withFiles());
  }
}
