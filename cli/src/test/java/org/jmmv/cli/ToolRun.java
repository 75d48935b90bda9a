package org.jmmv.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A run of {@code jmmv} in this process.
 *
 * @param status the exit status
 * @param out standard output
 * @param err standard error
 */
record ToolRun(int status, String out, String err) {
  /** Runs a command with its arguments. */
  static ToolRun of(Object... args) {
    return with(Map.of("PCP_CONF", "/nonexistent"), args);
  }

  /** As {@link #of}, with environment variables. Root stays root, for the tests to come. */
  static ToolRun with(Map<String, String> variables, Object... args) {
    Map<String, String> environment = new HashMap<>(variables);
    environment.put("PCP_USER", "root");
    StringWriter out = new StringWriter();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] words = Arrays.stream(args).map(Object::toString).toArray(String[]::new);
    int status = Tools.run(words, environment, out, new PrintStream(err, true, UTF_8));
    return new ToolRun(status, out.toString(), err.toString(UTF_8));
  }
}
