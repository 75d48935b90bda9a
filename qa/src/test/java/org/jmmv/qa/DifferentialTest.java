package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jmmv.client.AgentConnection;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The stock agent and jmmv, over the same files, say the same to every question, byte for byte. */
class DifferentialTest {
  private static final Path GENERATOR =
      Path.of(System.getProperty("jmmv.shared"), "tools", "mmvgen.py");

  @TestFactory
  Stream<DynamicTest> overEachFixture() {
    return Fixtures.all("DifferentialTest over each fixture").stream()
        .map(fixture ->
            dynamicTest(
                fixture.getFileName().toString(),
                () -> compare(pcp -> pcp.serveCopyOf(fixture), 200, 50)));
  }

  @TestFactory
  Stream<DynamicTest> overAllFixturesTogether() {
    List<Path> fixtures = Fixtures.all("DifferentialTest over all fixtures together");
    return fixtures.isEmpty()
        ? Stream.of()
        : Stream.of(
            dynamicTest(
                "all", () -> compare(pcp -> fixtures.forEach(pcp::serveCopyOf), 2000, 1000)));
  }

  @TestFactory
  Stream<DynamicTest> overGeneratedFiles() {
    if (Fixtures.all("DifferentialTest over generated files").isEmpty()) {
      return Stream.of();
    }
    Map<String, Integer> leastValuesByArguments =
        Map.of(
            "--version 1 --instances 3 --type double", 300,
            "--version 2 --instances 5 --text --labels 20", 500,
            "--version 3 --type string --text --labels 3", 100,
            "--version 2 --type elapsed", 100,
            "--version 1 --type float --instances 4", 400,
            "--version 3 --type i32 --flags 4", 100,
            "--version 2 --type i64 --flags 1 --cluster 4095 --instances 7", 700,
            "--files 5 --version 3 --cluster 77 --instances 3 --text", 500,
            "--files 30 --flags 1 --cluster 12 --instances 2 --type u32", 200);
    return leastValuesByArguments.entrySet().stream()
        .map(entry ->
            dynamicTest(
                entry.getKey(),
                () -> compare(pcp -> generate(pcp, entry.getKey()), 300, entry.getValue())));
  }

  private static void generate(TemporaryPcp pcp, String arguments) {
    List<String> command =
        Stream.concat(
                Stream.of("/usr/bin/python3", GENERATOR.toString(), pcp.mmv().toString()),
                Stream.of(arguments.split(" ")))
            .toList();
    Shell.run(Map.of(), command).outOfSuccess();
  }

  private interface Files {
    void write(TemporaryPcp pcp) throws IOException;
  }

  private static void compare(Files files, int leastQuestions, int leastValues) throws IOException {
    try (TemporaryPcp pcp = new TemporaryPcp()) {
      files.write(pcp);
      try (AgentConnection stock = start(AgentCommand.stock(), pcp);
          AgentConnection jmmv = start(AgentCommand.jmmv(), pcp)) {
        Interview interview = new Interview(stock, jmmv);
        interview.run();
        System.out.println(
            "DifferentialTest: "
                + interview.questions()
                + " questions, "
                + interview.values()
                + " values");
        assertAll(
            () -> assertEquals("", String.join("\n", interview.differences())),
            () -> assertTrue(interview.questions() >= leastQuestions, "too few questions"),
            () -> assertTrue(interview.values() >= leastValues, "too few values"));
      }
    }
  }

  private static AgentConnection start(AgentCommand agent, TemporaryPcp pcp) throws IOException {
    AgentCommand logging = agent.with("-l", pcp.file(agent.name() + ".log").toString());
    return AgentConnection.start(logging.words(), pcp.environment());
  }
}
