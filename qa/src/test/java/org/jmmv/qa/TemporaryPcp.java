package org.jmmv.qa;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jmmv.testkit.MmvWriter;

/** Directories that the agents, pmcds, applications and clients of one test share. */
final class TemporaryPcp implements AutoCloseable {
  /** The name space of a private pmcd: the agent's names, and those that clients ask for. */
  private static final String NAMES =
      """
      root {
          mmv 70:*:*
          pmcd
      }
      pmcd {
          timezone 2:0:5
          version  2:0:7
          hostname 2:0:21
          pid      2:0:23
          seqnum   2:0:24
          zoneinfo 2:0:26
          client
      }
      pmcd.client {
          whoami   2:6:0
      }
      """;

  private final Path root;
  private final Deque<AutoCloseable> open = new ConcurrentLinkedDeque<>();

  TemporaryPcp() {
    this(new ThisMachine());
  }

  /** Creates directories that have the same paths here and on a machine. */
  TemporaryPcp(Machine machine) {
    try {
      root = Files.createTempDirectory(machine.temporary(), "jmmv-qa");
      // for agents and applications that run as another user
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
      for (String directory : new String[] {"tmp/mmv", "var", "run", "log/pmcd"}) {
        Files.createDirectories(root.resolve(directory));
      }
      Files.writeString(names(), NAMES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the variables that make PCP's programs, agents and writers use the directories. */
  Map<String, String> environment() {
    return Map.of(
        "PCP_TMP_DIR", root.resolve("tmp").toString(),
        "PCP_VAR_DIR", root.resolve("var").toString(),
        "PCP_RUN_DIR", root.resolve("run").toString(),
        "PCP_LOG_DIR", root.resolve("log").toString());
  }

  /** Returns the directory of the MMV files. */
  Path mmv() {
    return root.resolve("tmp/mmv");
  }

  /** Returns the file with the name space. */
  Path names() {
    return root.resolve("names");
  }

  /** Returns the path of a file beside the directories. */
  Path file(String name) {
    return root.resolve(name);
  }

  /** Returns a script in place of a Java. */
  Path javaScript(String commands) throws IOException {
    Path java = Files.createDirectories(file("java/bin")).resolve("java");
    Files.writeString(file("java/release"), "JAVA_VERSION=\"99\"\n");
    Files.writeString(java, "#!/bin/sh\n" + commands + "\n");
    if (!java.toFile().setExecutable(true, false)) {
      throw new IOException(java + " can't be made executable");
    }
    return java;
  }

  /** Returns what a file holds, one char per byte; empty if the file is missing. */
  static String text(Path file) {
    try {
      return Files.readString(file, ISO_8859_1);
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts an MMV file into the directory. It appears there complete, with a rename. */
  void serve(String name, byte[] image) {
    MmvWriter.write(ByteBuffer.wrap(image), mmv(), name);
  }

  /** Has something, such as a process, closed before the directories are deleted. */
  <T extends AutoCloseable> T open(T one) {
    open.push(one);
    return one;
  }

  /** Closes what was opened, the last first, and deletes the directories. */
  @Override
  public void close() {
    try {
      while (!open.isEmpty()) {
        open.pop().close();
      }
      Trees.delete(root);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
