package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs commands and waits for them. */
final class Shell {
  private static final int MAX_IN_LINE = 200; // chars of a command

  private Shell() {}

  /** The exit status and output of a command, one char per byte. */
  record Result(List<String> command, int status, String out, String err) {

    /** Returns standard output; fails unless the exit status is 0. */
    String outOfSuccess() {
      return outOf(0);
    }

    /** Returns standard output; fails unless this is the exit status. */
    String outOf(int wanted) {
      if (status != wanted) {
        throw new AssertionError(
            "exit status %d, not %d, of %s: %s\n%s"
                .formatted(
                    status, wanted, inOneLine(), err.strip().replaceAll("(?s).*\n", ""), this));
      }
      return out;
    }

    private String inOneLine() {
      String words = String.join(" ", command).replaceAll("\\s+", " ").strip();
      return words.length() <= MAX_IN_LINE ? words : words.substring(0, MAX_IN_LINE) + " ...";
    }

    /** Returns this as the result of the command that a wrapper was given. */
    Result of(String... given) {
      return new Result(List.of(given), status, out, err);
    }

    @Override
    public String toString() {
      return "%s\nexit status: %d\n--- out:\n%s--- err:\n%s---"
          .formatted(String.join(" ", command), status, out, err);
    }
  }

  /** Runs {@code jmmv} with additions to the environment and with empty standard input. */
  static Result jmmv(Map<String, String> environment, String... words) {
    return run(
        environment,
        Stream.concat(Stream.of(AgentCommand.TOOL.toString()), Stream.of(words)).toList());
  }

  /** Runs a command with additions to the environment and with empty standard input. */
  static Result run(Map<String, String> environment, List<String> command) {
    return run(environment, command, "");
  }

  /** Runs a command with additions to the environment and with this on standard input. */
  static Result run(Map<String, String> environment, List<String> command, String input) {
    try {
      Path directory = Files.createTempDirectory("jmmv-shell");
      try {
        return run(directory, environment, command, input);
      } finally {
        Trees.delete(directory);
      }
    } catch (IOException e) {
      throw new AssertionError(String.join(" ", command), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(String.join(" ", command), e);
    }
  }

  // Files rather than pipes: a daemon that a command leaves behind may hold its output open.
  private static Result run(
      Path directory, Map<String, String> environment, List<String> command, String input)
      throws IOException, InterruptedException {
    Path in = Files.writeString(directory.resolve("in"), input, ISO_8859_1);
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    boolean ended = process.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    Result result =
        new Result(
            command,
            process.exitValue(),
            Files.readString(out, ISO_8859_1),
            Files.readString(err, ISO_8859_1));
    if (!ended) {
      throw new AssertionError("not ended after " + Await.LIMIT + ": " + result);
    }
    return result;
  }
}
