package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An agent that a test starts itself, with a pipe from and a pipe to it. */
final class AgentProcess implements AutoCloseable {
  private static final int CREDS_BYTES = 20;
  private static final String CREDS = "000000140000700c";
  private static final int PMNS_NAMES = 0x700e;
  private static final int PMNS_CHILD = 0x700f;

  private final Path errors;
  private final Process process;

  private AgentProcess(Path errors, Process process) {
    this.errors = errors;
    this.process = process;
  }

  static AgentProcess start(TemporaryPcp pcp, AgentCommand agent) {
    return start(pcp, agent, Map.of());
  }

  /** Starts an agent with more in its environment. */
  static AgentProcess start(TemporaryPcp pcp, AgentCommand agent, Map<String, String> more) {
    try {
      Path errors = pcp.file("agent.err");
      ProcessBuilder builder = new ProcessBuilder(agent.words()).redirectError(errors.toFile());
      builder.environment().putAll(pcp.environment());
      builder.environment().putAll(more);
      return new AgentProcess(errors, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until the agent, on its pipe, has sent the first PDU of every conversation. */
  void awaitGreeting() {
    try {
      byte[] greeting = process.getInputStream().readNBytes(CREDS_BYTES);
      String hex = HexFormat.of().formatHex(greeting);
      if (greeting.length != CREDS_BYTES || !hex.startsWith(CREDS)) {
        throw new AssertionError("no greeting: " + hex + "\n" + errors());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Asks for the names below mmv, as pmcd does, and waits for them. */
  Set<String> children() {
    ByteBuffer reply = ask(PMNS_CHILD, 0, "mmv".length(), 0x6d6d767e);
    if (reply.getInt(4) != PMNS_NAMES) {
      throw new AssertionError("reply 0x%x\n%s".formatted(reply.getInt(4), errors()));
    }
    reply.position(12 + 4 + 4); // the header, the length of all names, no statuses
    Set<String> names = new TreeSet<>();
    for (int left = reply.getInt(); left > 0; left--) {
      byte[] name = new byte[reply.getInt()];
      reply.get(name);
      reply.position((reply.position() + 3) & ~3);
      names.add(new String(name, ISO_8859_1));
    }
    return names;
  }

  /** Sends a PDU, and waits for the one that answers it. */
  private ByteBuffer ask(int type, int... words) {
    int length = 4 * (3 + words.length);
    ByteBuffer request = ByteBuffer.allocate(length).putInt(length).putInt(type).putInt(0);
    for (int word : words) {
      request.putInt(word);
    }
    try {
      process.getOutputStream().write(request.array());
      process.getOutputStream().flush();
      InputStream in = process.getInputStream();
      byte[] first = in.readNBytes(4);
      if (first.length < 4) {
        throw new AssertionError("the agent has gone\n" + errors());
      }
      byte[] rest = in.readNBytes(ByteBuffer.wrap(first).getInt() - 4);
      return ByteBuffer.allocate(4 + rest.length).put(first).put(rest).flip();
    } catch (IOException e) {
      throw new AssertionError("the agent has gone\n" + errors(), e);
    }
  }

  /** Waits until somebody listens at this TCP port, without a connection, which would be taken. */
  void awaitListeningAt(int port) {
    String local = String.format(Locale.ROOT, ":%04X", port);
    Await.until(
        "the agent listens at " + port,
        this::errors,
        () ->
            fields("/proc/net/tcp", "/proc/net/tcp6")
                .anyMatch(fields -> fields[1].endsWith(local) && fields[3].equals("0A")));
  }

  /** Waits until somebody listens at this Unix domain socket. */
  void awaitListeningAt(Path socket) {
    Await.until(
        "the agent listens at " + socket,
        this::errors,
        () ->
            fields("/proc/net/unix")
                .anyMatch(fields ->
                    fields[3].equals("00010000")
                        && fields[fields.length - 1].equals(socket.toString())));
  }

  private static Stream<String[]> fields(String... tables) {
    return Arrays.stream(tables)
        .map(Path::of)
        .filter(Files::exists)
        .flatMap(table -> TemporaryPcp.text(table).lines())
        .map(line -> line.strip().split("\\s+"));
  }

  /**
   * What the kernel says of each of its threads.
   *
   * @param field a line's name in proc_pid_status(5)
   * @return the line's words, once if all threads have the same
   */
  Set<List<String>> ofThreads(String field) {
    return ofThreads(Long.toString(process.pid()), field);
  }

  /** What the kernel says of each thread of a process, "self" for our own. */
  static Set<List<String>> ofThreads(String pid, String field) {
    Path tasks = Path.of("/proc", pid, "task");
    try (Stream<Path> threads = Files.list(tasks)) {
      return threads
          .flatMap(thread -> TemporaryPcp.text(thread.resolve("status")).lines())
          .filter(line -> line.startsWith(field + ":"))
          .map(line -> List.of(line.substring(field.length() + 1).strip().split("\\s+")))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The process itself. */
  ProcessHandle handle() {
    return process.toHandle();
  }

  /** What it has written to standard error. */
  String errors() {
    return TemporaryPcp.text(errors);
  }

  /** Closes the agent's standard input, and waits for its exit status. */
  int statusAfterEndOfInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return status();
  }

  /** Waits for its exit status. */
  int status() {
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        throw new AssertionError("the agent has not ended\n" + errors());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
    return process.exitValue();
  }

  /** The rest of its standard output, up to the end. */
  String output() {
    try {
      return new String(process.getInputStream().readAllBytes(), ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    status();
  }
}
