package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.testcontainers.containers.Container;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * A container with PCP in which nothing runs yet. Its systemd would need a privileged container;
 * pmcd's own start script does not need it.
 */
final class ContainerMachine implements Machine, AutoCloseable {

  // Files rather than pipes: a daemon that a command leaves behind may hold its output open.
  private static final String WITH_FILES =
      """
      "$@" </dev/null >/tmp/out 2>/tmp/err
      status=$?
      cat /tmp/out
      cat /tmp/err >&2
      exit $status
      """;

  private final GenericContainer<?> container;

  ContainerMachine(String image) {
    container =
        new GenericContainer<>(DockerImageName.parse(image))
            .withCreateContainerCmdModifier(command -> {
              command.withEntrypoint("sleep").withCmd("infinity");
              // daemons that have ended shall not stay as zombies, which PCP's scripts wait for
              command.getHostConfig().withInit(true);
            });
    container.start();
  }

  @Override
  public Shell.Result run(String... command) {
    String[] words =
        Stream.concat(Stream.of("sh", "-c", WITH_FILES, "sh"), Stream.of(command))
            .toArray(String[]::new);
    try {
      Container.ExecResult result = container.execInContainer(ISO_8859_1, words);
      return new Shell.Result(
          List.of(command), result.getExitCode(), result.getStdout(), result.getStderr());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public Path bring(Path directory) {
    return copy(directory, Path.of("/opt").resolve(directory.getFileName()));
  }

  /** Its values stand still there, for the file is a copy. */
  @Override
  public Application startAcme(TemporaryPcp here, Path mmv) {
    Application acme = Application.startAcme(here);
    copy(here.mmv().resolve("acme"), mmv.resolve("acme"));
    return acme;
  }

  private Path copy(Path from, Path to) {
    container.copyFileToContainer(MountableFile.forHostPath(from), to.toString());
    return to;
  }

  @Override
  public void close() {
    container.stop();
  }
}
