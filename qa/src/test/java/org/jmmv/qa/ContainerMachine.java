package org.jmmv.qa;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.Volume;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A container of an image that {@code qa/image} has made, without a network, in which nothing runs
 * yet, or only systemd. The build, its Java and its libraries are mounted read-only.
 */
final class ContainerMachine implements Machine, AutoCloseable {

  // Files instead of pipes, which a daemon that the command starts may hold open.
  private static final String WITH_FILES =
      """
      out=$(mktemp -d)
      "$@" </dev/null >$out/out 2>$out/err
      status=$?
      cat $out/out
      cat $out/err >&2
      rm -r $out
      exit $status
      """;

  // PCP's tests send SIGHUP to process 1, which passes it on.
  private static final String IDLE = "trap '' HUP; exec sleep infinity";

  private static final String HOST = "pcp";

  static {
    // Testcontainers asks for version 1.44, which the Docker of Debian 12 does not have.
    List<String> ask = List.of("docker", "version", "--format", "{{.Server.APIVersion}}");
    System.setProperty("api.version", Shell.run(Map.of(), ask).out().strip());
  }

  private final Path temporary;
  private final GenericContainer<?> container;

  /**
   * Starts a container with PCP.
   *
   * @param suite the Debian suite of the image
   * @param shared directories of this machine that it can write
   */
  static ContainerMachine withPcp(String suite, Path... shared) {
    return new ContainerMachine(
        suite,
        command -> {
          command.withHostName(HOST).withEntrypoint("sh", "-c", IDLE);
          // an init process reaps daemons that have ended; PCP's scripts wait for zombies
          command.getHostConfig().withInit(true).withCapAdd(Capability.LEASE);
        },
        Stream.of(shared).map(path -> bind(path, AccessMode.rw)).toArray(Bind[]::new));
  }

  /** Starts a container of Debian 12 in which systemd runs, without PCP. */
  static ContainerMachine withSystemd() {
    return new ContainerMachine(
        "systemd",
        command -> {
          command.withEntrypoint("/lib/systemd/systemd");
          command
              .getHostConfig()
              .withCapAdd(Capability.SYS_ADMIN, Capability.LEASE)
              .withTmpFs(Map.of("/run", "exec"));
        },
        bind(Path.of("/sys/fs/cgroup"), AccessMode.rw));
  }

  private ContainerMachine(String image, Consumer<CreateContainerCmd> settings, Bind... more) {
    try {
      temporary = Files.createTempDirectory("jmmv-container");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<Bind> binds = new ArrayList<>(List.of(more));
    binds.add(bind(temporary, AccessMode.rw));
    mounted().forEach(path -> binds.add(bind(path, AccessMode.ro)));
    container =
        new GenericContainer<>(DockerImageName.parse("jmmv-qa:" + image))
            .withNetworkMode("none")
            .withExtraHost(HOST, "127.0.0.1")
            .withCreateContainerCmdModifier(command -> {
              command.getHostConfig().withBinds(binds);
              settings.accept(command);
            });
    try {
      container.start();
    } catch (RuntimeException e) {
      throw new AssertionError("no container: run this test by qa/with-containers", e);
    }
  }

  private static Stream<Path> mounted() {
    return Stream.concat(
        Stream.of(
            Path.of(System.getProperty("java.home")),
            Path.of(System.getProperty("jmmv.sources")),
            AgentCommand.HOME.getParent()),
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(Files::exists));
  }

  private static Bind bind(Path path, AccessMode mode) {
    return new Bind(path.toString(), new Volume(path.toString()), mode);
  }

  /** Lets other users than root come to the directory for temporary files. */
  void letAllEnter() throws IOException {
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx--x--x"));
  }

  /** The image has all that is needed. */
  @Override
  public void require(Need need) {}

  @Override
  public Shell.Result run(String... command) {
    return Shell.run(
            Map.of(),
            command(
                Map.of(),
                Stream.concat(Stream.of("sh", "-c", WITH_FILES, "sh"), Stream.of(command))
                    .toList()))
        .of(command);
  }

  @Override
  public List<String> command(Map<String, String> environment, List<String> words) {
    List<String> command = new ArrayList<>(List.of("docker", "exec", "-i"));
    environment.forEach((name, value) -> command.addAll(List.of("-e", name + "=" + value)));
    command.add(container.getContainerId());
    command.addAll(words);
    return command;
  }

  /** Returns the path on this machine of a file in the container. */
  Path fromOutside(String file) {
    return Path.of("/proc", container.getContainerInfo().getState().getPidLong() + "/root" + file);
  }

  @Override
  public Path temporary() {
    return temporary;
  }

  @Override
  public Path programs() {
    return temporary;
  }

  @Override
  public void close() {
    container.stop();
    try {
      Trees.delete(temporary);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
