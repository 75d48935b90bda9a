package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.jmmv.client.AgentConnection;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A running agent is given thousands of damaged files and serves the good one all along. */
@Tag("hostile")
final class MutatedFilesTest {
  private static final int ROUNDS = 50;
  private static final int FILES = 200;
  private static final int CHANGED_IN_PLACE = 20;
  private static final Duration HANG = Duration.ofSeconds(10);

  @ParameterizedTest
  @MethodSource("org.jmmv.qa.Nightly#seeds")
  void noneOfThemKillsOrDelaysTheAgentOrDisturbsTheGoodFile(long seed) throws IOException {
    System.out.println("MutatedFilesTest: seed " + seed);
    DamagedImages images = new DamagedImages(seed);
    Random random = new Random(seed);
    try (TemporaryPcp pcp = new TemporaryPcp()) {
      GoodFile good = new GoodFile(pcp.mmv());
      AgentCommand command = AgentCommand.jmmv().with("-l", pcp.file("mmv.log").toString());
      try (AgentConnection agent =
          AgentConnection.start(
              command.words(), pcp.environment(), Redirect.to(pcp.file("err").toFile()), HANG)) {
        Survey survey = new Survey(agent);
        survey.run();
        Resources before = Resources.of(agent.pid());
        for (int round = 0; round < ROUNDS; round++) {
          try {
            for (int i = 0; i < FILES; i++) {
              MmvWriter.write(images.next(), pcp.mmv(), "file" + i);
            }
            agent.traverse("mmv"); // now they are mapped
            for (int i = 0; i < CHANGED_IN_PLACE; i++) {
              Files.write(pcp.mmv().resolve("file" + random.nextInt(FILES)), images.next().array());
            }
            good.work();
            survey.run();
            good.assertServedBy(agent);
          } catch (AssertionError | IOException e) {
            throw new AssertionError("seed " + seed + ", round " + round, e);
          }
        }
        assertTrue(survey.values() > ROUNDS * FILES, survey.values() + " values are too few");
        try (Stream<Path> files = Files.list(pcp.mmv())) {
          for (Path file : files.filter(f -> !f.endsWith(GoodFile.NAME)).toList()) {
            Files.delete(file);
          }
        }
        good.assertServedBy(agent);
        Await.until(
            "the removed files are unmapped, if not by a request, then after it",
            () -> before + " -> " + Resources.of(agent.pid()),
            () -> Resources.of(agent.pid()).mappings() < before.mappings() + FILES / 2);
        Resources after = Resources.of(agent.pid());
        assertEquals(before.descriptors(), after.descriptors(), "descriptors");
        System.out.printf(
            "MutatedFilesTest: %d files, %d answers, the slowest within %d ms, %s -> %s%n",
            ROUNDS * (FILES + CHANGED_IN_PLACE),
            survey.answers(),
            survey.slowestMillis(),
            before,
            after);
      }
    }
  }
}
