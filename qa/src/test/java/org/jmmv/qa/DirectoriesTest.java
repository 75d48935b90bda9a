package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.jmmv.pcp.ValueType;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ten directories under a pmcd: each with a prefix, labels and a rule for processes of its own. */
@Tag("quick")
final class DirectoriesTest {
  private static final int DIRECTORIES = 10;

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();

  @BeforeEach
  void createFiles() throws IOException {
    Files.createDirectories(pcp.file("etc/jmmv"));
    for (int i = 0; i < DIRECTORIES; i++) {
      Files.createDirectory(directory(i));
      write(i, "app", new MmvWriter(1));
      write(i, "ended", new MmvWriter(1).flags(MmvWriter.PROCESS).pid(Integer.MAX_VALUE));
    }
    settings(DIRECTORIES);
  }

  private Path directory(int i) {
    return pcp.file("d" + i);
  }

  private void write(int i, String name, MmvWriter writer) {
    writer.metric("m", 1, ValueType.I32).value(i);
    writer.write(directory(i), name);
  }

  /** Writes settings for the first directories. Every second one ignores processes. */
  private void settings(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(
          """
          [[directory]]
          path = "%s"
          prefix = "p%d"
          process = "%s"
          labels = { place = %d }
          """
              .formatted(directory(i), i, i % 2 == 0 ? "pid" : "ignore", i));
    }
    try {
      Path next = Files.writeString(pcp.file("next"), text);
      Files.move(
          next,
          pcp.file("etc/jmmv/jmmv.toml"),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private PrivatePmcd start() {
    return PrivatePmcd.start(
        pcp, AgentCommand.jmmv(), Map.of("PCP_SYSCONF_DIR", pcp.file("etc").toString()));
  }

  @Test
  void eachHasItsPrefixItsLabelsAndItsRule() {
    try (PrivatePmcd pmcd = start()) {
      for (int i = 0; i < DIRECTORIES; i++) {
        String app = "mmv.p" + i + ".app.m";
        String shown = pmcd.pminfo("-f", "-l", app).outOfSuccess();
        assertTrue(shown.contains("value " + i + "\n"), shown);
        assertTrue(shown.contains("\"place\":" + i), shown);
        boolean isServed = pmcd.pminfo("mmv.p" + i + ".ended.m").status() == 0;
        assertEquals(i % 2 == 1, isServed, "ended in directory " + i);
      }
      String states = pmcd.pminfo("-f", "mmv.control.file.state_name").outOfSuccess();
      assertEquals(DIRECTORIES + DIRECTORIES / 2, count(states, "value \"served\""), states);
      assertEquals(DIRECTORIES / 2, count(states, "value \"process ended\""), states);
      assertTrue(states.contains("\"app\"]"), "the first directory: " + states);
      for (int i = 1; i < DIRECTORIES; i++) {
        assertTrue(states.contains('"' + directory(i).toString() + "/app\"]"), states);
      }
    }
  }

  private static int count(String text, String part) {
    return text.split(part, -1).length - 1;
  }
}
