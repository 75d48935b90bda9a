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
import org.jmmv.qa.Application.Library;
import org.jmmv.testkit.Fixtures;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.NeedsFixtures;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Over the same files, the stock agent and jmmv give the same replies, byte for byte: here on this
 * machine, in {@link ContainerTest} with other versions of PCP.
 */
@DisplayName("same replies as its stock agent")
class DifferentialTest {
  private static final Path GENERATOR =
      Path.of(System.getProperty("jmmv.shared"), "tools", "mmvgen.py");

  /** Returns the machine whose agents and applications are used. */
  Machine machine() {
    return new ThisMachine();
  }

  @NeedsFixtures
  @TestFactory
  Stream<DynamicTest> overEachFixture() {
    return Fixtures.files().stream()
        .map(fixture ->
            dynamicTest(
                fixture.getFileName().toString(),
                () -> compare(pcp -> pcp.serveCopyOf(fixture), 200, 50)));
  }

  @NeedsFixtures
  @Test
  void overAllFixturesTogether() throws IOException {
    compare(pcp -> Fixtures.files().forEach(pcp::serveCopyOf), 2000, 1000);
  }

  /** The files of a generator that knows nothing of this project; it lies beside the fixtures. */
  @NeedsFixtures
  @TestFactory
  Stream<DynamicTest> overGeneratedFiles() {
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

  @ParameterizedTest
  @CsvSource({
    "LIBPCP_MMV, plain, 400, 500, 25",
    "LIBPCP_MMV, labelled, 250, 300, 0",
    "LIBPCP_MMV, edges, 700, 500, 50",
    "LIBPCP_MMV, long edges, 700, 900, 70",
    "PYTHON, plain, 300, 300, 0",
    "PYTHON, edges, 600, 500, 50",
    "PERL, plain, 300, 300, 0"
  })
  void overAnApplication(
      Library library, String shape, int leastQuestions, int leastValues, int leastTimes)
      throws IOException {
    try (TemporaryPcp pcp = new TemporaryPcp(machine());
        Application _ = Application.start(machine(), pcp, library, "app", shape)) {
      compare(pcp, leastQuestions, leastValues, leastTimes);
      assertEquals(
          "", AgentLog.problems(TemporaryPcp.text(pcp.file("jmmv.log"))), "what jmmv logs");
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 0", "3, 0", "1, 4", "2, 5", "3, 5"})
  void overAnOddFile(int version, int flags) throws IOException {
    try (TemporaryPcp pcp = new TemporaryPcp(machine())) {
      OddFile.write(version, flags, pcp.mmv());
      compare(pcp, 1000, 500, 15);
    }
  }

  @ParameterizedTest
  @CsvSource({"2, 0", "3, 5"})
  void overAFileWithPackedStrings(int version, int flags) throws IOException {
    try (TemporaryPcp pcp = new TemporaryPcp(machine())) {
      OddFile.writePacked(version, flags, pcp.mmv());
      compare(pcp, 1000, 500, 15);
    }
  }

  /** The file of PCP's own test 1552, whose strings are right behind each other. */
  @Test
  void overTheFileOfPcpsTest1552() throws IOException {
    try (TemporaryPcp pcp = new TemporaryPcp(machine())) {
      MmvWriter.write(PackedFile.image(), pcp.mmv(), "ondisk");
      compare(pcp, 40, 1, 0);
      assertEquals(
          "", AgentLog.problems(TemporaryPcp.text(pcp.file("jmmv.log"))), "what jmmv logs");
    }
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

  private void compare(Files files, int leastQuestions, int leastValues) throws IOException {
    try (TemporaryPcp pcp = new TemporaryPcp(machine())) {
      files.write(pcp);
      compare(pcp, leastQuestions, leastValues, 0);
    }
  }

  private void compare(TemporaryPcp pcp, int leastQuestions, int leastValues, int leastTimes)
      throws IOException {
    try (AgentConnection stock = start(AgentCommand.stock(), pcp);
        AgentConnection jmmv = start(AgentCommand.jmmv(), pcp)) {
      Interview interview = new Interview(stock, jmmv);
      interview.run();
      System.out.printf(
          "DifferentialTest: %d questions, %d values, %d times of sections in progress%n",
          interview.questions(), interview.values(), interview.times());
      assertAll(
          () -> assertEquals("", String.join("\n", interview.differences())),
          () -> assertTrue(interview.questions() >= leastQuestions, "too few questions"),
          () -> assertTrue(interview.values() >= leastValues, "too few values"),
          () -> assertTrue(interview.times() >= leastTimes, "too few sections in progress"));
    }
  }

  private AgentConnection start(AgentCommand agent, TemporaryPcp pcp) throws IOException {
    AgentCommand logging = agent.with("-l", pcp.file(agent.name() + ".log").toString());
    return AgentConnection.start(machine().command(pcp.environment(), logging.words()), Map.of());
  }
}
