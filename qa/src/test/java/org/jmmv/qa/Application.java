package org.jmmv.qa;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A running process that writes an MMV file. */
final class Application implements AutoCloseable {

  /** A library that writes an MMV file. */
  enum Library {
    /** PCP's library for C. */
    LIBPCP_MMV,
    /** PCP's module for Python. */
    PYTHON,
    /** PCP's module for Perl. */
    PERL,
    /** A library for Java that does not use PCP's. */
    PARFAIT,
    /** The one of this project. */
    WRITER;

    private List<String> command(Machine machine) {
      switch (this) {
        case LIBPCP_MMV -> machine.require(Need.COMPILER);
        case PYTHON -> machine.require(Need.PYTHON);
        case PERL -> machine.require(Need.PERL);
        case PARFAIT, WRITER -> {}
      }
      return switch (this) {
        case LIBPCP_MMV ->
            List.of(compiled(machine, SOURCES.resolve("c/application.c")).toString());
        // PCP's modules are the system's
        case PYTHON ->
            List.of("/usr/bin/python3", SOURCES.resolve("python/application.py").toString());
        case PERL -> List.of("/usr/bin/perl", SOURCES.resolve("perl/application.pl").toString());
        case PARFAIT -> java(ParfaitApplication.class);
        case WRITER -> java(WriterApplication.class);
      };
    }

    private static List<String> java(Class<?> main) {
      return List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-cp",
          System.getProperty("java.class.path"),
          main.getName());
    }
  }

  private static final Path SOURCES = Path.of(System.getProperty("jmmv.sources"));
  private static final Path ACME = Path.of("/usr/share/pcp/demos/mmv/acme.c");

  private final Path errors;
  private final Process process;
  private final BufferedWriter orders;
  private final BufferedReader replies;

  private Application(Machine machine, Path errors, Path mmv, List<String> command) {
    this.errors = errors;
    Map<String, String> environment = Map.of("PCP_TMP_DIR", mmv.getParent().toString());
    try {
      process =
          new ProcessBuilder(machine.command(environment, command))
              .redirectError(errors.toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    orders = process.outputWriter();
    replies = process.inputReader();
  }

  /**
   * Starts an application and waits until it has written its file.
   *
   * @param file the name of the MMV file
   * @param shape which metrics the file has, see application.c, application.py, application.pl,
   *     {@link ParfaitApplication} and {@link WriterApplication}
   */
  static Application start(TemporaryPcp pcp, Library library, String file, String shape) {
    Path errors = pcp.file("application.err");
    return start(new ThisMachine(), errors, pcp.mmv(), library, file, shape);
  }

  /**
   * Starts an application on a machine, with its file in this directory, whose name must be mmv.
   */
  static Application start(
      Machine machine, Path errors, Path mmv, Library library, String file, String shape) {
    List<String> command = new ArrayList<>(library.command(machine));
    command.add(file);
    command.add(shape);
    Application application = new Application(machine, errors, mmv, command);
    application.expect("ready");
    return application;
  }

  /**
   * Starts an application in a PID namespace of its own, as in a container. Its file has a metric
   * {@code answer} and the PROCESS flag.
   *
   * @param pid the application's process ID in the namespace; not in use if it is not 1
   */
  static Application startInPidNamespace(TemporaryPcp pcp, String file, long pid) {
    Machine machine = new ThisMachine();
    machine.require(Need.NAMESPACES);
    List<String> command = new ArrayList<>(List.of("unshare", "--pid", "--fork", "--kill-child"));
    if (pid != 1) {
      String fork =
          "exec 3<&0; echo %d >/proc/sys/kernel/ns_last_pid; \"$@\" <&3 & wait".formatted(pid - 1);
      command.addAll(List.of("sh", "-c", fork, "sh"));
    }
    command.addAll(Library.LIBPCP_MMV.command(machine));
    command.addAll(List.of(file, "automatic"));
    Application application =
        new Application(machine, pcp.file("application.err"), pcp.mmv(), command);
    application.expect("ready");
    return application;
  }

  /** Starts PCP's example acme, which changes its values all the time. */
  static Application startAcme(TemporaryPcp pcp) {
    return startAcme(new ThisMachine(), pcp.file("application.err"), pcp.mmv());
  }

  /** Starts PCP's example acme with its file in this directory, whose name must be mmv. */
  static Application startAcme(Machine machine, Path errors, Path mmv) {
    machine.require(Need.COMPILER);
    List<String> command = List.of(compiled(machine, ACME).toString());
    Application acme = new Application(machine, errors, mmv, command);
    Await.until(
        "acme has its file",
        () -> machine.run("test", "-e", mmv.resolve("acme").toString()).status() == 0);
    return acme;
  }

  /** Compiles a program unless that has been done. Concurrent tests may do it at the same time. */
  private static Path compiled(Machine machine, Path source) {
    Path program = machine.programs().resolve(source.getFileName().toString().replace(".c", ""));
    String compile =
        """
        [ $0 -nt $1 ] || {
            mkdir -p ${0%/*} && gcc -O2 -o $0.$$ $1 -lpcp_mmv -lpcp && mv $0.$$ $0
        }
        """;
    machine.run("sh", "-c", compile, program.toString(), source.toString()).outOfSuccess();
    return program;
  }

  /** Sets a metric without instances. */
  void set(String metric, String value) {
    set(metric, "-", value);
  }

  /** Has a counter without instances increase steadily from 0 on. */
  void count(String metric, int perSecond, int seconds) {
    long start = System.nanoTime();
    double elapsed = 0;
    while (elapsed < seconds) {
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      elapsed = (System.nanoTime() - start) / 1e9;
      set(metric, Long.toString(Math.round(elapsed * perSecond)));
    }
  }

  /** Sets one instance of a metric. The name of the instance has no blanks. */
  void set(String metric, String instance, String value) {
    try {
      orders.write(metric + " " + instance + " " + value + "\n");
      orders.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    expect("ok");
  }

  private void expect(String reply) {
    try {
      String line = replies.readLine();
      if (!reply.equals(line)) {
        throw new AssertionError(
            "the application answered %s, not %s\n%s"
                .formatted(line, reply, TemporaryPcp.text(errors)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Closes its standard input and waits until it has ended by itself. */
  void stop() {
    try {
      orders.close();
      int status = process.waitFor();
      if (status != 0) {
        throw new AssertionError("the application's exit status is " + status);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Kills it, so that its file stays behind. */
  void kill() {
    List<ProcessHandle> children = process.descendants().toList(); // in a namespace
    children.forEach(ProcessHandle::destroyForcibly);
    children.forEach(child -> child.onExit().join());
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
