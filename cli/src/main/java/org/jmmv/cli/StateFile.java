package org.jmmv.cli;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file in which {@code jmmv serve} keeps the numbers that it assigns. */
final class StateFile {
  private static final Logger LOG = LoggerFactory.getLogger(StateFile.class);

  private static final String SUFFIX = ".clusters";

  /** In bytes. Beside the file there are NAME.clusters.lock and .NAME.clusters.new. */
  private static final int MAX_NAME = PosixDirectory.MAX_NAME - (SUFFIX + ".lock").length();

  private StateFile() {}

  /**
   * Returns the file, whose directory exists. Each directory of MMV files has one, because a
   * process locks its file. If it can't be used, that is logged.
   *
   * @param state the directory that the command line names
   * @param directory the first directory of MMV files
   */
  static Optional<Path> of(Optional<Path> state, Path directory, Map<String, String> environment) {
    Optional<Path> folder =
        state
            .or(() -> path(environment, "XDG_STATE_HOME").map(home -> home.resolve("jmmv")))
            .or(() -> path(environment, "HOME").map(home -> home.resolve(".local/state/jmmv")));
    if (folder.isEmpty()) {
      LOG.warn(
          "clusters are not kept across restarts: neither --state nor XDG_STATE_HOME nor HOME is"
              + " given");
      return Optional.empty();
    }
    try {
      Files.createDirectories(
          folder.get(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      LOG.warn("clusters are not kept across restarts: {}: {}", folder.get(), Reason.of(e));
      return Optional.empty();
    }
    return Optional.of(folder.get().resolve(name(directory.toAbsolutePath().normalize()) + SUFFIX));
  }

  /** Returns a name for a directory: its path, or if that is too long, its beginning and a hash. */
  private static String name(Path directory) {
    String encoded = URLEncoder.encode(directory.toString(), StandardCharsets.UTF_8);
    if (encoded.length() <= MAX_NAME) {
      return encoded;
    }
    UUID hash = UUID.nameUUIDFromBytes(encoded.getBytes(StandardCharsets.UTF_8));
    return encoded.substring(0, MAX_NAME - hash.toString().length()) + hash;
  }

  private static Optional<Path> path(Map<String, String> environment, String key) {
    return Optional.ofNullable(environment.get(key))
        .filter(value -> !value.isEmpty())
        .map(Path::of);
  }
}
