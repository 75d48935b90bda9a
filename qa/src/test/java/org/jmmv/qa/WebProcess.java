package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code jmmv serve --http}, on a free port of 127.0.0.1, over the directory of the MMV files. */
final class WebProcess implements AutoCloseable {
  private static final Path JMMV = AgentCommand.JMMV.resolveSibling("jmmv");
  private static final Pattern ADDRESS =
      Pattern.compile("to ask: (http://127\\.0\\.0\\.1:\\d+/)\n");

  private final Path output;
  private final Process process;

  /** Starts it on a free port, and waits until it listens. */
  WebProcess(TemporaryPcp pcp) {
    this(pcp, 0);
  }

  /** Starts it on a port, and waits until it listens. */
  WebProcess(TemporaryPcp pcp, int port) {
    output = pcp.file("web.out");
    ProcessBuilder builder =
        new ProcessBuilder(
                JMMV.toString(),
                "serve",
                "--listen",
                "none",
                "--http",
                "127.0.0.1:" + port,
                pcp.mmv().toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("XDG_STATE_HOME", pcp.file("state").toString());
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Await.until("jmmv serve listens", this::output, () -> ADDRESS.matcher(output()).find());
  }

  /** Returns what it has written to standard output and standard error. */
  String output() {
    return TemporaryPcp.text(output);
  }

  /** Returns the address of the page. */
  String address() {
    Matcher printed = ADDRESS.matcher(output());
    if (!printed.find()) {
      throw new AssertionError("no address in " + output());
    }
    return printed.group(1);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
