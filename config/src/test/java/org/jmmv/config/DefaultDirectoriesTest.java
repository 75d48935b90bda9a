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

  private List<Path> of(DirectorySettings... settings) {
    return paths(DefaultDirectories.of(List.of(settings), Optional.empty(), withoutPcp()));
  }

  private static List<Path> paths(List<DirectorySettings> settings) {
    return settings.stream().map(DirectorySettings::path).map(Optional::orElseThrow).toList();
  }

  private Path write(String file) throws IOException {
    Path path = directory.resolve(file);
    Files.createDirectories(path.getParent());
    return Files.createFile(path);
  }

  @Test
  void aDirectoryWithoutAPathIsThatOfPcp() {
    PcpConfig config = PcpConfig.load(Map.of("PCP_CONF", "/nonexistent", "PCP_TMP_DIR", "/t"));
    DirectorySettings other = DEFAULT.at(Path.of("/other"));
    assertEquals(
        List.of(Path.of("/other"), Path.of("/t/mmv")),
        paths(DefaultDirectories.of(List.of(other, DEFAULT), config)));
  }

  @Test
  void withoutPcpItIsEachThatExistsIfNeitherHasFilesOrBoth() throws IOException {
    assertEquals(withoutPcp(), of(DEFAULT));
    Files.createDirectories(withoutPcp().get(1).resolve("directory"));
    assertEquals(withoutPcp().subList(1, 2), of(DEFAULT));
  }

  @Test
  void withoutPcpItIsEachThatHasFiles() throws IOException {
    write("tmp/app");
    assertEquals(withoutPcp().subList(1, 2), of(DEFAULT));
    write("var/app");
    assertEquals(withoutPcp(), of(DEFAULT));
  }

  @Test
  void noPathIsThereTwice() throws IOException {
    write("tmp/app");
    write("var/app");
    DirectorySettings tmp = DEFAULT.at(withoutPcp().get(1));
    assertEquals(withoutPcp(), of(DEFAULT, tmp));
    assertEquals(withoutPcp().reversed(), of(tmp, DEFAULT));
  }
}
