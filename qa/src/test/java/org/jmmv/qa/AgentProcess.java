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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An agent that a test starts itself. Standard input and output are pipes. */
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

  /** Starts an agent with additions to its environment. */
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

  /** Waits until the agent has sent CREDS, the first PDU on a pipe. */
  void awaitGreeting() {
    try {
      byte[] greeting = process.getInputStream().readNBytes(CREDS_BYTES);
      String hex = HexFormat.of().formatHex(greeting);
      if (greeting.length != CREDS_BYTES || !hex.startsWith(CREDS)) {
        throw new AssertionError("no CREDS, but " + hex + "\n" + errors());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Asks for the names below mmv, as pmcd does, and returns them. */
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

  /** Asks until these are the names below mmv: a busy machine may need more than one request. */
  void awaitChildren(String... names) {
    Set<String> expected = Set.of(names);
    Await.until(
        "it serves " + expected, () -> children() + errors(), () -> children().equals(expected));
  }

  /** Sends a request and returns the reply. */
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
        throw new AssertionError("the agent has ended\n" + errors());
      }
      byte[] rest = in.readNBytes(ByteBuffer.wrap(first).getInt() - 4);
      return ByteBuffer.allocate(4 + rest.length).put(first).put(rest).flip();
    } catch (IOException e) {
      throw new AssertionError("the agent has ended\n" + errors(), e);
    }
  }

  /**
   * Waits until a process listens at a TCP port. A trial connection would be the agent's only one.
   */
  void awaitListeningAt(int port) {
    String local = String.format(Locale.ROOT, ":%04X", port);
    Await.until(
        "the agent listens at " + port,
        this::errors,
        () ->
            fields("/proc/net/tcp", "/proc/net/tcp6")
                .anyMatch(fields -> fields[1].endsWith(local) && fields[3].equals("0A")));
  }

  /** Waits until a process listens at a Unix domain socket. */
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
   * Returns a line of proc_pid_status(5) for each thread of the agent.
   *
   * @param field the name of the line
   * @return the words of the line; one entry if they are the same for all threads
   */
  Set<List<String>> ofThreads(String field) {
    return ofThreads(Long.toString(process.pid()), field);
  }

  /** Returns the same for each thread of another process; "self" is this one. */
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

  /** Returns the process. */
  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Returns what it has written to standard error. */
  String errors() {
    return TemporaryPcp.text(errors);
  }

  /** Closes the agent's standard input and waits for its exit status. */
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
    return Await.exitStatus(process, this::errors);
  }

  /** Returns the rest of its standard output, up to the end. */
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
