package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One host of several on this machine: a host name, an address of 127/8, and {@code jmmv serve}
 * over a directory that has the same path on each of them. Its ports stay the same when it goes and
 * comes back.
 */
final class FleetHost implements AutoCloseable {
  private static final Pattern PCP_ADDRESS = Pattern.compile("pminfo -h (\\S+):(\\d+) mmv\n");
  private static final Pattern HTTP_ADDRESS = Pattern.compile("http://\\S+:(\\d+)/\n");

  private final TemporaryPcp pcp;
  private final String name;
  private final String address;
  private final String options;
  private final Path root;
  private int pcpPort; // 0: any that is free
  private int httpPort;
  private RunningProgram program;

  /**
   * Creates a host, which is down.
   *
   * @param options of {@code jmmv serve}, with {@code :44321} and {@code :9464} for its ports
   */
  FleetHost(TemporaryPcp pcp, String name, String address, String options) {
    this.pcp = pcp;
    this.name = name;
    this.address = address;
    this.options = options;
    root = pcp.file(name);
    try {
      Files.createDirectories(mmv());
      Files.createDirectories(here());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path here() {
    return pcp.file("here"); // where each host sees its own directories
  }

  /** Returns the directory of the MMV files. */
  Path mmv() {
    return root.resolve("mmv");
  }

  /** Returns the directory of the assigned numbers. */
  Path state() {
    return root.resolve("state");
  }

  /** Has it boot, and waits until it serves. */
  void start() {
    List<String> command = new ArrayList<>(List.of("unshare", "--uts", "--mount", "sh", "-c"));
    command.add(
        "hostname $1 && mount --bind $2 $3 && cd $3 && shift 3 && exec $0 serve \"$@\" --state"
            + " $PWD/state $PWD/mmv");
    command.addAll(List.of(AgentCommand.TOOL.toString(), name, root.toString()));
    command.add(here().toString());
    command.addAll(
        List.of(
            (' ' + options)
                .replace(" :44321", " " + address + ":" + pcpPort)
                .replace(" :9464", " " + address + ":" + httpPort)
                .strip()
                .split(" ")));
    RunningProgram started = RunningProgram.start(pcp, name, command);
    started.await(
        "it listens",
        () -> "",
        () ->
            PCP_ADDRESS.matcher(started.output()).find()
                && HTTP_ADDRESS.matcher(started.output()).find());
    program = started;
    pcpPort = port(PCP_ADDRESS, 2);
    httpPort = port(HTTP_ADDRESS, 1);
  }

  private int port(Pattern printed, int group) {
    Matcher matcher = printed.matcher(program.output());
    if (!matcher.find()) {
      throw new AssertionError(program.output());
    }
    return Integer.parseInt(matcher.group(group));
  }

  /** Has it go down. */
  void stop() {
    program.stop();
  }

  /** Deletes the numbers that it has assigned, as when it is built anew. */
  void forgetNumbers() throws IOException {
    Trees.delete(state());
  }

  /** Returns its address for PCP's clients. */
  String pcpAddress() {
    return address + ":" + pcpPort;
  }

  /** Returns its address for clients of HTTP. */
  String httpAddress() {
    return address + ":" + httpPort;
  }

  URI http() {
    return URI.create("http://" + httpAddress() + "/");
  }

  /** Runs one of PCP's clients against it. */
  Shell.Result client(String client, String... arguments) {
    return new PcpServer(new ThisMachine(), pcp.environment(), pcpAddress())
        .client(client, arguments);
  }

  @Override
  public void close() {
    if (program != null) {
      program.close();
    }
  }
}
