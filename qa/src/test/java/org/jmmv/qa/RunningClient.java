package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** One of PCP's clients that runs in the background. */
final class RunningClient implements AutoCloseable {
  private final Path output;
  private final Process process;

  private RunningClient(Path output, Process process) {
    this.output = output;
    this.process = process;
  }

  /** Starts a command as {@link PrivatePmcd#command} gives it, which has this name. */
  static RunningClient start(TemporaryPcp pcp, String name, List<String> command) {
    try {
      Path output = pcp.file(name + ".out");
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
      builder.environment().putAll(pcp.environment());
      return new RunningClient(output, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ProcessHandle process() {
    return process.toHandle();
  }

  boolean isRunning() {
    return process.isAlive();
  }

  /** Returns what it has written so far to standard output and standard error. */
  String output() {
    return TemporaryPcp.text(output);
  }

  /** Waits until it has ended with status 0 and returns all that it has written. */
  String outputOfSuccess() {
    if (Await.exitStatus(process, this::output) != 0) {
      throw new AssertionError(process + " has not ended well:\n" + output());
    }
    return output();
  }

  /** Ends it with SIGTERM and waits until it has ended. */
  void stop() {
    process.destroy();
    process.onExit().join();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
