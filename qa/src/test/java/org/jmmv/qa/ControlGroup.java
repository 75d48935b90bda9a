package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A control group that limits the memory of its processes, see cgroups(7). */
final class ControlGroup implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Path path;

  /**
   * Creates the group.
   *
   * @throws IOException if that is not permitted
   */
  ControlGroup(long bytes) throws IOException {
    Need.CGROUPS.require();
    Path version1 = Path.of("/sys/fs/cgroup/memory");
    boolean isVersion1 = Files.exists(version1);
    Path parent = isVersion1 ? version1 : version1.getParent();
    String name =
        "jmmv-test-%d-%d".formatted(ProcessHandle.current().pid(), COUNT.getAndIncrement());
    path = Files.createDirectory(parent.resolve(name));
    Files.writeString(
        path.resolve(isVersion1 ? "memory.limit_in_bytes" : "memory.max"), Long.toString(bytes));
  }

  /** Returns a command that runs another one in the group. */
  List<String> around(List<String> command) {
    String enter = "echo $$ >" + path.resolve("cgroup.procs") + " && exec \"$@\"";
    List<String> words = new ArrayList<>(List.of("sh", "-c", enter, "sh"));
    words.addAll(command);
    return words;
  }

  /** Removes the group, whose processes must have ended. */
  @Override
  public void close() {
    try {
      Files.delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
