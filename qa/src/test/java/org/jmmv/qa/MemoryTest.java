package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jmmv.client.AgentConnection;
import org.jmmv.testkit.MmvType;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.UniformFile;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Memory that the agent no longer needs goes back to the system. */
final class MemoryTest {
  private static final int FILES = 8;
  private static final int ROUNDS = 60;

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final Path log = pcp.file("mmv.log");
  private final Path errors = pcp.file("mmv.err");

  /** The live heap is 25 MB, and each round makes as much garbage. */
  @Test
  void filesThatAreRewrittenAllTheTimeDoNotFillTheMemory() throws IOException {
    long kilobytes = residentAfterRewrites(AgentCommand.jmmv().words());
    assertTrue(kilobytes < 250_000, kilobytes + " kB");
  }

  @Test
  void theSameIsServedWith256MebibytesInAll() throws IOException {
    try (ControlGroup group = newGroup(256 << 20)) {
      long kilobytes = residentAfterRewrites(group.around(AgentCommand.jmmv().words()));
      assertTrue(kilobytes < 200_000, kilobytes + " kB");
    }
  }

  /** Creates a control group; the test is skipped where that is not permitted. */
  private static ControlGroup newGroup(int bytes) {
    try {
      return new ControlGroup(bytes);
    } catch (IOException e) {
      return Assumptions.abort("no control group can be made: " + e);
    }
  }

  private static void awaitMetrics(int number, AgentConnection agent) {
    Await.until(
        number + " metrics",
        () -> {
          try {
            return agent.traverse("mmv").size() == number;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private long residentAfterRewrites(List<String> words) throws IOException {
    UniformFile shape = new UniformFile(2, 1000, 10, MmvType.U64);
    List<ByteBuffer> images = new ArrayList<>();
    for (int f = 0; f < FILES; f++) {
      images.add(shape.writer(0).cluster(f + 1).image());
    }
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of("-l", log.toString()));
    try (AgentConnection agent =
        AgentConnection.start(all, pcp.environment(), Redirect.to(errors.toFile()), Await.LIMIT)) {
      for (int round = 0; round < ROUNDS; round++) {
        for (int f = 0; f < FILES; f++) {
          MmvWriter.write(images.get(f), pcp.mmv(), "file" + f); // another file of that name
        }
        int own = agent.traverse("mmv.control").size();
        awaitMetrics(FILES * 1000 + own, agent); // a busy machine needs several requests
      }
      return Resources.of(agent.pid()).residentKilobytes();
    } catch (UncheckedIOException e) {
      throw new AssertionError(TemporaryPcp.text(log) + TemporaryPcp.text(errors), e);
    }
  }
}
