package org.jmmv.qa;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The machine on which the tests run. */
final class ThisMachine implements Machine {
  private final List<String> wrapper; // the words before each command

  ThisMachine() {
    this(List.of());
  }

  private ThisMachine(List<String> wrapper) {
    this.wrapper = wrapper;
  }

  /** Returns this machine with the network of a process: that of a container. */
  static ThisMachine inNetworkOf(long pid) {
    return new ThisMachine(List.of("nsenter", "--net", "--target", Long.toString(pid)));
  }

  @Override
  public void require(Need need) {
    need.require();
  }

  @Override
  public Shell.Result run(String... command) {
    return Shell.run(Map.of(), Stream.concat(wrapper.stream(), Stream.of(command)).toList())
        .of(command);
  }

  @Override
  public List<String> command(Map<String, String> environment, List<String> words) {
    return Stream.of(
            wrapper.stream(),
            Stream.of("env"),
            environment.entrySet().stream().map(Map.Entry::toString),
            words.stream())
        .flatMap(part -> part)
        .toList();
  }

  @Override
  public Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  @Override
  public Path programs() {
    return Path.of(System.getProperty("jmmv.built"));
  }
}
