package org.jmmv.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** An agent that runs as a child process, on two pipes. */
final class ChildLink implements AgentLink {

  /** The time that an agent has to exit after the end of its input, in seconds. */
  private static final long END_SECONDS = 5;

  private final Process process;
  private final String program;
  private final String errors;

  /**
   * Starts the agent.
   *
   * @param environment variables to set in addition to the inherited ones
   * @param errors the destination of the agent's standard error
   * @throws IOException if it can't be started
   */
  ChildLink(List<String> command, Map<String, String> environment, Redirect errors)
      throws IOException {
    this.program = command.getFirst();
    this.errors = errors.file() != null ? "in " + errors.file() : "on standard error";
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors);
    builder.environment().putAll(environment);
    this.process = builder.start();
  }

  @Override
  public InputStream in() {
    return process.getInputStream();
  }

  @Override
  public OutputStream out() {
    return process.getOutputStream();
  }

  @Override
  public OptionalLong pid() {
    return OptionalLong.of(process.pid());
  }

  @Override
  public OptionalInt exitStatus() {
    return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
  }

  @Override
  public String describe() {
    return "the agent " + program;
  }

  @Override
  public String fate() {
    boolean ended = endsWithin(1);
    return "; it %s; see its messages %s"
        .formatted(
            ended ? "exited with status " + process.exitValue() : "is still running", errors);
  }

  @Override
  public void cut() {
    // A script's children may hold the pipe open, and the script would continue after their end, so
    // all are killed, parents first.
    List<ProcessHandle> started = process.descendants().toList();
    process.destroyForcibly();
    started.forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public void close() throws IOException {
    try {
      process.getOutputStream().close();
    } finally {
      if (!endsWithin(END_SECONDS)) {
        cut();
        endsWithin(END_SECONDS);
      }
      process.getInputStream().close();
    }
  }

  /** Waits for the process to end. An interrupt is treated like a timeout. */
  private boolean endsWithin(long seconds) {
    try {
      return process.waitFor(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
