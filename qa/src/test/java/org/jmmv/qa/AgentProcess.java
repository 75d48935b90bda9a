package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jmmv.client.AgentConnection;
import org.jmmv.client.CollectorConnection;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsNames;

/** An agent that a test starts itself. Standard input and output are pipes. */
final class AgentProcess implements AutoCloseable {
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
    Pdu greeting = receive();
    if (!(greeting instanceof Creds)) {
      throw new AssertionError(greeting + "\n" + errors());
    }
  }

  /** Asks for the names below mmv, as pmcd does, and returns them. */
  Set<String> children() {
    try {
      OutputStream out = process.getOutputStream();
      out.write(CollectorConnection.encoded(new PmnsChild(0, false, "mmv")));
      out.flush();
    } catch (IOException e) {
      throw new AssertionError("the agent has ended\n" + errors(), e);
    }
    Pdu reply = receive();
    if (!(reply instanceof PmnsNames names)) {
      throw new AssertionError(reply + "\n" + errors());
    }
    return new TreeSet<>(names.names());
  }

  private Pdu receive() {
    try {
      InputStream in = process.getInputStream();
      byte[] head = in.readNBytes(4);
      if (head.length < 4) {
        throw new AssertionError("the agent has ended\n" + errors());
      }
      byte[] frame = Arrays.copyOf(head, ByteBuffer.wrap(head).getInt());
      in.readNBytes(frame, 4, frame.length - 4);
      return AgentConnection.decode(frame);
    } catch (IOException e) {
      throw new AssertionError("the agent has ended\n" + errors(), e);
    }
  }

  /** Asks until these are the names below mmv: a busy machine may need more than one request. */
  void awaitChildren(String... names) {
    Set<String> expected = Set.of(names);
    Await.until(
        "it serves " + expected, () -> children() + errors(), () -> children().equals(expected));
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
