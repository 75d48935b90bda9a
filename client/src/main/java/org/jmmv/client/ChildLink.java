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

/** An agent that was started from here, on two pipes. */
final class ChildLink implements AgentLink {

  /** How long an agent may take to end once its input has, in seconds. */
  private static final long END_SECONDS = 5;

  private final Process process;
  private final String program;
  private final String errors;

  /**
   * Starts the agent.
   *
   * @param errors where its standard error goes
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
    return "; it %s, and its messages are %s"
        .formatted(ended ? "ended with status " + process.exitValue() : "is still running", errors);
  }

  @Override
  public void cut() {
    // What a script has started may hold the pipe open, and when it ends the script goes on.
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

  /** Waits for its end. Being interrupted counts as if the time were over. */
  private boolean endsWithin(long seconds) {
    try {
      return process.waitFor(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
