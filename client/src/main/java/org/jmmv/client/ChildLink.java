package org.jmmv.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** An agent that runs as a child process, on two pipes. */
final class ChildLink implements AgentLink {

  private final Process process;
  private final String program;
  private final String errors;
  private final Duration timeout;

  /**
   * Starts the agent.
   *
   * @param environment variables to set in addition to the inherited ones
   * @param errors the destination of the agent's standard error
   * @param timeout the time that it has to exit after its input has ended
   * @throws IOException if it can't be started
   */
  ChildLink(
      List<String> command, Map<String, String> environment, Redirect errors, Duration timeout)
      throws IOException {
    this.timeout = timeout;
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
    boolean ended = endsWithin(Duration.ofSeconds(1));
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
      if (!endsWithin(timeout)) {
        cut();
        endsWithin(timeout);
      }
      process.getInputStream().close();
    }
  }

  /** Waits for the process to end. An interrupt is treated like a timeout. */
  private boolean endsWithin(Duration time) {
    try {
      return process.waitFor(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
