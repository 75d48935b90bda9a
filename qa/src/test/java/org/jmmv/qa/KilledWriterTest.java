package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvFormatException;
import org.jmmv.writer.MmvApplication;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** An application with the library of this project is killed, at any moment, and started again. */
final class KilledWriterTest {
  private static final Pattern VALUE =
      Pattern.compile("(?:inst \\[(\\d+) or \"i\\d+\"] )?value (?:\"(.*)\"|(\\d+))");

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final Random random = new Random(1);
  private int values;

  @Test
  void whatIsLeftIsServedOrRefusedAndTheNextStartWorks() throws Exception {
    int complete = 0;
    try (PrivatePmcd stock = PrivatePmcd.start(pcp, AgentCommand.stock());
        PrivatePmcd jmmv = PrivatePmcd.start(pcp, AgentCommand.jmmv())) {
      int lives = Nightly.isNight() ? 1_000 : 40;
      for (int life = 0; life < lives; life++) {
        Process application = start();
        LockSupport.parkNanos(random.nextLong(400_000_000));
        assertRight(stock.pminfo("-f", "mmv." + GrowingApplication.FILE).out());
        assertRight(jmmv.pminfo("-f", "mmv." + GrowingApplication.FILE).out());
        LockSupport.parkNanos(random.nextLong(2_000_000));
        assertTrue(application.isAlive(), () -> TemporaryPcp.text(pcp.file("growing.err")));
        application.destroyForcibly().waitFor();
        complete += isComplete() ? 1 : 0;
      }
      assertTrue(values > lives, values + " values");
      assertTrue(complete > lives / 4, complete + " files were complete");
      assertEquals("", AgentLog.problems(jmmv.agentLog()));
    }
  }

  private Process start() throws IOException, URISyntaxException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            place(MmvApplication.class) + File.pathSeparator + place(GrowingApplication.class),
            GrowingApplication.class.getName(),
            pcp.mmv().toString());
    Process application =
        new ProcessBuilder(command).redirectError(pcp.file("growing.err").toFile()).start();
    assertEquals("ready", application.inputReader().readLine());
    return application;
  }

  private static Path place(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** Looks at values that pminfo has printed, if there are any: the file may be incomplete. */
  private void assertRight(String printed) {
    Matcher value = VALUE.matcher(printed);
    while (value.find()) {
      values++;
      if (value.group(2) != null) {
        assertEquals(value.group(2).isEmpty() ? 0 : 1, value.group(2).chars().distinct().count());
      } else if (value.group(1) != null) {
        long number = Long.parseLong(value.group(3));
        long instance = Long.parseLong(value.group(1));
        assertTrue(number == 0 || number == instance * GrowingApplication.FACTOR, value::group);
      } else {
        assertEquals(0, Long.parseLong(value.group(3)) % GrowingApplication.STEP, value::group);
      }
    }
  }

  /** Returns whether the file is there and complete. Then all of it is right. */
  private boolean isComplete() throws IOException {
    Path file = pcp.mmv().resolve(GrowingApplication.FILE);
    if (!Files.exists(file)) {
      return false;
    }
    try (MmvFile left = MmvFile.open(file)) {
      assertEquals(List.of(), left.schema().faults());
      assertNotNull(left.schema().header());
      return true;
    } catch (MmvFormatException e) {
      assertTrue(e.getMessage().contains(": in flux: "), e::getMessage);
      return false;
    }
  }
}
