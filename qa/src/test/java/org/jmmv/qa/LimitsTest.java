package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jmmv.client.AgentConnection;
import org.jmmv.pcp.ValueType;
import org.jmmv.protocol.Profile;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Files at the limits of what the agent serves, and beyond them. */
final class LimitsTest {

  /** An eighth of the launcher's heap. The limits below are an eighth of the default ones. */
  private static final String EIGHTH = "-Xmx64m";

  private static final int METRICS = 12_500;
  private static final int INSTANCES = 25_000;
  private static final int VALUES = 500_000;
  private static final int LABELS = 6_250;
  private static final int GOOD = 5; // the most that the good file needs of anything; its values
  private static final int FILES = 25;
  private static final int MANY_VALUED = 40; // metrics of a file that have many values
  private static final String ALL_AT_ONCE = "--max-wait=60000";
  private static final String[] LIMITS = {
    ALL_AT_ONCE,
    "--max-memory=80", // MiB; the estimate is higher than what is used
    "--max-files=2500",
    "--max-metrics=" + (METRICS + GOOD),
    "--max-instances=" + (INSTANCES + GOOD),
    "--max-values=" + (VALUES + GOOD),
    "--max-labels=" + (LABELS + GOOD)
  };

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final Path log = pcp.file("mmv.log");
  private final Path errors = pcp.file("mmv.err");

  private AgentConnection start(String javaOptions, String... options) throws IOException {
    Map<String, String> environment = new HashMap<>(pcp.environment());
    environment.put("JMMV_JAVA_OPTS", javaOptions);
    return AgentConnection.start(
        AgentCommand.jmmv().with("-l", log.toString()).with(options).words(),
        environment,
        Redirect.to(errors.toFile()),
        Await.LIMIT);
  }

  private String log() {
    return AgentLog.problems(TemporaryPcp.text(log)) + TemporaryPcp.text(errors);
  }

  /** A text of 255 bytes that begins so. */
  private static String longest(String start) {
    return start + "x".repeat(255 - start.length());
  }

  // --- at the limits

  @Test
  void aDirectoryAtAllLimitsIsServed() throws IOException {
    int singular = METRICS / FILES - MANY_VALUED;
    int each = (VALUES / FILES - singular) / MANY_VALUED;
    for (int f = 0; f < FILES; f++) {
      MmvWriter file = new MmvWriter(2).cluster(f + 1);
      addInstances(file, f, each);
      addSingularMetrics(file, f, singular);
      addLabels(file, LABELS / FILES);
      file.write(pcp.mmv(), "file" + f);
    }
    assertIsServed(FILES * (singular + MANY_VALUED * each));
  }

  /** Adds two instance domains, and the metrics of many values over them. */
  private static void addInstances(MmvWriter file, int f, int valuesOfEach) {
    for (int serial = 1; serial <= 2; serial++) {
      MmvWriter.InDom inDom = file.inDom(serial).help(longest("short"), longest("long"));
      for (int i = 0; i < INSTANCES / FILES / 2 - 1; i++) { // the domain counts, too
        inDom.instance(i, longest("f" + f + "s" + serial + "i" + i));
      }
      for (int m = 0; m < MANY_VALUED / 2; m++) {
        int item = 600 + serial * 50 + m;
        MmvWriter.Metric metric =
            file.metric(longest("s" + serial + "v" + m), item, ValueType.U64).inDom(inDom);
        for (int i = 0; i < valuesOfEach; i++) {
          metric.at(i, i);
        }
      }
    }
  }

  private static void addSingularMetrics(MmvWriter file, int f, int count) {
    for (int m = 0; m < count; m++) {
      // a name of 128 parts, each a node of the name space
      String name = ("m" + m + ".a".repeat(127)).substring(0, 254) + "b";
      file.metric(name, m, ValueType.U32)
          .help(longest("short " + f + " " + m), longest("long " + f + " " + m))
          .value(m);
    }
  }

  private static void addLabels(MmvWriter file, int count) {
    for (int i = 0; i < count; i++) {
      StringBuilder json = new StringBuilder("{");
      for (int k = 0; json.length() < 230; k++) {
        json.append(k == 0 ? "" : ",").append("\"l").append(i).append('_').append(k).append("\":1");
      }
      file.label(i % 2 == 0 ? 16 : 32, i % 2 == 0 ? i : 1, i, json.append('}').toString());
    }
  }

  /** Every instance of every metric could have a value, but only one has. */
  @Test
  void manyMetricsOfManyInstancesAreServedThoughTheyHaveFewValues() throws IOException {
    for (int f = 0; f < 12; f++) {
      MmvWriter file = new MmvWriter(2).cluster(1 + 2048 * (f % 2));
      MmvWriter.InDom inDom = file.inDom(1).instance(0, "the only one");
      for (int i = 1; f == 0 && i <= INSTANCES - 2 * 12; i++) { // the domains count, too
        inDom.instance(i, "the only one");
      }
      for (int m = 0; m < 1000; m++) {
        file.metric("m" + m, m, ValueType.U32).inDom(inDom).at(0, m);
      }
      file.write(pcp.mmv(), "file" + f);
    }
    assertIsServed(2 * 1000);
  }

  /** Everything is served, and nothing is left out. */
  private void assertIsServed(int values) throws IOException {
    GoodFile good = new GoodFile(pcp.mmv());
    try (AgentConnection agent = start(EIGHTH, LIMITS)) {
      Survey survey = new Survey(agent);
      survey.run();
      good.assertServedBy(agent);
      int own = 0;
      for (String name : agent.traverse("mmv.control")) {
        own += agent.fetch(Profile.all(0, 0), agent.pmid(name)).sets().getFirst().values().size();
      }
      assertEquals(values + GOOD + own, survey.values());
      assertEquals("", log());
      System.out.printf(
          "LimitsTest: %d values, the slowest answer within %d ms, %s%n",
          survey.values(), survey.slowestMillis(), Resources.of(agent.pid()));
    } catch (IOException e) {
      throw new AssertionError(log(), e);
    }
  }

  // --- no memory

  @Test
  void withoutMemoryTheProcessEndsAndSaysWhy() throws IOException {
    for (int f = 0; f < 20; f++) {
      MmvWriter file = new MmvWriter(2).cluster(f + 1);
      addSingularMetrics(file, f, 1000);
      file.write(pcp.mmv(), "file" + f);
    }
    try (AgentProcess agent =
        AgentProcess.start(
            pcp,
            AgentCommand.jmmv().with("-l", log.toString(), "--max-memory=1000"),
            Map.of("JMMV_JAVA_OPTS", "-Xms8m -Xmx12m"))) {
      agent.awaitGreeting();
      assertThrows(AssertionError.class, agent::children, "the agent has ended");
      assertNotEquals(0, agent.status());
    }
    assertTrue(log().contains("Terminating due to java.lang.OutOfMemoryError"), log());
  }

  // --- a pipe that is full

  /** A pipe takes 64 KiB, which is less than the lines about the files. */
  @Test
  void aLogThatNobodyReadsStopsNothing() throws IOException {
    GoodFile good = new GoodFile(pcp.mmv());
    for (int f = 0; f < 500; f++) {
      Files.writeString(pcp.mmv().resolve(longest("bad" + f + "_")), "no MMV file, but some text");
    }
    AgentCommand command = AgentCommand.jmmv().with("-l", "-").with(ALL_AT_ONCE);
    try (AgentConnection agent =
        AgentConnection.start(command.words(), pcp.environment(), Redirect.PIPE, Await.LIMIT)) {
      good.assertServedBy(agent);
    }
  }
}
