package org.jmmv.config;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jmmv.reader.watch.DirectorySettings;

/**
 * The directories of MMV files if the command line names none: those of the settings. A directory
 * without a path in the settings is {@code $PCP_TMP_DIR/mmv}. If neither the environment nor
 * pcp.conf sets {@code PCP_TMP_DIR}, it is both {@code /var/tmp/mmv} and {@code /tmp/mmv}: without
 * PCP, applications write to the system's directories for temporary files.
 */
public final class DefaultDirectories {
  private static final List<Path> WITHOUT_PCP =
      List.of(Path.of("/var/tmp/mmv"), Path.of("/tmp/mmv"));

  /** Anybody can create millions of entries: a command that read them all would begin late. */
  private static final int MAX_ENTRIES = 1000;

  private DefaultDirectories() {}

  /**
   * Returns the agent's settings for a command that ends, with a path for each directory. Without
   * PCP, it is each of the two that has files; if neither has, each that exists; if neither exists,
   * both, so that messages name both.
   *
   * @throws SettingsException if the settings file is invalid
   */
  public static Settings settings(PcpConfig config) throws SettingsException {
    Settings settings = SettingsFile.of(config, AgentCommand.DEFAULT_NAME).read();
    return settings.with(
        of(settings.directories(), ofPcp(config).orElseGet(() -> withFiles(WITHOUT_PCP))));
  }

  /**
   * Returns the directories of settings for a server, each with a path, and no path twice. They do
   * not depend on what is there: files come and go, and the numbers of a file depend on its
   * directory.
   */
  public static List<DirectorySettings> of(List<DirectorySettings> settings, PcpConfig config) {
    return of(settings, ofPcp(config).orElse(WITHOUT_PCP));
  }

  private static Optional<List<Path>> ofPcp(PcpConfig config) {
    return config
        .path("PCP_TMP_DIR")
        .map(above -> List.of(above.resolve(AgentCommand.DEFAULT_NAME)));
  }

  private static List<DirectorySettings> of(
      List<DirectorySettings> settings, List<Path> withoutPath) {
    Set<Path> named = new LinkedHashSet<>();
    settings.forEach(directory -> directory.path().ifPresent(named::add));
    return settings.stream()
        .flatMap(directory ->
            directory.path().isPresent()
                ? Stream.of(directory)
                : withoutPath.stream().filter(named::add).map(directory::at))
        .toList();
  }

  /** Returns those of two directories that a command reads. */
  static List<Path> withFiles(List<Path> paths) {
    return Stream.<Predicate<Path>>of(DefaultDirectories::hasFiles, Files::isDirectory, _ -> true)
        .map(condition -> paths.stream().filter(condition).toList())
        .filter(found -> !found.isEmpty())
        .findFirst()
        .orElseThrow();
  }

  /** Returns whether a directory has a regular file, among its first entries. */
  private static boolean hasFiles(Path path) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      int read = 0;
      for (Path entry : entries) {
        if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
          return true;
        }
        if (++read == MAX_ENTRIES) {
          break;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // missing or unreadable
    }
    return false;
  }
}
