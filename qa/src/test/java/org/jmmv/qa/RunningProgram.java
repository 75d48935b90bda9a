package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A program that a test runs in the background. */
final class RunningProgram implements AutoCloseable {
  private final Path output;
  private final Process process;

  private RunningProgram(Path output, Process process) {
    this.output = output;
    this.process = process;
  }

  /** Starts a command, whose output gets this name, in the environment of a test's PCP. */
  static RunningProgram start(TemporaryPcp pcp, String name, List<String> command) {
    return start(pcp, name, pcp.environment(), command);
  }

  /** Starts a command, whose output gets this name, with additions to the environment. */
  static RunningProgram start(
      TemporaryPcp pcp, String name, Map<String, String> environment, List<String> command) {
    try {
      Path output = pcp.file(name + ".out");
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
      builder.environment().putAll(environment);
      return new RunningProgram(output, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits until it is ready; fails if it ends before.
   *
   * @param what what it does then
   * @param log added to the message of the failure
   */
  void await(String what, Supplier<String> log, BooleanSupplier isReady) {
    Supplier<String> evidence = () -> output() + log.get();
    try {
      Await.until(
          what,
          evidence,
          () -> {
            if (!process.isAlive()) {
              throw new AssertionError("it has ended, not: " + what + "\n" + evidence.get());
            }
            return isReady.getAsBoolean();
          });
    } catch (AssertionError e) {
      close();
      throw e;
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
    if (status() != 0) {
      throw new AssertionError(process + " has not ended well:\n" + output());
    }
    return output();
  }

  /** Waits for its exit status. */
  int status() {
    return Await.exitStatus(process, this::output);
  }

  /** Ends it with SIGTERM, and returns its exit status. */
  int stop() {
    process.destroy();
    return status();
  }

  /** Kills it. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
