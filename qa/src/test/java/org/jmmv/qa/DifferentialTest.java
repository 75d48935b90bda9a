package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jmmv.pcp.ValueType;
import org.jmmv.qa.Application.Library;
import org.jmmv.testkit.MmvType;
import org.jmmv.testkit.MmvWriter;
import org.jmmv.testkit.SeedFiles;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Over the same files, the stock agent and jmmv give the same replies, byte for byte: here on this
 * machine, in {@link ContainerTest} with other versions of PCP.
 */
@Tag("quick")
class DifferentialTest {
  private static final String FILE = "app"; // one name for all, see AgentPair

  private AgentPair agents; // of overTheSameFiles; null: none run

  /** Returns the machine whose agents and applications are used. */
  Machine machine() {
    return new ThisMachine();
  }

  /** Whether the agents are also compared over files that no application of the machine writes. */
  boolean asksAll() {
    return true;
  }

  /** Puts files into the directory of the agents. */
  private interface Writer {
    /** Returns the applications that write the files, which run until the agents are compared. */
    List<Application> write(TemporaryPcp pcp);
  }

  /**
   * Files to compare the agents with.
   *
   * @param isSound whether jmmv has nothing to report about the files
   * @param minTimes the number of times of sections in progress
   */
  private record Case(
      String name, Writer writer, boolean isSound, int minQuestions, int minValues, int minTimes) {}

  /** All cases share a pair of agents, which is replaced if one of the agents ends. */
  @TestFactory
  @Execution(ExecutionMode.SAME_THREAD)
  Stream<DynamicTest> overTheSameFiles() {
    return Stream.concat(
            applications(),
            asksAll()
                ? Stream.of(odd(), generated(), ofLibraries()).flatMap(cases -> cases)
                : Stream.empty())
        .map(files -> dynamicTest(files.name, () -> compareWithSharedAgents(files)))
        .onClose(this::stopAgents);
  }

  private void compareWithSharedAgents(Case files) throws IOException, InterruptedException {
    if (agents != null && agents.hasEnded()) {
      stopAgents();
    }
    if (agents == null) {
      agents = new AgentPair(machine());
    }
    compare(agents, files);
  }

  private void stopAgents() {
    if (agents != null) {
      agents.close();
      agents = null;
    }
  }

  /** With a pair of its own, because several of these files leave the cluster to the agent. */
  @Test
  void overAllFilesTogether() throws IOException, InterruptedException {
    try (AgentPair pair = new AgentPair(machine())) {
      compare(pair, new Case("all together", this::writeAll, false, 2000, 1000, 0));
    }
  }

  private List<Application> writeAll(TemporaryPcp pcp) {
    SeedFiles.servedAlike().forEach(pcp::serve);
    List<Application> applications = new ArrayList<>();
    for (Library library : Library.values()) {
      applications.add(start(pcp, library, library.name(), "plain"));
    }
    applications.add(start(pcp, Library.LIBPCP_MMV, "labelled", "labelled"));
    applications.add(start(pcp, Library.LIBPCP_MMV, "automatic", "automatic queues"));
    return applications;
  }

  private Stream<Case> applications() {
    return Stream.of(
        application(Library.LIBPCP_MMV, "plain", 400, 500, 25),
        application(Library.LIBPCP_MMV, "other", 240, 250, 0),
        application(Library.LIBPCP_MMV, "automatic", 240, 250, 0),
        application(Library.LIBPCP_MMV, "automatic queues", 400, 500, 0),
        application(Library.LIBPCP_MMV, "long", 280, 270, 0),
        application(Library.LIBPCP_MMV, "labelled", 250, 300, 0),
        application(Library.LIBPCP_MMV, "edges", 700, 500, 50),
        application(Library.LIBPCP_MMV, "long edges", 700, 900, 70),
        application(Library.PYTHON, "plain", 300, 300, 0),
        application(Library.PYTHON, "other", 240, 250, 0),
        application(Library.PYTHON, "edges", 600, 500, 50),
        application(Library.PERL, "plain", 300, 300, 0),
        application(Library.PERL, "other", 240, 250, 0),
        application(Library.PARFAIT, "plain", 350, 400, 0),
        application(Library.PARFAIT, "other", 240, 250, 0),
        application(Library.PARFAIT, "long", 280, 270, 0),
        application(Library.WRITER, "plain", 300, 300, 10),
        application(Library.WRITER, "other", 240, 250, 0),
        application(Library.WRITER, "long", 280, 270, 0),
        application(Library.WRITER, "labelled", 250, 270, 0),
        application(Library.WRITER, "short", 600, 400, 0),
        application(Library.WRITER, "types", 600, 400, 0),
        application(Library.WRITER, "sentinel", 600, 400, 0));
  }

  private Case application(
      Library library, String shape, int minQuestions, int minValues, int minTimes) {
    return new Case(
        library + " " + shape,
        pcp -> List.of(start(pcp, library, FILE, shape)),
        true,
        minQuestions,
        minValues,
        minTimes);
  }

  private Application start(TemporaryPcp pcp, Library library, String file, String shape) {
    Path errors = pcp.file(file + ".err");
    return Application.start(machine(), errors, pcp.mmv(), library, file, shape);
  }

  private static Stream<Case> odd() {
    return Stream.of(
        odd(1, 0),
        odd(2, 0),
        odd(3, 0),
        odd(1, 4),
        odd(2, 5),
        odd(3, 5),
        packed(2, 0),
        packed(3, 5),
        image("test 1552", test1552(), true, 40, 1, 0));
  }

  /** A file like that of PCP's own test 1552: METRICS come first, strings behind each other. */
  private static ByteBuffer test1552() {
    MmvWriter file = new MmvWriter(3).packed().cluster(1234).pid(5678);
    MmvWriter.InDom inDom = file.inDom(1).help("help of the domain", "more");
    inDom.instance(88, "the only one");
    file.metric("counter", 1, ValueType.U32)
        .units(1 << 20)
        .help("one line", "two\nlines")
        .inDom(inDom)
        .at(88, 42);
    ByteBuffer image = file.image();
    byte[] toc = new byte[64]; // INDOMS, INSTANCES, METRICS, VALUES
    image.get(MmvWriter.HEADER_SIZE, toc);
    image.put(MmvWriter.HEADER_SIZE, toc, 32, 32).put(MmvWriter.HEADER_SIZE + 32, toc, 0, 32);
    return image;
  }

  private static Case odd(int version, int flags) {
    String name = "odd, version %d, flags %d".formatted(version, flags);
    return image(name, OddFile.image(version, flags), false, 1000, 500, 15);
  }

  private static Case packed(int version, int flags) {
    String name = "packed, version %d, flags %d".formatted(version, flags);
    return image(name, OddFile.packed(version, flags), false, 1000, 500, 15);
  }

  private static Stream<Case> generated() {
    return Stream.of(
        generated("doubles", 1, SeedFiles.grouped(1, 3, MmvType.DOUBLE), 300),
        generated("help and labels", 1, SeedFiles.described(2, 5, MmvType.U64, 20), 500),
        generated("strings", 1, SeedFiles.described(3, 0, MmvType.STRING, 3), 100),
        generated("timers", 1, SeedFiles.grouped(2, 0, MmvType.ELAPSED), 100),
        generated("floats", 1, SeedFiles.grouped(1, 4, MmvType.FLOAT), 400),
        generated(
            "sentinel", 1, SeedFiles.grouped(3, 0, MmvType.I32).flags(MmvWriter.SENTINEL), 100),
        generated(
            "last cluster",
            1,
            SeedFiles.grouped(2, 7, MmvType.I64).flags(MmvWriter.NOPREFIX).cluster(4095),
            700),
        generated(
            "5 files of a cluster", 5, SeedFiles.described(3, 3, MmvType.U64, 0).cluster(77), 500),
        generated(
            "30 files with the same names",
            30,
            SeedFiles.grouped(1, 2, MmvType.U32).flags(MmvWriter.NOPREFIX).cluster(12),
            200));
  }

  /** A case of equal files. If they are several, the cluster must be set, see {@link AgentPair}. */
  private static Case generated(String name, int files, MmvWriter writer, int minValues) {
    ByteBuffer image = writer.image();
    return new Case(
        name,
        pcp -> {
          MmvWriter.write(image, pcp.mmv(), FILE);
          IntStream.range(1, files).forEach(i -> MmvWriter.write(image, pcp.mmv(), FILE + i));
          return List.of();
        },
        files == 1,
        300,
        minValues,
        0);
  }

  private static Stream<Case> ofLibraries() {
    return SeedFiles.ofLibraries().entrySet().stream()
        .map(file -> image(file.getKey(), ByteBuffer.wrap(file.getValue()), true, 200, 50, 0));
  }

  private static Case image(
      String name,
      ByteBuffer image,
      boolean isSound,
      int minQuestions,
      int minValues,
      int minTimes) {
    return new Case(
        name,
        pcp -> {
          MmvWriter.write(image, pcp.mmv(), FILE);
          return List.of();
        },
        isSound,
        minQuestions,
        minValues,
        minTimes);
  }

  private static void compare(AgentPair agents, Case files)
      throws IOException, InterruptedException {
    agents.deleteFiles();
    int logged = agents.log().length();
    List<Application> applications = files.writer.write(agents.pcp());
    Interview interview;
    try {
      interview = agents.compare();
    } finally {
      applications.forEach(Application::stop); // an application deletes its file when it ends
    }
    System.out.printf(
        "DifferentialTest: %s: %d questions, %d values, %d times of sections in progress%n",
        files.name, interview.questions(), interview.values(), interview.times());
    String problems = AgentLog.problems(agents.log().substring(logged));
    assertAll(
        () -> assertEquals("", String.join("\n", interview.differences())),
        () -> assertEquals("", files.isSound ? problems : "", "what jmmv logs"),
        () -> assertTrue(interview.questions() >= files.minQuestions, "too few questions"),
        () -> assertTrue(interview.values() >= files.minValues, "too few values"),
        () -> assertTrue(interview.times() >= files.minTimes, "too few sections in progress"));
  }
}
