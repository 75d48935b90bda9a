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

  // Files instead of pipes, which a daemon that the command starts may hold open.
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
              // an init process reaps daemons that have ended; PCP's scripts wait for zombies
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

  /** The file in the container is a copy, so its values do not change. */
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
